/**
 * npm run bench:score [-- pocket vit-b-32 --quick]
 *
 * Rates of the dual encoders against a bare onnxruntime loop on the same graphs, and the whole caption side of the reference audit.
 * The bare loop runs tensors that are ready in memory, nothing else, with one thread and with all (the better counts); ours starts from
 * pixels and text. Each figure is the best of several rounds, taken in turns; processor time stands beside the clock, because on a
 * machine shared with others the clock measures them too.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { caption, expandGrammar } from '../src/captions/expand.ts';
import { readGrammar } from '../src/captions/grammar.ts';
import { dualEncoderSpecSchema } from '../src/core/evaluator-spec.ts';
import type { Image } from '../src/core/image.ts';
import { silentLog } from '../src/core/log.ts';
import { Random } from '../src/core/random.ts';
import { createDualEncoder } from '../src/evaluators/dual-encoder.ts';
import type { DualEncoder } from '../src/evaluators/evaluator.ts';
import { findModelFiles } from '../src/evaluators/model-files.ts';
import { outputSize, parsePreprocessing } from '../src/evaluators/preprocess.ts';
import { loadTokenizer } from '../src/evaluators/tokenize.ts';

const root = join(import.meta.dirname, '..');
const never = new AbortController().signal;
/** A quarter of the inputs and two rounds. */
const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 2 : 5;
const NEVER: Time = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY };
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Model {
  readonly name: string;
  readonly folder: string;
  readonly images: number;
  readonly captions: number;
  /** The batch of both sides. */
  readonly batch: number;
}

function models(): Model[] {
  const asked = process.argv.slice(2).filter((name) => name !== '--quick');
  const share = quick ? 0.25 : 1;
  const wanted = (name: string): boolean => asked.length === 0 || asked.includes(name);
  const found: Model[] = [];
  const pocket = join(root, 'models', 'pocket');
  if (wanted('pocket'))
    if (existsSync(join(pocket, 'onnx', 'vision_model.onnx')))
      found.push({ name: 'pocket', folder: pocket, images: 1024 * share, captions: 2048 * share, batch: 32 });
    else print('pocket: models/pocket has no weights yet; left out');
  if (wanted('vit-b-32')) {
    const folder = process.env['PARALLAX_BENCH_MODEL'] ?? join(tmpdir(), 'parallax-bench-vit-b-32');
    try {
      if (!existsSync(join(folder, 'config.json')))
        execFileSync('/usr/bin/python3', [join(import.meta.dirname, 'make_vit_b32.py'), folder], { stdio: 'ignore' });
      found.push({ name: 'vit-b-32', folder, images: 64 * share, captions: 64 * share, batch: 8 });
    } catch {
      print('vit-b-32: left out; making it needs /usr/bin/python3 with torch (Debian: python3-torch)');
    }
  }
  return found;
}

function noise(size: { width: number; height: number }, count: number, seed: number): Image[] {
  const random = new Random(seed, 'bench');
  const length = size.width * size.height * 3;
  // One buffer of noise, read at different offsets: making it must not be what is measured.
  const pool = Uint8Array.from({ length: length + count }, () => random.integer(256));
  return Array.from({ length: count }, (_, at) => ({ key: `${at}`, ...size, data: pool.subarray(at, at + length) }));
}

interface Time {
  /** Seconds on the clock, and of processor time over all threads. */
  readonly wall: number;
  readonly cpu: number;
}

async function timed(work: () => Promise<unknown>): Promise<Time> {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const wall = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1e6 };
}

function better(a: Time, b: Time): Time {
  return { wall: Math.min(a.wall, b.wall), cpu: Math.min(a.cpu, b.cpu) };
}

/** onnxruntime itself, as transformers.js would load it, without anything of ours round it. */
interface Runtime {
  readonly InferenceSession: { create(path: string, options: object): Promise<BareSession> };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => unknown;
}
interface BareSession {
  run(feeds: Record<string, unknown>, outputs: readonly string[]): Promise<unknown>;
  release(): Promise<void>;
}
const here = createRequire(import.meta.url);
const runtime = createRequire(here.resolve('@huggingface/transformers'))('onnxruntime-node') as Runtime;

/** Best times of a bare loop with one thread and with all, and of `ours`, measured in turns. */
async function compare(
  path: string,
  output: string,
  feed: readonly [string, 'float32' | 'int64', Float32Array | BigInt64Array, readonly number[]],
  times: number,
  ours: () => Promise<unknown>,
): Promise<{ bare: Time; ours: Time }> {
  const [name, type, data, dims] = feed;
  const best = { bare: NEVER, ours: NEVER };
  const sessions: BareSession[] = [];
  for (const intraOpNumThreads of [1, availableParallelism()])
    sessions.push(
      await runtime.InferenceSession.create(path, { intraOpNumThreads, interOpNumThreads: 1, logSeverityLevel: 3 }),
    );
  for (let round = 0; round < ROUNDS; round += 1) {
    best.ours = better(best.ours, await timed(ours));
    for (const session of sessions)
      best.bare = better(
        best.bare,
        await timed(async () => {
          for (let run = 0; run < times; run += 1)
            await session.run({ [name]: new runtime.Tensor(type, data, dims) }, [output]);
        }),
      );
  }
  for (const session of sessions) await session.release();
  return best;
}

