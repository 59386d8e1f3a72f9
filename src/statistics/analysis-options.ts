import { AuditError, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Configuration, EvaluatorRole, Scale } from '../core/protocol.ts';
import type { ScoreTable } from './score-table.ts';

/** A factor as the analysis sees it. */
export interface AnalysisFactor {
  readonly factor: string;
  /** Evaluator factors change the trial without changing image or caption; null when unknown. */
  readonly kind: 'render' | 'caption' | 'evaluator' | null;
  /** In declared order. */
  readonly levels: readonly string[];
  /** The level that is c0, or, with `at`, the level that aliases the base; null for none. */
  readonly defaultLevel: string | null;
  /** Base of the sweep where it differs from c0 (yaw at pitch 45); such a factor never supplies c0. */
  readonly at: Configuration | null;
  readonly shared: boolean;
  /** Evaluators it applies to; null for all that have rows of it. */
  readonly evaluators: readonly string[] | null;
  /** The levels are a sample: a range over them is a lower bound, and no envelope is known to be strict. */
  readonly sampled?: boolean;
}

export interface AnalysisEvaluator {
  readonly evaluator: string;
  readonly role: EvaluatorRole;
  readonly scale: Scale | null;
  /** Scores made elsewhere: a stored zero may be a failure. */
  readonly imported: boolean;
}

export interface AnalysisProbe {
  readonly probe: string;
  readonly expectation: string | null;
  readonly control: boolean;
}

/** What `analyze` is asked for. Every field is recorded in estimates.json or follows from the manifest. */
export interface AnalysisOptions {
  /** Required, recorded; 0 is a seed like any other. */
  readonly seed: number;
  readonly resamples: number;
  /** Confidence level, 0..1. */
  readonly level: number;
  readonly band: 'studentised' | 'published';
  /** One simultaneous family over all evaluators, or one an evaluator. */
  readonly family: 'audit' | 'evaluator';
  readonly interval: 'percentile' | 'bca';
  /** Largest share of missing cells, and of lost scenes. */
  readonly maxMissing: number;
  /** Cluster of each prompt for the cluster bootstrap (name of the column and value by prompt id); null: prompts. */
  readonly clusters: { readonly column: string; readonly of: ReadonlyMap<string, string> } | null;
  /** Stratum of each prompt; null for none. */
  readonly strata: { readonly column: string; readonly of: ReadonlyMap<string, string> } | null;
  readonly c0: Configuration;
  readonly factors: readonly AnalysisFactor[];
  readonly evaluators: readonly AnalysisEvaluator[];
  readonly generators: readonly string[];
  /** Sorted by id: resampling follows this order. */
  readonly prompts: readonly string[];
  readonly templates: readonly {
    readonly id: string;
    readonly text: string;
    readonly slots: Readonly<Record<string, string>> | null;
  }[];
  readonly probes: readonly AnalysisProbe[];
  /** Mean foreground luminance by image key; null when unknown. */
  readonly luminance: ReadonlyMap<string, number> | null;
  /** Threads for the simultaneous band; results do not depend on it. */
  readonly workers: number;
}

/** What a caller may set beside a manifest or a bare table. */
export interface AnalysisSettings {
  readonly seed?: number | undefined;
  readonly resamples?: number | undefined;
  readonly level?: number | undefined;
  readonly band?: 'studentised' | 'published' | undefined;
  readonly family?: 'audit' | 'evaluator' | undefined;
  readonly interval?: 'percentile' | 'bca' | undefined;
  readonly maxMissing?: number | undefined;
  /** Column of the score table whose values are the clusters of the bootstrap. */
  readonly cluster?: string | undefined;
  /** Column of the score table whose values are strata. */
  readonly strata?: string | undefined;
  readonly luminance?: ReadonlyMap<string, number> | undefined;
  readonly workers?: number | undefined;
}

export interface TableSettings extends AnalysisSettings {
  readonly seed: number;
  /** Factors that define c0 and their default levels. */
  readonly c0: Configuration;
  /** Prompt-specific factors: dispersion and rho only. */
  readonly unshared?: readonly string[];
  /** Evaluators that are quality controls. */
  readonly quality?: readonly string[];
}

