/** Builds the documentation site into `out`; returns the links that lead nowhere. `api: false` leaves typedoc out. */
export function buildDocs(options?: { out?: string; api?: boolean }): string[];
