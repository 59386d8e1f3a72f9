/** What every mark of a chart carries: its words, and the estimate it shows. */
export interface Mark {
  /** Value, interval and estimate in words: tooltip, and what a screen reader says. */
  readonly described: string;
  /** Anchor of the estimate's row (`#e-...`); empty where the page has no such row. */
  readonly href: string;
}

/** Channels that give a mark its words and its link; the page's script shows the words under pointer and keyboard. */
export const MARK_CHANNELS = {
  description: { field: 'described', type: 'nominal' },
  href: { field: 'href', type: 'nominal' },
} as const;
