import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { AuditError, quoted } from '../core/errors.ts';
import { recordedPath, relativePath } from '../core/paths.ts';
import { writeWhole } from '../core/write-file.ts';
import { importScenes } from '../scenes/import-scenes.ts';
import { findScenes } from '../scenes/read-scene.ts';
import { packageRoot } from '../sweep/provenance.ts';
import { indexScenes } from '../sweep/scene-index.ts';
import type { CommandContext } from './context.ts';
import { type AuditAnswers, auditText, promptsText } from './init-text.ts';
import { oneOf } from './options.ts';

interface InitFlags {
  readonly scenes?: string;
  readonly pictures?: string;
  readonly prompts?: string;
  readonly evaluator?: AuditAnswers['evaluator'];
  readonly out?: string;
  readonly up?: 'y' | 'z';
  readonly unit?: 'm' | 'cm' | 'mm';
  readonly generator?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
}

const EVALUATORS = ['pocket', 'clip', 'command', 'scores', 'judge'] as const;

/** `parallax init`: asks what there is and writes a commented audit file that validates. */
export function registerInit(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('write a commented audit file for what you have (asks on a terminal; flags otherwise)')
    .option('--scenes <folder>', 'frozen scenes, GLB files, or outputs of a known system')
    .option('--pictures <folder>', 'pictures made elsewhere: <folder>/<generator>/<prompt>/render_...png')
    .option('--prompts <file>', 'CSV: id,text[,source]; written from the scenes when left out')
    .option('--evaluator <kind>', `first evaluator: ${EVALUATORS.join(', ')}`, oneOf(...EVALUATORS))
    .option('--out <file>', 'audit file to write')
    .option('--up <axis>', 'up axis of mesh files: y or z', oneOf('y', 'z'))
    .option('--unit <unit>', 'unit of mesh files: m, cm or mm', oneOf('m', 'cm', 'mm'))
    .option('--generator <name>', 'generator of scenes that do not say')
    .option('--yes', 'ask nothing')
    .option('--force', 'overwrite an existing audit file')
    .action(async (flags: InitFlags) => {
      const answers = flags.yes === true || !process.stdin.isTTY ? flags : await ask(flags);
      await writeAudit(answers, context);
    });
}

async function ask(flags: InitFlags): Promise<InitFlags> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = async (text: string, given: string | undefined, fallback: string) => {
    if (given !== undefined) return given;
    const answer = (await terminal.question(`${text} [${fallback}] `)).trim();
    return answer === '' ? fallback : answer;
  };
  try {
    const scenes = await question('Folder of scenes?', flags.scenes, 'scenes');
    const evaluator = await question(`First evaluator (${EVALUATORS.join(', ')})?`, flags.evaluator, 'pocket');
    const out = await question('Audit file to write?', flags.out, 'audit.yaml');
    return { ...flags, scenes, out, evaluator: oneOf(...EVALUATORS)(evaluator) };
  } finally {
    terminal.close();
  }
}

async function writeAudit(flags: InitFlags, context: CommandContext): Promise<void> {
  const out = resolve(flags.out ?? 'audit.yaml');
  if (existsSync(out) && flags.force !== true)
    throw new AuditError(`${relativePath(out)}: exists already; expected a new file (or --force)`, { code: 'USAGE' });
  if (flags.scenes === undefined)
    throw new AuditError(
      'init: missing --scenes <folder>; expected frozen scenes, GLB files or outputs of a known system',
      { code: 'USAGE' },
    );
  const given = resolve(flags.scenes);
  if (!existsSync(given) || !statSync(given).isDirectory())
    throw new AuditError(`--scenes: no such folder ${quoted(flags.scenes)}; expected a folder`, {
      code: 'MISSING_FILE',
    });
  const base = dirname(out);
  const name = (out.split('/').at(-1) ?? 'audit').replace(/\.ya?ml$/, '').replace(/[^A-Za-z0-9._-]/g, '-');
  let scenes = given;
  if ((await findScenes(given)).length === 0) {
    scenes = join(base, `${name}-scenes`);
    context.print(`${relativePath(given)}: no frozen scenes; importing into ${relativePath(scenes)}`);
    const summary = await importScenes({
      format: 'auto',
      paths: [given],
      out: scenes,
      up: flags.up ?? null,
      unit: flags.unit ?? null,
      generator: flags.generator ?? null,
      log: context.log,
      onProgress: context.onProgress,
      signal: context.signal,
    });
    context.endProgress();
    for (const { scene, refused } of summary.rows)
      if (refused !== null) context.log.warn(`${scene}: refused (${refused})`);
    context.print(`${summary.imported} scenes imported, ${summary.refused} refused`);
    if (summary.imported === 0)
      throw new AuditError(`${quoted(flags.scenes)}: nothing could be imported; expected scenes of a known format`);
  }
  const index = await indexScenes(scenes, null);
  let prompts = flags.prompts === undefined ? join(base, `${name}-prompts.csv`) : resolve(flags.prompts);
  if (flags.prompts === undefined) {
    if (!existsSync(prompts)) {
      writeWhole(prompts, promptsText(index.scenes.map(({ scene }) => scene)));
      context.print(
        `${relativePath(prompts)}: a prompt a scene, written from its object labels: put your own texts there`,
      );
    }
  } else if (!existsSync(prompts))
    throw new AuditError(`--prompts: no such file ${quoted(flags.prompts)}; expected a CSV file`, {
      code: 'MISSING_FILE',
    });
  prompts = recordedPath(prompts, base);
  const root = packageRoot();
  writeWhole(
    out,
    auditText({
      name,
      scenes: recordedPath(scenes, base),
      pictures: flags.pictures === undefined ? null : recordedPath(resolve(flags.pictures), base),
      prompts,
      generators: index.generators,
      evaluator: flags.evaluator ?? 'pocket',
      grammar: recordedPath(join(root, 'grammars', 'reference.yaml'), base),
      example: recordedPath(join(root, 'examples', 'command', 'python_example.py'), base),
    }),
  );
  context.print(
    `${relativePath(out)}: ${index.scenes.length} scenes of ${index.generators.join(', ')}\nnext: parallax validate ${relativePath(out)}`,
  );
}
