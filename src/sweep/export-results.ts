import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { AuditError, messageOf } from '../core/errors.ts';
import { hashFile, sha256 } from '../core/hash.ts';
import { canonicalJson, compareText, prettyJson } from '../core/json.ts';
import { type FileRecord, type Manifest, manifestSchema } from '../core/manifest.ts';
import type { Outcome } from '../core/outcome.ts';
import { recordedPath, relativePath } from '../core/paths.ts';
import { writeWhole } from '../core/write-file.ts';
import { findProbe } from '../probes/find-probe.ts';
import { type Plan, probeApplies } from '../protocol/plan.ts';
import type { ScoreRow } from '../statistics/score-table.ts';
import { writeScoreTable } from '../statistics/write-score-table.ts';
import type { ImageReference, ResolvedCell } from './cells.ts';
import { coverageSummary } from './coverage-summary.ts';
import type { Instrument } from './instruments.ts';
import type { LoadedAudit } from './load-audit.ts';
import { PAIR_COLUMNS, pairRows } from './pair-rows.ts';
import type { PictureLoader } from './picture-loader.ts';
import { packageVersions, sourceRevision } from './provenance.ts';
import type { Store } from './store.ts';

/** One evaluator's cells with their outcomes. */
export interface Scored {
  readonly instrument: Instrument;
  readonly cells: readonly ResolvedCell[];
  readonly outcomes: readonly Outcome[];
}

export interface ExportOptions {
  readonly loaded: LoadedAudit;
  readonly store: Store;
  readonly pictures: PictureLoader;
  readonly scored: readonly Scored[];
  readonly renderer: Manifest['protocol']['renderer'];
  readonly noiseFloor: Manifest['noiseFloor'];
  readonly draft: boolean;
}

/**
 * Writes the publishable raw data of an audit: one CSV per evaluator, scenes.csv, images.csv, captions.csv and, last,
 * manifest.json, which names and hashes them all. Same outcomes, same bytes.
 */
export async function exportResults(options: ExportOptions): Promise<Manifest> {
  const { loaded, store, pictures, scored } = options;
  const { plan, audit } = loaded;
  const folder = audit.results;
  try {
    // An interrupted export must not leave an old manifest over new tables.
    rmSync(join(folder, 'manifest.json'), { force: true });
    mkdirSync(join(folder, 'raw'), { recursive: true });
  } catch (error) {
    throw new AuditError(
      `${relativePath(folder)}: cannot be written (${messageOf(error)}); expected a writable results folder`,
      {
        code: 'ENVIRONMENT',
      },
    );
  }
  const sources = new Map(plan.prompts.map((prompt) => [prompt.id, prompt.source]));
  const files: string[] = [];
  const evaluators: Manifest['evaluators'] = [];
  for (const { instrument, cells, outcomes } of scored) {
    const raw = `raw/${instrument.id}.csv`;
    await writeScoreTable(join(folder, raw), rowsOf(instrument, cells, outcomes, sources));
    files.push(raw);
    const pairs = instrument.pairwise === true ? `raw/${instrument.id}-pairs.csv` : null;
    if (pairs !== null) {
      writeCsv(join(folder, pairs), [...PAIR_COLUMNS], await pairRows(store, cells));
      files.push(pairs);
    }
    evaluators.push({
      id: instrument.id,
      kind: instrument.spec.kind,
      role: instrument.role,
      scale: { name: instrument.scale.name, min: instrument.scale.min, max: instrument.scale.max },
      reads: { ...instrument.reads },
      fingerprint: instrument.fingerprint as Manifest['evaluators'][number]['fingerprint'],
      environment: instrument.environment as Manifest['evaluators'][number]['environment'],
      raw,
      ...(pairs === null ? {} : { pairs }),
      coverage: await coverageSummary(store, instrument.instrument, cells, outcomes),
    });
  }
  const images = distinctImages(scored);
  const rows = [...images]
    .map(([key, reference]) => imageRow(key, reference, pictures))
    .sort((a, b) => compareText(a.key, b.key));
  const captions = distinctCaptions(scored);
  writeCsv(
    join(folder, 'images.csv'),
    ['key', 'scene', 'configuration', 'status', 'reason', 'luminance', 'pixels'],
    rows,
  );
  writeCsv(
    join(folder, 'captions.csv'),
    ['key', 'text'],
    [...captions].sort(([a], [b]) => compareText(a, b)).map(([key, text]) => ({ key, text })),
  );
  const scenes = sceneRows(loaded, scored);
  writeCsv(
    join(folder, 'scenes.csv'),
    ['hash', 'generator', 'prompt', 'probe', 'repeat', 'objects', 'proxies', 'notes'],
    scenes,
  );
  writeWhole(join(folder, 'audit.yaml'), readFileSync(audit.file));
  files.push('images.csv', 'captions.csv', 'scenes.csv', 'audit.yaml');

  const objects = loaded.scenes.scenes.flatMap(({ scene }) => scene.objects);
  const manifest: Manifest = manifestSchema.parse({
    schema: 'parallax/manifest@1',
    audit: { name: audit.content.name, file: recordedPath(audit.file, folder), sha256: audit.sha256 },
    draft: options.draft,
    seed: audit.content.seed,
    protocol: protocolOf(plan, options.renderer),
    statistics: audit.content.statistics,
    evaluators,
    generators: [...plan.generators],
    prompts: plan.prompts.map(({ id, text, source }) => ({
      id,
      source,
      sha256: sha256(text),
      words: text.trim().split(/\s+/).length,
    })),
    counts: {
      scenes: loaded.scenes.scenes.length,
      objects: objects.length,
      proxies: objects.filter(({ geometry }) => geometry === 'proxy').length,
      renders: new Set([...images.values()].map(({ renderKey }) => renderKey)).size,
      renderFailures: rows.filter(({ status }) => status !== 'scored').length,
      images: images.size,
      captions: captions.size,
    },
    noiseFloor: options.noiseFloor,
    files: await Promise.all(files.map((path) => record(join(folder, path), path))),
    inputs: await inputsOf(loaded, scored, folder),
    source: sourceRevision(),
    packages: packageVersions(),
  });
  writeWhole(join(folder, 'manifest.json'), prettyJson(manifest));
  return manifest;
}

