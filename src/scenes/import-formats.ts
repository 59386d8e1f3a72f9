import { importGlb } from './import-glb.ts';
import { importLayoutGpt } from './import-layoutgpt.ts';
import type { Importer } from './importer.ts';

/** Every importer, in the order in which `auto` asks them. */
export const IMPORTERS: readonly Importer[] = [importLayoutGpt, importGlb];

/** Names of the formats, as the command line takes them (besides `auto`). */
export const IMPORT_FORMATS: readonly string[] = IMPORTERS.map(({ format }) => format);
