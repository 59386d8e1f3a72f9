import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expandGrammar, type Template } from '../../src/captions/expand.ts';
import { readGrammar } from '../../src/captions/grammar.ts';
import { sha256 } from '../../src/core/hash.ts';
import { canonicalJson, compareText, prettyJson } from '../../src/core/json.ts';
import type { FileRecord, Manifest, ManifestFactor } from '../../src/core/manifest.ts';
import { Random } from '../../src/core/random.ts';
import { drawSyntheticRoom, type SyntheticView } from './synthetic-room.ts';

/** What a synthetic results folder holds. Every default is small enough for a unit test. */
export interface SyntheticOptions {
  readonly seed?: number;
  readonly generators?: readonly string[];
  readonly prompts?: number;
  /** Number of templates, the default among them; `all` for the 337 of the reference grammar. */
  readonly templates?: number | 'all';
  readonly evaluators?: readonly SyntheticEvaluator[];
  readonly images?: boolean;
  readonly draft?: boolean;
  readonly probes?: boolean;
  readonly lighting?: readonly string[];
  readonly resamples?: number;
  /** Share of outcomes that fail, at random. */
  readonly failing?: number;
  /** Only outcomes of this factor fail. */
  readonly failingIn?: string;
}

export interface SyntheticEvaluator {
  readonly id: string;
  readonly role: 'alignment' | 'quality' | 'symbolic';
  /** How strongly configurations move it, relative to how generators differ. */
  readonly fragility: number;
  readonly base: number;
}

export const SYNTHETIC_EVALUATORS: readonly SyntheticEvaluator[] = [
  { id: 'pocket', role: 'alignment', fragility: 1.6, base: 24 },
  { id: 'steady', role: 'alignment', fragility: 0.25, base: 61 },
  { id: 'sharpness', role: 'quality', fragility: 0.8, base: 48 },
];

const RENDER_LEVELS: Record<string, readonly string[]> = {
  resolution: ['224', '384', '512'],
  focal: ['24', '50', '100'],
  lighting: ['city', 'forest', 'interior', 'night', 'studio', 'sunset'],
  background: ['grey-0', 'grey-128', 'grey-255', 'blue'],
  pitch: ['0', '15', '30', '45', '60', '75', '90'],
  yaw: ['0', '45', '90', '135', '180', '225', '270', '315'],
};
const C0 = {
  resolution: '512',
  focal: '50',
  lighting: 'city',
  background: 'grey-255',
  pitch: '90',
  yaw: '0',
  template: 'a-top-down-view-of',
  paraphrase: 'original',
};
const STRENGTH: Record<string, number> = {
  resolution: 0.3,
  focal: 0.5,
  lighting: 1,
  background: 0.8,
  pitch: 1.7,
  yaw: 0.5,
  template: 1.4,
  paraphrase: 0.9,
};
const PROBES = [
  { name: 'keep-half', expectation: 'the score drops', control: false, effect: 0.9 },
  { name: 'biggest-only', expectation: 'the score drops', control: false, effect: 1.6 },
  { name: 'scrambled', expectation: 'the score drops', control: false, effect: 0.35 },
  { name: 'worst-objects', expectation: 'the score drops', control: false, effect: 0.6 },
  { name: 'mirrored', expectation: 'nothing of worth changes', control: true, effect: 0 },
];

/**
 * Writes scenes, prompts, grammar, raw tables, thumbnails and manifest of an audit that was never run, the numbers drawn
 * from a stated model. Returns the results folder; `estimates.json` is left to `analyze`.
 */
