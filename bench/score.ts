/**
 * npm run bench:score [-- pocket vit-b-32]
 *
 * Rates of the dual encoders against a bare onnxruntime loop on the same graphs, and the whole caption side of the reference audit.
 * The bare loop runs tensors that are ready in memory, nothing else, in the fastest of three schedules; ours starts from pixels and
 * text. Each figure is the best of several rounds, alternating between the two, because a shared machine only ever slows things down.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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
import { type Feed, openSession } from '../src/evaluators/onnx-session.ts';
import { outputSize, parsePreprocessing } from '../src/evaluators/preprocess.ts';
import { loadTokenizer } from '../src/evaluators/tokenize.ts';

const root = join(import.meta.dirname, '..');
const never = new AbortController().signal;
const ROUNDS = 5;
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
  const asked = process.argv.slice(2);
  const wanted = (name: string): boolean => asked.length === 0 || asked.includes(name);
  const found: Model[] = [];
  const pocket = join(root, 'models', 'pocket');
  if (wanted('pocket'))
    if (existsSync(join(pocket, 'onnx', 'vision_model.onnx')))
      found.push({ name: 'pocket', folder: pocket, images: 1024, captions: 2048, batch: 32 });
    else print('pocket: models/pocket has no weights yet; left out');
  if (wanted('vit-b-32')) {
    const folder = process.env['PARALLAX_BENCH_MODEL'] ?? join(tmpdir(), 'parallax-bench-vit-b-32');
    try {
      if (!existsSync(join(folder, 'config.json')))
        execFileSync('/usr/bin/python3', [join(import.meta.dirname, 'make_vit_b32.py'), folder], { stdio: 'ignore' });
      found.push({ name: 'vit-b-32', folder, images: 64, captions: 64, batch: 8 });
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

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Runs the same feeds `times` times over, at most `lanes` at once. */
async function bareLoop(run: () => Promise<unknown>, times: number, lanes: number): Promise<void> {
  let left = times;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left > 0) {
        left -= 1;
        await run();
      }
    }),
  );
}

/** Best seconds of a bare loop over all schedules, and of `ours`, measured in turns. */
async function compare(
  folder: string,
  graph: string,
  output: string,
  feeds: Record<string, Feed>,
  times: number,
  ours: () => Promise<unknown>,
): Promise<{ bare: number; ours: number }> {
  const cores = availableParallelism();
  const schedules = [
    { threads: cores, lanes: 1 },
    { threads: 1, lanes: 1 },
    { threads: 1, lanes: cores },
  ];
  const best = { bare: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY };
  const sessions = [];
  for (const { threads, lanes } of schedules)
    sessions.push({
      lanes,
      session: await openSession(
        folder,
        { graph, dtype: 'fp32', device: 'cpu', threads, lanes, external: false },
        graph,
      ),
    });
  for (let round = 0; round < ROUNDS; round += 1) {
    best.ours = Math.min(best.ours, await seconds(ours));
    for (const { session, lanes } of sessions)
      best.bare = Math.min(
        best.bare,
        await seconds(() => bareLoop(() => session.run(feeds, [output], never), times, lanes)),
      );
  }
  for (const { session } of sessions) await session.close();
  return best;
}

function report(what: string, count: number, result: { bare: number; ours: number }): void {
  const rate = (time: number): string => (count / time).toFixed(count / time < 100 ? 1 : 0).padStart(7);
  const share = result.ours / result.bare;
  print(
    `  ${what.padEnd(44)} bare ${rate(result.bare)}/s   ours ${rate(result.ours)}/s   time x ${share.toFixed(2)}${share <= 1.1 ? '' : '  (over 1.10)'}`,
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
  const pixels: Feed = {
    data: Float32Array.from({ length: batch * 3 * size.width * size.height }, (_, at) => Math.sin(at)),
    dims: [batch, 3, size.height, size.width],
  };
  for (const [what, source] of [
    [`images, ${size.width} px (as the model reads them)`, size],
    ['images, 512 px (resized while others run)', { width: 512, height: 512 }],
  ] as const) {
    const images = noise(source, model.images, 7);
    const result = await compare(folder, 'vision_model', 'image_embeds', { pixel_values: pixels }, times, () =>
      encoder.embedImages(images, never),
    );
    report(what, model.images, result);
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
  // Every caption another one, all of full length: nothing to share, nothing to skip.
  const texts = Array.from(
    { length: model.captions },
    (_, at) => `${at} chairs and ${'a red lamp beside the bed '.repeat(20)}`,
  );
  const ids = texts.slice(0, batch).map((text) => tokenizer.tokenize(text).ids);
  const length = ids[0]?.length ?? 0;
  const feed: Feed = { data: BigInt64Array.from(ids.flat(), BigInt), dims: [batch, length] };
  const result = await compare(
    folder,
    'text_model',
    'text_embeds',
    { input_ids: feed },
    Math.ceil(model.captions / batch),
    () => encoder.embedCaptions(texts, never),
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
  const taken = await seconds(async () => {
    for (let start = 0; start < texts.length; start += 512)
      await encoder.embedCaptions(texts.slice(start, start + 512), never);
  });
  await encoder.close();
  print(
    `pocket, ${texts.length} captions (${templates.length} templates x ${prompts.length} ${known ? 'prompts of the study' : 'long prompts'}): ${taken.toFixed(1)} s (bound: 20 s)`,
  );
}

const found = models();
print(`${availableParallelism()} cores, best of ${ROUNDS} rounds`);
for (const model of found) await benchModel(model);
const pocket = found.find(({ name }) => name === 'pocket');
if (pocket !== undefined) await captionSide(pocket.folder);