export const ANALYSIS_DEFAULTS = {
  resamples: 10_000,
  level: 0.95,
  band: 'studentised',
  family: 'audit',
  interval: 'percentile',
  maxMissing: 0.05,
  workers: 2,
} as const;

/** Factor ids with a meaning of their own. */
export const PROBE_FACTOR = 'probe';

/** Options of a run, from its manifest; `settings` overrides what the audit file said. */
export function optionsFromManifest(
  manifest: Manifest,
  table: ScoreTable,
  settings: AnalysisSettings = {},
): AnalysisOptions {
  const statistics = manifest.statistics;
  const sources = new Map(manifest.prompts.map((prompt) => [prompt.id, prompt.source]));
  return requireOptions({
    seed: settings.seed ?? manifest.seed,
    resamples: settings.resamples ?? statistics.resamples,
    level: settings.level ?? statistics.level,
    band: settings.band ?? statistics.band,
    family: settings.family ?? statistics.family,
    interval: settings.interval ?? ANALYSIS_DEFAULTS.interval,
    maxMissing: settings.maxMissing ?? statistics.maxMissing,
    clusters: promptColumn(table, settings.cluster, sources),
    strata: promptColumn(table, settings.strata, sources),
    c0: manifest.protocol.c0,
    factors: manifest.protocol.factors.map((factor) => ({
      factor: factor.factor,
      kind: factor.kind,
      levels: factor.levels,
      defaultLevel: factor.default,
      at: factor.at,
      shared: factor.shared,
      evaluators: factor.evaluators,
      sampled: factor.sample !== undefined,
    })),
    evaluators: manifest.evaluators.map((evaluator) => ({
      evaluator: evaluator.id,
      role: evaluator.role,
      scale: evaluator.scale,
      imported: evaluator.kind === 'scores',
    })),
    generators: [...manifest.generators].sort(compareText),
    prompts: manifest.prompts.map((prompt) => prompt.id).sort(compareText),
    templates: manifest.protocol.grammar?.templates ?? [],
    probes: manifest.protocol.probes.map(({ name, expectation, control }) => ({ probe: name, expectation, control })),
    luminance: settings.luminance ?? null,
    workers: settings.workers ?? ANALYSIS_DEFAULTS.workers,
  });
}

/**
 * Options for a table made elsewhere. The factors named in `c0` are c0 at that level; every other factor is shared and has
 * no default level.
 *
 * @throws AuditError when `c0` is empty, or names a factor or level the table does not have.
 */
export function optionsFromTable(table: ScoreTable, settings: TableSettings): AnalysisOptions {
  const levels = levelsByFactor(table);
  const explicit = levels.delete('');
  levels.delete(PROBE_FACTOR);
  const shown = table.files.join(', ');
  const known = [...levels.keys()];
  for (const [factor, level] of Object.entries(settings.c0)) {
    const of = levels.get(factor);
    if (of === undefined)
      throw new AuditError(`--c0: unknown factor ${quoted(factor)}; expected one of ${known.join(', ')} (${shown})`);
    if (!of.includes(level) && !explicit)
      throw new AuditError(
        `--c0: unknown level ${quoted(level)} of factor "${factor}"; expected one of ${of.slice(0, 20).join(', ')} (${shown})`,
      );
  }
  if (Object.keys(settings.c0).length === 0 && !explicit)
    throw new AuditError(
      `${shown}: no default configuration: no row has an empty factor; expected --c0 factor=level,... with factors ${known.join(', ')}`,
      { code: 'USAGE' },
    );
  for (const name of settings.unshared ?? [])
    if (!levels.has(name))
      throw new AuditError(`--unshared: unknown factor ${quoted(name)}; expected one of ${known.join(', ')}`);
  for (const name of settings.quality ?? [])
    if (!table.values.evaluator.includes(name))
      throw new AuditError(
        `--quality: unknown evaluator ${quoted(name)}; expected one of ${table.values.evaluator.join(', ')}`,
      );
  return requireOptions({
    ...ANALYSIS_DEFAULTS,
    ...given(settings),
    clusters: promptColumn(table, settings.cluster, null),
    strata: promptColumn(table, settings.strata, null),
    c0: settings.c0,
    factors: known.map((factor) => {
      const defaultLevel = settings.c0[factor] ?? null;
      const of = levels.get(factor)!;
      return {
        factor,
        kind: null,
        levels: defaultLevel === null || of.includes(defaultLevel) ? of : naturalOrder([...of, defaultLevel]),
        defaultLevel,
        at: null,
        shared: !(settings.unshared ?? []).includes(factor),
        evaluators: null,
      };
    }),
    evaluators: table.values.evaluator.map((evaluator) => ({
      evaluator,
      role: (settings.quality ?? []).includes(evaluator) ? 'quality' : 'alignment',
      scale: null,
      imported: true,
    })),
    generators: table.values.generator,
    prompts: table.values.prompt,
    templates: [],
    probes: [],
    luminance: settings.luminance ?? null,
  });
}