export async function writeSyntheticResults(root: string, options: SyntheticOptions = {}): Promise<string> {
  const seed = options.seed ?? 7;
  const generators = options.generators ?? ['functional', 'grid', 'scatter', 'sparse'];
  const promptIds = Array.from(
    { length: options.prompts ?? 20 },
    (_, index) => `p${String(index + 1).padStart(2, '0')}`,
  );
  const evaluators = options.evaluators ?? SYNTHETIC_EVALUATORS;
  const folder = join(root, 'results', 'synthetic');
  const inputs: Manifest['inputs'] = [];
  const files: FileRecord[] = [];
  const put = (path: string, content: string | Uint8Array): FileRecord => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const shown = relative(folder, path).split(sep).join('/');
    return { path: shown, sha256: sha256(content), bytes: Buffer.byteLength(content) };
  };
  const putInput = (role: Manifest['inputs'][number]['role'], path: string, content: string | Uint8Array) =>
    inputs.push({ ...put(join(root, path), content), role });
  const putFile = (path: string, content: string | Uint8Array) => files.push(put(join(folder, path), content));

  const grammarFile = join(import.meta.dirname, '../../grammars/reference.yaml');
  const all = expandGrammar(readGrammar(grammarFile));
  const templates = chooseTemplates(all, options.templates ?? 12);
  const audit = 'schema: parallax/audit@1\nname: synthetic\n';
  putInput('audit', 'audits/synthetic.yaml', audit);
  putInput(
    'prompts',
    'audits/prompts.csv',
    `id,text,source\n${promptIds.map((id) => `${id},a room number ${id},made-up`).join('\n')}\n`,
  );
  putInput('grammar', 'grammars/reference.yaml', `# ${templates.length} templates\n`);
  putInput('model', 'models/pocket/model.onnx', 'weights of a model that does not exist');

  const factors = declareFactors(options, templates);
  const scenes: string[] = ['hash,generator,prompt,probe'];
  for (const generator of generators)
    for (const prompt of promptIds) {
      const content = canonicalJson({ schema: 'parallax/scene@1', id: `${generator}-${prompt}`, generator, prompt });
      putInput('scene', `audits/scenes/${safe(generator)}/${prompt}/scene.json`, content);
      scenes.push([sha256(content), quote(generator), prompt, ''].join(','));
    }
  putFile('scenes.csv', `${scenes.join('\n')}\n`);
  const luminance: string[] = ['key,scene,configuration,luminance,sha256'];
  const luminanceOf: Record<string, number> = {
    city: 0.4,
    courtyard: 0.32,
    forest: 0.22,
    interior: 0.26,
    night: 0.02,
    studio: 0.5,
    sunrise: 0.3,
    sunset: 0.18,
  };
  const captions: string[] = ['key,text'];
  for (const template of templates) captions.push(`${sha256(template.text)},${quote(template.text)}`);
  putFile('captions.csv', `${captions.join('\n')}\n`);

  const imageKeys = new Set<string>();
  for (const evaluator of evaluators) {
    const rows: string[] = [
      'evaluator,generator,prompt,factor,level,score,status,reason,scene,image,caption,repeat,source',
    ];
    const model = new ScoreModel(seed, evaluator, generators, options.failing ?? 0, options.failingIn);
    for (const generator of generators)
      for (const prompt of promptIds) {
        const write = (factor: string, level: string, score: number | null, configuration: Record<string, string>) => {
          const view = Object.fromEntries(Object.entries(configuration).filter(([name]) => name in RENDER_LEVELS));
          const text = canonicalJson(view);
          const image = sha256(`${generator}/${prompt}/${text}`);
          if (!imageKeys.has(image)) {
            imageKeys.add(image);
            luminance.push(
              [
                image,
                sha256(`${generator}/${prompt}`),
                quote(text),
                String(luminanceOf[view['lighting'] ?? 'city'] ?? 0.3),
                sha256(image),
              ].join(','),
            );
          }
          rows.push(
            [
              evaluator.id,
              generator,
              prompt,
              factor,
              level,
              score === null ? '' : String(score),
              score === null ? 'failed' : 'scored',
              score === null ? 'made to fail' : '',
              sha256(`${generator}/${prompt}`),
              image,
              sha256(configuration['template'] ?? ''),
              '0',
              'made-up',
            ]
              .map(quote)
              .join(','),
          );
        };
        write('', '', model.score(generator, prompt, '', ''), C0);
        for (const factor of factors) {
          if (factor.kind === 'caption' && evaluator.role !== 'alignment') continue;
          for (const level of factor.levels)
            write(factor.factor, level, model.score(generator, prompt, ...aliasOf(factor, level)), {
              ...C0,
              ...factor.at,
              [factor.factor]: level,
            });
        }
        if (options.probes ?? true)
          for (const probe of PROBES)
            write('probe', probe.name, model.probe(generator, prompt, probe.name, probe.effect), C0);
      }
    putFile(`raw/${evaluator.id}.csv`, `${rows.join('\n')}\n`);
  }
  putFile('images.csv', `${luminance.join('\n')}\n`);
  if (options.images ?? false) await writeImages(folder, generators, promptIds[0] as string, factors);

  const manifest: Manifest = {
    schema: 'parallax/manifest@1',
    audit: { name: 'synthetic', file: '../../audits/synthetic.yaml', sha256: sha256(audit) },
    draft: options.draft ?? false,
    seed,
    protocol: {
      design: 'one-at-a-time',
      renderer: {
        fingerprint: {
          renderer: 'synthetic',
          version: '1',
          margin: 0.05,
          wallsBlockLight: true,
          light: 'own',
          maps: { city: sha256('city'), night: sha256('night') },
        },
        environment: { browser: 'none', gl: 'none' },
      },
      c0: { ...C0 },
      factors,
      grammar: {
        name: 'reference',
        sha256: sha256(`# ${templates.length} templates\n`),
        templates: templates.map(({ id, text, slots }) => ({ id, text, slots: slots === null ? null : { ...slots } })),
      },
      probes:
        (options.probes ?? true)
          ? PROBES.map(({ name, expectation, control }) => ({ name, expectation, control, repeats: 1 }))
          : [],
    },
    statistics: {
      resamples: options.resamples ?? 400,
      level: 0.95,
      band: 'studentised',
      family: 'audit',
      maxMissing: 0.05,
    },
    evaluators: evaluators.map((evaluator) => ({
      id: evaluator.id,
      kind: evaluator.role === 'quality' ? 'quality' : 'dual-encoder',
      role: evaluator.role,
      scale: { name: evaluator.role === 'quality' ? 'share100' : 'cosine100', min: -100, max: 100 },
      reads: { image: true, caption: evaluator.role === 'alignment', scene: false },
      fingerprint: {
        model: evaluator.id,
        weights: sha256(`weights ${evaluator.id}`),
        dtype: 'fp32',
        resize: 'bicubic 224',
        crop: 'none',
      },
      environment: { provider: 'cpu', onnxruntime: '1.0.0' },
      raw: `raw/${evaluator.id}.csv`,
      coverage:
        evaluator.role === 'alignment'
          ? {
              captions: templates.length * promptIds.length,
              truncated: templates.reduce((sum, _, index) => sum + Math.min(index % 5, promptIds.length), 0),
              meanShare: 0.94,
              minShare: 0.41,
              context: 77,
              templates: templates.map(({ id }, index) => ({
                template: id,
                meanShare: 0.97 - 0.01 * (index % 7),
                truncated: Math.min(index % 5, promptIds.length),
              })),
              sameSeen: { groups: 1, captions: 2, equalScores: 1 },
            }
          : null,
    })),
    generators: [...generators],
    prompts: promptIds.map((id) => ({ id, source: 'made-up', sha256: sha256(`a room number ${id}`), words: 4 })),
    counts: {
      scenes: generators.length * promptIds.length,
      objects: generators.length * promptIds.length * 9,
      proxies: 40,
      renders: imageKeys.size,
      renderFailures: 0,
      images: imageKeys.size,
      captions: templates.length * promptIds.length,
    },
    noiseFloor: {
      scenes: generators.length,
      maxPixel: 1,
      meanPixel: 0.0004,
      scores: evaluators.map(({ id }) => ({ evaluator: id, maxDifference: 0.002 })),
    },
    files: files.sort((a, b) => compareText(a.path, b.path)),
    inputs: inputs.sort((a, b) => compareText(a.path, b.path)),
    source: { revision: '0123456789abcdef', dirty: false },
    packages: { 'parallax-audit': '0.1.0', three: '0.187.0' },
  };
  writeFileSync(join(folder, 'manifest.json'), prettyJson(manifest));
  return folder;
}

