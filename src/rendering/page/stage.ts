import { Mesh, Scene, type ShaderMaterial } from 'three';
import { type ContactMap, contactMap } from '../light/contact.ts';
import type { LightDetail } from '../light/detail.ts';
import { SWEEP_DIRECTIONS } from '../light/prepare-light.ts';
import { type RoomBox, roomSides } from '../light/room-sides.ts';
import { seeSky, type Visibility } from '../light/see-sky.ts';
import { type Lattice, latticeFor, type Matter, spreadMatter } from '../light/voxel-grid.ts';
import { disposeScene, type LoadedScene } from './load-scene.ts';
import type { MaterialKit } from './materials.ts';

/** A scene's matter spread over a lattice, by owner: '' for everything that is no wall. */
interface Spread {
  readonly lattice: Lattice;
  readonly matter: ReadonlyMap<string, Matter>;
}

/** A loaded scene made ready to draw and to light: one mesh a batch, one for its shadow, and its matter on two lattices. */
export class Stage {
  readonly loaded: LoadedScene;
  readonly scene = new Scene();
  readonly #shadowScene = new Scene();
  readonly #meshes: readonly {
    readonly wall: string | null;
    readonly drawn: Mesh;
    readonly shadow: Mesh;
  }[];
  /** What is finer than the lattice; null when the detail leaves it out. */
  readonly contact: ContactMap | null;
  readonly room: RoomBox | null;
  readonly #fine: Spread;
  readonly #coarse: Spread;
  #visibility: { readonly key: string; readonly fine: Visibility; readonly coarse: Visibility } | null = null;
  /** Name of the light and walls that the light volume and the shadow were made for last; '' when none. */
  lit = '';

  constructor(loaded: LoadedScene, kit: MaterialKit, { cells, finest, fine }: LightDetail) {
    this.loaded = loaded;
    this.scene.matrixWorldAutoUpdate = false;
    this.#shadowScene.matrixWorldAutoUpdate = false;
    this.#meshes = loaded.batches.map((batch) => {
      const drawn = new Mesh(batch.geometry, kit.surface(batch.surface, batch.sides));
      const shadow = new Mesh(batch.geometry, kit.depth(batch.surface, batch.sides));
      drawn.frustumCulled = false;
      shadow.frustumCulled = false;
      this.scene.add(drawn);
      this.#shadowScene.add(shadow);
      return { wall: batch.wall, drawn, shadow };
    });
    const spread = (budget: number, smallest: number): Spread => {
      const lattice = latticeFor(loaded.box, budget, smallest);
      const matter = new Map<string, Matter>();
      for (const [owner, occluders] of loaded.occluders) matter.set(owner, spreadMatter(lattice, occluders));
      return { lattice, matter };
    };
    this.#fine = spread(cells, finest);
    this.#coarse = spread(cells / 6, 2 * finest);
    this.room = fine && loaded.walls.length > 0 ? roomSides(loaded.box, loaded.occluders) : null;
    this.contact = fine ? contactMap(loaded.box, loaded.occluders.get('') ?? [], this.#fine.lattice.size) : null;
  }

  /** Which cells block and what each sees of the sky with these walls in place; kept until other walls are asked for. */
  visibility(walls: readonly string[]): { readonly fine: Visibility; readonly coarse: Visibility } {
    const key = JSON.stringify(walls);
    if (this.#visibility?.key !== key) {
      const see = ({ lattice, matter }: Spread) =>
        seeSky(
          lattice,
          ['', ...walls].flatMap((owner) => matter.get(owner) ?? []),
          SWEEP_DIRECTIONS,
        );
      this.#visibility = { key, fine: see(this.#fine), coarse: see(this.#coarse) };
    }
    return this.#visibility;
  }

  /** Draws all walls but the hidden ones. */
  hide(hidden: ReadonlySet<string>): Scene {
    for (const { wall, drawn } of this.#meshes) {
      drawn.visible = wall === null || !hidden.has(wall);
    }
    return this.scene;
  }

  /** What casts shadows when only these walls block light. */
  blocking(walls: ReadonlySet<string>): Scene {
    for (const { wall, shadow } of this.#meshes) shadow.visible = wall === null || walls.has(wall);
    return this.#shadowScene;
  }

  dispose(): void {
    for (const { drawn, shadow } of this.#meshes) {
      (drawn.material as ShaderMaterial).dispose();
      (shadow.material as ShaderMaterial).dispose();
    }
    disposeScene(this.loaded);
  }
}