/** @param bound the goal of 1.10 applies: both sides do the same work. */
function report(what: string, count: number, { bare, ours }: { bare: Time; ours: Time }, bound = true): void {
  const rate = (time: Time): string => (count / time.wall).toFixed(count / time.wall < 100 ? 1 : 0).padStart(6);
  const over = !bound
    ? '  (ours also resizes)'
    : ours.wall / bare.wall > 1.1 && ours.cpu / bare.cpu > 1.1
      ? '  (over 1.10)'
      : '';
  print(
    `  ${what.padEnd(42)} bare ${rate(bare)}/s  ours ${rate(ours)}/s  clock x ${(ours.wall / bare.wall).toFixed(2)}  processor x ${(ours.cpu / bare.cpu).toFixed(2)}${over}`,
  );
}

async function benchModel(model: Model): Promise<void> {
  const { name, folder, batch } = model;
  const spec = dualEncoderSpecSchema.parse({ id: name, kind: 'dual-encoder', model: folder, batch });
  const started = performance.now();
  const encoder = await createDualEncoder(spec, { folder: root, log: silentLog });
  await encoder.embedCaptions(['a chair'], never);
  print(`${name} (batch ${batch}): ready in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const files = await findModelFiles(folder, 'fp32', name);
  const size = outputSize(parsePreprocessing(files.preprocessor, name, false)) as { width: number; height: number };
  const times = Math.ceil(model.images / batch);
  const pixels = Float32Array.from({ length: batch * 3 * size.width * size.height }, (_, at) => Math.sin(at));
  for (const [what, source] of [
    [`images, ${size.width} px (as the model reads them)`, size],
    ['images, 512 px (resized while others run)', { width: 512, height: 512 }],
  ] as const) {
    const images = noise(source, model.images, 7);
    const result = await compare(
      join(folder, 'onnx', 'vision_model.onnx'),
      'image_embeds',
      ['pixel_values', 'float32', pixels, [batch, 3, size.height, size.width]],
      times,
      () => encoder.embedImages(images, never),
    );
    report(what, model.images, result, source === size);
  }
  await benchCaptions(model, encoder, await loadTokenizer(files, name));
  await encoder.close();
}

async function benchCaptions(
  model: Model,
  encoder: DualEncoder,
  tokenizer: { tokenize(text: string): { ids: readonly number[] } },
): Promise<void> {
  const { folder, batch } = model;
  // Every caption another one, all of full length: nothing to share, nothing to skip; new ones each round, nothing remembered.
  let made = 0;
  const texts = (): string[] =>
    Array.from({ length: model.captions }, () => {
      made += 1;
      return `${made} chairs and ${'a red lamp beside the bed '.repeat(20)}`;
    });
  const ids = texts()
    .slice(0, batch)
    .map((text) => tokenizer.tokenize(text).ids);
  const length = ids[0]?.length ?? 0;
  const result = await compare(
    join(folder, 'onnx', 'text_model.onnx'),
    'text_embeds',
    ['input_ids', 'int64', BigInt64Array.from(ids.flat(), BigInt), [batch, length]],
    Math.ceil(model.captions / batch),
    () => encoder.embedCaptions(texts(), never),
  );
  report(`captions of ${length} tokens`, model.captions, result);
}

/** 337 templates x 50 prompts, tokenised and embedded once, from nothing. */
async function captionSide(folder: string): Promise<void> {
  const study = join(root, '..', 'shared', 'corpus', 'prompts', 'study-prompts.csv');
  const known = existsSync(study);
  const prompts = known
    ? (parse(readFileSync(study), { columns: true, bom: true }) as { text: string }[]).map(({ text }) => text)
    : Array.from(
        { length: 50 },
        (_, at) => `room ${at} with ${'a wooden table, two chairs and a plant, '.repeat(40 + at)}`,
      );
  const templates = expandGrammar(readGrammar(join(root, 'grammars', 'reference.yaml')));
  const texts = prompts.flatMap((prompt) => templates.map((template) => caption(template, prompt)));
  const encoder = await createDualEncoder(
    dualEncoderSpecSchema.parse({ id: 'pocket', kind: 'dual-encoder', model: folder }),
    { folder: root, log: silentLog },
  );
  const taken = await timed(async () => {
    for (let start = 0; start < texts.length; start += 512)
      await encoder.embedCaptions(texts.slice(start, start + 512), never);
  });
  await encoder.close();
  print(
    `pocket, ${texts.length} captions (${templates.length} templates x ${prompts.length} ${known ? 'prompts of the study' : 'long prompts'}): ${taken.wall.toFixed(1)} s, ${taken.cpu.toFixed(1)} s of processor time (bound: 20 s)`,
  );
}

const found = models();
print(`${availableParallelism()} cores, best of ${ROUNDS} rounds`);
for (const model of found) await benchModel(model);
const pocket = found.find(({ name }) => name === 'pocket');
if (pocket !== undefined) await captionSide(pocket.folder);