function chooseTemplates(all: readonly Template[], wanted: number | 'all'): Template[] {
  if (wanted === 'all') return [...all];
  const step = Math.max(1, Math.floor(all.length / wanted));
  const chosen = all.filter((template, index) => index % step === 0 || template.id === C0.template);
  return chosen.slice(0, wanted).some(({ id }) => id === C0.template)
    ? chosen.slice(0, wanted)
    : [...chosen.slice(0, wanted - 1), ...all.filter(({ id }) => id === C0.template)];
}

function declareFactors(options: SyntheticOptions, templates: readonly Template[]): ManifestFactor[] {
  const render = Object.entries(RENDER_LEVELS).map(
    ([factor, levels]): ManifestFactor => ({
      factor,
      kind: 'render',
      levels: [...(factor === 'lighting' ? (options.lighting ?? levels) : levels)],
      default: C0[factor as keyof typeof C0],
      at: factor === 'yaw' ? { pitch: '45' } : null,
      shared: true,
      evaluators: null,
    }),
  );
  return [
    ...render,
    {
      factor: 'template',
      kind: 'caption',
      levels: templates.map(({ id }) => id),
      default: C0.template,
      at: null,
      shared: true,
      evaluators: null,
    },
    {
      factor: 'paraphrase',
      kind: 'caption',
      levels: ['original', 'r1', 'r2', 'r3'],
      default: 'original',
      at: null,
      shared: false,
      evaluators: null,
    },
  ];
}

