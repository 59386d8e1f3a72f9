import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AuditError } from '../core/errors.ts';
import { relativePath } from '../core/paths.ts';
import { checkTable, notesText } from '../scenes/check-table.ts';
import { IMPORT_FORMATS } from '../scenes/import-formats.ts';
import { importScenes } from '../scenes/import-scenes.ts';
import type { CommandContext } from './context.ts';
import { keyValue, numberBetween, oneOf } from './options.ts';

interface ImportFlags {
  readonly out?: string;
  readonly check?: boolean;
  readonly generator?: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly assets?: Record<string, string>;
  readonly catalogue?: string[];
  readonly up?: 'y' | 'z';
  readonly unit?: 'm' | 'cm' | 'mm' | number;
  readonly roomSize?: number;
  readonly wallHeight?: number;
  readonly allowUnknownSize?: boolean;
  readonly json?: boolean;
}

/** `parallax import`: freezes scenes that other systems wrote. */
export function registerImport(program: Command, context: CommandContext): void {
  program
    .command('import')
    .description('freeze scenes written by other systems into the canonical frame')
    .argument('<format>', `auto, or one of ${IMPORT_FORMATS.join(', ')}`)
    .argument('<paths...>', "files, folders, or a pattern such as 'out/{generator}/{prompt}.glb'")
    .option('--out <folder>', 'folder that receives one folder a scene')
    .option('--check', 'write nothing; print the table a curator needs')
    .option('--generator <name>', 'generator of all scenes')
    .option('--prompt <id>', 'prompt id of all scenes')
    .option('--prompt-file <file>', 'prompt set (CSV or JSON) to join by id or exact text')
    .option('--assets <source=folder>', 'where the assets of a source lie (repeatable)', keyValue)
    .option('--catalogue <file>', 'labels and sizes by asset id (repeatable)', (value, before: string[] = []) => [
      ...before,
      value,
    ])
    .option('--up <axis>', 'up axis of mesh files: y or z', oneOf('y', 'z'))
    .option('--unit <unit>', 'unit of length: m, cm, mm, or metres a unit', unitOption)
    .option(
      '--room-size <metres>',
      'length of the shorter side of a room whose file has no metric size',
      numberBetween(0.1, 1000),
    )
    .option('--wall-height <metres>', 'height of walls a format does not state', numberBetween(0.1, 100))
    .option(
      '--allow-unknown-size',
      'put a 0.3 m box where neither size nor label is known, instead of refusing the scene',
    )
    .option('--json', 'print the summary as JSON')
    .action(async (format: string, paths: string[], flags: ImportFlags) => {
      if (flags.check !== true && flags.out === undefined)
        throw new AuditError('import: missing --out <folder>; expected it, or --check to write nothing', {
          code: 'USAGE',
        });
      const { out, catalogue, assets, ...rest } = flags;
      const summary = await importScenes({
        ...rest,
        format,
        paths,
        out: out === undefined ? null : resolve(out),
        ...(catalogue === undefined ? {} : { catalogues: catalogue }),
        ...(assets === undefined ? {} : { assets }),
        log: context.log,
        onProgress: context.onProgress,
        signal: context.signal,
      });
      context.endProgress();
      if (flags.json === true) context.print(JSON.stringify(summary, null, 2));
      else {
        for (const { file, format: found, why, imported, refused, problem } of summary.files)
          context.print(
            problem === null
              ? `${file}: ${found} (${why}): ${imported} imported, ${refused} refused`
              : `${file}: ${found ?? 'not a scene'} (${why}): ${problem}`,
          );
        if (flags.check === true || summary.rows.length <= 40) context.print(checkTable(summary.rows));
        const notes = notesText(summary.rows);
        if (notes.length > 0) context.print(notes);
        context.print(
          `${summary.files.length} files: ${summary.imported} scenes imported, ${summary.refused} refused${out === undefined || flags.check === true ? '' : `, into ${relativePath(resolve(out))}`}`,
        );
      }
      if (summary.imported === 0 && flags.check !== true)
        throw new AuditError(`import: no scene could be imported from ${paths.join(', ')}; expected at least one`);
    });
}

function unitOption(value: string): 'm' | 'cm' | 'mm' | number {
  return value === 'm' || value === 'cm' || value === 'mm' ? value : numberBetween(1e-9, 1e9)(value);
}