function* rowsOf(
  instrument: Instrument,
  cells: readonly ResolvedCell[],
  outcomes: readonly Outcome[],
  sources: ReadonlyMap<string, string>,
): Generator<ScoreRow> {
  for (const [index, cell] of cells.entries()) {
    const outcome = outcomes[index] as Outcome;
    yield {
      evaluator: instrument.id,
      generator: cell.generator,
      prompt: cell.prompt,
      factor: cell.factor,
      level: cell.level,
      score: outcome.status === 'scored' ? outcome.value : null,
      status: outcome.status,
      reason: outcome.status === 'scored' ? '' : outcome.reason,
      scene: cell.scene,
      image: keysOf(cell.opponents === undefined ? cell.asks.flatMap((ask) => ask.images) : ownImages(cell)),
      caption: keysOf(cell.asks.flatMap((ask) => ask.caption ?? [])),
      repeat: cell.repeat,
      source: sources.get(cell.prompt) ?? '',
    };
  }
}

/** A pairwise cell is about the picture of its own scene; the others stand in the table of pairs. */
function ownImages({ asks }: ResolvedCell): ImageReference[] {
  return asks.flatMap(({ image }) => image ?? []);
}

/** Longest text a cell of the score table may hold. */
const LONGEST_KEYS = 4096;

/** The key of what was read; several (the members of an ensemble, views of one question) stand in order, separated by spaces. */
function keysOf(parts: readonly { readonly key: string }[]): string {
  const keys = [...new Set(parts.map(({ key }) => key))].join(' ');
  return keys.length <= LONGEST_KEYS ? keys : sha256(keys);
}

function distinctImages(scored: readonly Scored[]): Map<string, ImageReference> {
  const images = new Map<string, ImageReference>();
  for (const { cells } of scored)
    for (const { asks } of cells) for (const ask of asks) for (const image of ask.images) images.set(image.key, image);
  return images;
}

function distinctCaptions(scored: readonly Scored[]): Map<string, string> {
  const captions = new Map<string, string>();
  for (const { cells } of scored)
    for (const { asks } of cells)
      for (const { caption } of asks) if (caption !== null) captions.set(caption.key, caption.text);
  return captions;
}

function imageRow(key: string, reference: ImageReference, pictures: PictureLoader) {
  const render = pictures.render(reference);
  const failure = pictures.failure(reference);
  return {
    key,
    scene: reference.scene.hash,
    configuration: canonicalJson({ ...reference.configuration }),
    status: failure?.status ?? 'scored',
    reason: failure?.reason ?? '',
    luminance: failure === null ? (render?.luminance ?? '') : '',
    pixels: render?.pixels ?? '',
  };
}