function given(settings: AnalysisSettings): Pick<AnalysisOptions, 'seed'> & Partial<AnalysisOptions> {
  const { seed = 0, resamples, level, band, family, interval, maxMissing, workers } = settings;
  const entries = Object.entries({ resamples, level, band, family, interval, maxMissing, workers });
  return { seed, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

function requireOptions(options: AnalysisOptions): AnalysisOptions {
  const { seed, resamples, level, maxMissing } = options;
  if (!Number.isSafeInteger(seed)) throw new AuditError(`seed: invalid value "${seed}"; expected a whole number`);
  if (!Number.isSafeInteger(resamples) || resamples < 100 || resamples > 1_000_000)
    throw new AuditError(`resamples: invalid value "${resamples}"; expected a whole number from 100 to 1000000`);
  if (!(level > 0.5 && level < 1))
    throw new AuditError(`level: invalid value "${level}"; expected 0.5 to 1, such as 0.95`);
  if (!(maxMissing >= 0 && maxMissing <= 1))
    throw new AuditError(`maxMissing: invalid value "${maxMissing}"; expected a share from 0 to 1`);
  return options;
}

/** Levels of every factor that occurs, factors in text order, levels in natural order. */
function levelsByFactor(table: ScoreTable): Map<string, string[]> {
  const width = table.values.level.length;
  const seen = new Uint8Array(table.values.factor.length * width);
  for (let row = 0; row < table.rows; row += 1) seen[table.ids.factor[row]! * width + table.ids.level[row]!] = 1;
  return new Map(
    table.values.factor.map((factor, id) => [
      factor,
      naturalOrder(table.values.level.filter((_, level) => seen[id * width + level] === 1)),
    ]),
  );
}

/** Numbers by value when every level is one, text by code unit otherwise. */
function naturalOrder(levels: readonly string[]): string[] {
  const numeric = levels.every((level) => level !== '' && Number.isFinite(Number(level)));
  return [...levels].sort((a, b) => (numeric ? Number(a) - Number(b) : 0) || compareText(a, b));
}

/** Value of a table column for every prompt; each prompt must have exactly one. */
function promptColumn(
  table: ScoreTable,
  column: string | undefined,
  sources: ReadonlyMap<string, string> | null,
): AnalysisOptions['clusters'] {
  if (column === undefined || column === 'prompt') return null;
  if (column === 'source' && sources !== null) return { column, of: sources };
  const allowed = ['source', 'scene', 'caption', 'reason', 'image'];
  if (!allowed.includes(column) || !table.has[column as 'source'])
    throw new AuditError(`unknown column ${quoted(column)} of prompts; expected prompt, source or another text column`);
  const of = new Map<string, string>();
  const ids = table.ids[column as 'source'];
  for (let row = 0; row < table.rows; row += 1) {
    const prompt = table.values.prompt[table.ids.prompt[row]!]!;
    const value = table.values[column as 'source'][ids[row]!]!;
    const known = of.get(prompt);
    if (known !== undefined && known !== value)
      throw new AuditError(
        `${table.files[table.file[row]!]}:${table.line[row]}: column ${column}: prompt ${quoted(prompt)} has both ${quoted(known)} and ${quoted(value)}; expected one value a prompt`,
      );
    of.set(prompt, value);
  }
  return { column, of };
}