/** A level equal to the default is c0; the default of a factor with a base is the base's own level. */
function aliasOf(factor: ManifestFactor, level: string): [string, string] {
  if (level !== factor.default) return [factor.factor, level];
  if (factor.at === null) return ['', ''];
  return Object.entries(factor.at)[0] as [string, string];
}

/** score = base + generator + prompt + fragility x (level + generator-by-level) + noise. */
class ScoreModel {
  readonly #seed: number;
  readonly #evaluator: SyntheticEvaluator;
  readonly #generators: readonly string[];
  readonly #failing: number;
  readonly #failingIn: string | undefined;
  readonly #effects = new Map<string, number>();

  constructor(
    seed: number,
    evaluator: SyntheticEvaluator,
    generators: readonly string[],
    failing: number,
    failingIn?: string,
  ) {
    this.#seed = seed;
    this.#evaluator = evaluator;
    this.#generators = generators;
    this.#failing = failing;
    this.#failingIn = failingIn;
  }

  #effect(...names: string[]): number {
    const key = names.join('\u0000');
    const known = this.#effects.get(key);
    if (known !== undefined) return known;
    const drawn = new Random(this.#seed, this.#evaluator.id, ...names).normal();
    this.#effects.set(key, drawn);
    return drawn;
  }

  score(generator: string, prompt: string, factor: string, level: string): number | null {
    const cell = new Random(this.#seed, this.#evaluator.id, generator, prompt, factor, level);
    if ((this.#failingIn === undefined || this.#failingIn === factor) && cell.next() < this.#failing) return null;
    const quality = 1.2 * (1 - this.#generators.indexOf(generator) / Math.max(1, this.#generators.length - 1));
    const strength = factor === '' ? 0 : (STRENGTH[factor] ?? 1) * this.#evaluator.fragility;
    const shift =
      strength * (this.#effect('level', factor, level) + 0.45 * this.#effect('interaction', generator, factor, level));
    return (
      this.#evaluator.base +
      quality +
      0.8 * this.#effect('prompt', prompt) +
      0.35 * this.#effect('scene', generator, prompt) +
      shift +
      0.12 * cell.normal()
    );
  }

  probe(generator: string, prompt: string, name: string, effect: number): number | null {
    const base = this.score(generator, prompt, '', '');
    return base === null ? null : base - effect + 0.8 * this.#effect('probe', generator, prompt, name);
  }
}

async function writeImages(
  folder: string,
  generators: readonly string[],
  prompt: string,
  factors: readonly ManifestFactor[],
): Promise<void> {
  const index: { generator: string; prompt: string; factor: string; level: string; path: string; image: string }[] = [];
  const draw = async (generator: string, factor: string, level: string, view: Record<string, string>) => {
    const path = `images/${safe(generator)}/${prompt}/${factor === '' ? 'c0' : `${factor}-${level}`}.jpg`;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), await drawSyntheticRoom(generator, view as unknown as SyntheticView));
    index.push({ generator, prompt, factor, level, path, image: sha256(path) });
  };
  for (const generator of generators) {
    for (const { factor, kind, levels, at } of factors)
      if (kind === 'render')
        for (const level of levels) await draw(generator, factor, level, { ...C0, ...at, [factor]: level });
    for (const { name } of PROBES) await draw(generator, 'probe', name, C0);
  }
  writeFileSync(join(folder, 'images/index.json'), prettyJson(index));
}

function quote(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function safe(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, '_');
}