function sceneRows(loaded: LoadedAudit, scored: readonly Scored[]) {
  const rows = new Map<string, Record<string, string | number>>();
  for (const { scene } of loaded.scenes.scenes)
    rows.set(`${scene.generator} ${scene.prompt}`, {
      hash: scene.hash,
      generator: scene.generator,
      prompt: scene.prompt,
      probe: '',
      repeat: 0,
      objects: scene.objects.length,
      proxies: scene.objects.filter(({ geometry }) => geometry === 'proxy').length,
      notes: scene.source.notes.length,
    });
  for (const { cells } of scored)
    for (const { generator, prompt, factor, level, repeat, scene } of cells)
      if (factor === 'probe' && scene !== '')
        rows.set(`${generator} ${prompt} ${level} ${repeat}`, {
          hash: scene,
          generator,
          prompt,
          probe: level,
          repeat,
          objects: '',
          proxies: '',
          notes: '',
        });
  return [...rows].sort(([a], [b]) => compareText(a, b)).map(([, row]) => row);
}

function writeCsv(path: string, columns: string[], rows: readonly Record<string, string | number>[]): void {
  writeWhole(
    path,
    `${Papa.unparse({ fields: columns, data: rows.map((row) => columns.map((column) => row[column] ?? '')) }, { newline: '\n' })}\n`,
  );
}

function protocolOf(plan: Plan, renderer: Manifest['protocol']['renderer']): Manifest['protocol'] {
  const { audit } = plan;
  return {
    design: audit.content.design,
    renderer,
    c0: { ...plan.c0 },
    factors: plan.factors.map((factor) => ({
      factor: factor.factor,
      kind: factor.kind,
      levels: [...factor.levels],
      default: factor.default,
      at: factor.at === null ? null : { ...factor.at },
      shared: factor.shared,
      evaluators: factor.evaluators === null ? null : [...factor.evaluators],
      ...(factor.sample === undefined
        ? {}
        : {
            sample: {
              asked: factor.sample.asked,
              of: factor.sample.of.population,
              drawn: factor.sample.of.templates.map(({ template, probability }) => ({
                template: template.id,
                probability,
              })),
            },
          }),
    })),
    grammar:
      audit.grammar === null
        ? null
        : {
            name: grammarName(audit.grammar),
            sha256: sha256(canonicalJson(plan.templates.map(({ id, text, slots }) => ({ id, text, slots })))),
            templates: plan.templates.map(({ id, text, slots }) => ({
              id,
              text,
              slots: slots === null ? null : { ...slots },
            })),
          },
    probes: plan.probes.map((planned) => {
      const { name, repeats, about } = planned;
      const { expectation, control, choices = {} } = findProbe(name, audit.shown);
      return {
        name,
        expectation,
        control,
        repeats,
        choices: Object.fromEntries(
          Object.entries(choices).map(([key, values]) => [key, planned.choices[key] ?? (values[0] as string)]),
        ),
        applies: {
          about: about === null ? null : [...about],
          annotated: plan.prompts.some(({ specifies }) => specifies !== undefined),
          prompts: plan.prompts.filter((prompt) => probeApplies(planned, prompt)).length,
          of: plan.prompts.length,
        },
      };
    }),
  };
}

function grammarName(path: string): string {
  return (path.split('/').at(-1) as string).replace(/\.ya?ml$/, '');
}

async function record(path: string, shown: string): Promise<FileRecord> {
  return { path: shown, sha256: await hashFile(path), bytes: statSync(path).size };
}

async function inputsOf(loaded: LoadedAudit, scored: readonly Scored[], folder: string): Promise<Manifest['inputs']> {
  const { audit } = loaded;
  const inputs = new Map<string, Manifest['inputs'][number]['role']>();
  inputs.set(audit.file, 'audit');
  for (const [path, role] of [
    [audit.grammar, 'grammar'],
    [audit.prompts, 'prompts'],
    [audit.paraphrases, 'prompts'],
    [audit.annotations, 'prompts'],
  ] as const)
    if (path !== null) inputs.set(path, role);
  for (const indexed of loaded.scenes.scenes) {
    inputs.set(join(indexed.folder, 'scene.json'), 'scene');
    inputs.set(join(indexed.folder, 'scene.glb'), 'scene');
  }
  for (const { instrument } of scored)
    for (const { path, role } of instrument.evaluator.files ?? []) inputs.set(path, role);
  const records: Manifest['inputs'] = [];
  for (const [path, role] of inputs) records.push({ ...(await record(path, recordedPath(path, folder))), role });
  return records.sort((a, b) => compareText(a.path, b.path));
}
