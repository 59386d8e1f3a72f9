/** Runs the code cells of a notebook; returns what each printed. @throws Error when a cell fails. */
export function runNotebook(path: string, environment?: Record<string, string>): string[];
/** The code cells of a notebook as one module. */
export function moduleOf(notebook: { cells: { cell_type: string; source: string | string[] }[] }): string;
