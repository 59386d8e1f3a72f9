/** How finely light is solved and drawn. */
export interface LightDetail {
  /** Largest number of cells of the light lattice. */
  readonly cells: number;
  /** Smallest cell, metres. */
  readonly finest: number;
  /** Diffuse bounces computed; what more would add is extrapolated. */
  readonly bounces: number;
  /** Whether what is finer than the lattice is drawn too: the dark line where furniture meets the floor, walls and floor in mirrors. */
  readonly fine: boolean;
}

/** `full` for audits; `quick` for previews, demonstrations and training pictures: an eighth of the cells, one bounce. */
export const LIGHT_DETAILS: Readonly<Record<'full' | 'quick', LightDetail>> = {
  full: { cells: 160_000, finest: 0.05, bounces: 2, fine: true },
  quick: { cells: 20_000, finest: 0.08, bounces: 1, fine: false },
};
