import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import { silentLog } from '../../src/core/log.ts';
import { createDualEncoder } from '../../src/evaluators/dual-encoder.ts';
import { findModelFiles } from '../../src/evaluators/model-files.ts';
import { encoderSpec, MODELS, never } from './fixtures.ts';

const root = mkdtempSync(join(tmpdir(), 'parallax-model-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let copies = 0;
let folder: string;
beforeEach(() => {
  copies += 1;
  folder = join(root, String(copies));
  cpSync(join(MODELS, 'clip'), folder, { recursive: true });
});

const edit = (name: string, change: (json: Record<string, unknown>) => unknown): void =>
  writeFileSync(join(folder, name), JSON.stringify(change(JSON.parse(readFileSync(join(folder, name), 'utf8')))));

/** The one line a user reads, from checking alone (nothing is loaded). */
async function complaint(dtype: 'fp32' | 'fp16' | 'q8' | 'q4' = 'fp32'): Promise<string> {
  return findModelFiles(folder, dtype, 'models/mine').then(
    () => 'no complaint',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

test('a whole checkpoint: family, layout, hashes of what is loaded', async () => {
  const files = await findModelFiles(folder, 'fp32', 'models/mine');
  expect(files).toMatchObject({ family: 'clip', layout: 'towers' });
  expect(files.weights).toEqual(
    ['onnx/text_model.onnx', 'onnx/vision_model.onnx'].map((name) => {
      const bytes = readFileSync(join(folder, name));
      return { name, sha256: sha256(bytes), bytes: bytes.length, dynamic: false, quantised: false };
    }),
  );
  expect(
    (await findModelFiles(folder, 'q8', 'x')).weights.map(({ name, dynamic, quantised }) => [name, dynamic, quantised]),
  ).toEqual([
    ['onnx/text_model_quantized.onnx', true, true],
    ['onnx/vision_model_quantized.onnx', true, true],
  ]);
});

describe('one clear line for', () => {
  test.each(['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json'])(
    'a missing %s',
    async (name) => {
      unlinkSync(join(folder, name));
      expect(await complaint()).toBe(
        `AuditError: models/mine: missing file "${name}"; expected a checkpoint in Hugging Face layout (config.json, preprocessor_config.json, tokenizer.json, tokenizer_config.json, onnx/)`,
      );
    },
  );

  test('one tower missing', async () => {
    unlinkSync(join(folder, 'onnx', 'vision_model.onnx'));
    expect(await complaint()).toBe(
      'AuditError: models/mine: missing file "onnx/vision_model.onnx" for dtype "fp32"; expected text_model and vision_model of one dtype, or model.onnx',
    );
  });

  test('only quantised files under an fp32 request', async () => {
    for (const tower of ['text_model', 'vision_model'])
      for (const suffix of ['', '_fp16']) unlinkSync(join(folder, 'onnx', `${tower}${suffix}.onnx`));
    expect(await complaint()).toBe(
      'AuditError: models/mine: missing fp32 weights "onnx/text_model.onnx" and "onnx/vision_model.onnx" (or "onnx/model.onnx"); only q8 present: expected fp32 files, or "dtype: q8" in the audit file, which is another evaluator',
    );
  });

  test('a dtype that is not there', async () => {
    expect(await complaint('q4')).toContain('missing q4 weights "onnx/text_model_q4.onnx"');
  });

  test('a quantised file under the fp32 name', async () => {
    renameSync(join(folder, 'onnx', 'vision_model_quantized.onnx'), join(folder, 'onnx', 'vision_model.onnx'));
    expect(await complaint()).toBe(
      'AuditError: models/mine/onnx/vision_model.onnx: quantised weights under dtype "fp32"; expected a fp32 file, or "dtype: q8" with the file named *_quantized.onnx',
    );
  });

  test('no weights at all', async () => {
    rmSync(join(folder, 'onnx'), { recursive: true });
    expect(await complaint()).toContain('expected ONNX files in the folder onnx/');
  });

  test('an unknown family', async () => {
    edit('config.json', (config) => ({ ...config, model_type: 'blip-2' }));
    expect(await complaint()).toBe(
      'AuditError: models/mine/config.json: unknown model_type "blip-2"; expected one of clip, metaclip_2, chinese_clip, siglip, siglip2, jina_clip (any other model runs as a command evaluator)',
    );
    edit('config.json', (config) => ({ ...config, model_type: 'toString' }));
    expect(await complaint()).toContain('unknown model_type "toString"');
  });

  test('a file that is not JSON', async () => {
    writeFileSync(join(folder, 'config.json'), 'version https://git-lfs.github.com/spec/v1');
    expect(await complaint()).toContain('AuditError: models/mine/config.json: invalid JSON');
  });

  test('no folder', async () => {
    folder = join(root, 'nowhere');
    expect(await complaint()).toContain('models/mine: missing model folder');
  });
});

describe('refused when it is created', () => {
  const create = async (): Promise<string> => {
    const line = await createDualEncoder(encoderSpec(folder), { folder: '/', log: silentLog }).then(
      async (evaluator) => {
        try {
          await evaluator.embedCaptions(['a chair'], never);
          return 'no complaint';
        } finally {
          await evaluator.close();
        }
      },
      (error: Error) => `${error.name}: ${error.message}`,
    );
    expect(line).not.toContain('\n');
    return line;
  };
  const attempt = (): Promise<string> => create().catch((error: Error) => `${error.name}: ${error.message}`);

  test('the tokenizer of another family, whose ids the model knows', async () => {
    for (const name of ['tokenizer.json', 'tokenizer_config.json'])
      cpSync(join(MODELS, 'siglip', name), join(folder, name));
    expect(await attempt()).toMatch(
      /AuditError: .*tokenizer\.json: \d+ tokens for a model that knows "\d+"; expected the tokenizer of this model/,
    );
    edit('config.json', (config) => ({ ...config, text_config: { max_position_embeddings: 77 } }));
    expect(await attempt()).toMatch(
      /AuditError: .*tokenizer\.json: captions end with token "1"; expected the largest token id \d+, at which a CLIP text tower/,
    );
  });

  test('the tokenizer of another model', async () => {
    for (const name of ['tokenizer.json', 'tokenizer_config.json'])
      cpSync(join(MODELS, 'siglip', name), join(folder, name));
    edit('config.json', (config) => ({ ...config, text_config: { vocab_size: 40, max_position_embeddings: 77 } }));
    expect(await attempt()).toMatch(
      /AuditError: .*tokenizer\.json: token id "\d+" is outside the model's vocabulary of 40; expected the tokenizer of this model/,
    );
  });

  test('a tokenizer that adds no end token', async () => {
    edit('tokenizer.json', (tokenizer) => ({ ...tokenizer, post_processor: null }));
    expect(await attempt()).toContain('no end token is added to a caption');
  });

  test('a tokenizer that cannot be loaded', async () => {
    edit('tokenizer.json', (tokenizer) => ({ ...tokenizer, model: { type: 'Nonsense' } }));
    expect(await attempt()).toContain('tokenizer.json: cannot be loaded');
  });

  test('a damaged graph', async () => {
    writeFileSync(join(folder, 'onnx', 'text_model.onnx'), 'not a graph');
    expect(await attempt()).toContain('onnx/text_model.onnx: cannot be loaded on device "cpu"');
  });

  test('the processor of another model', async () => {
    edit('preprocessor_config.json', (config) => ({
      ...config,
      size: { shortest_edge: 64 },
      crop_size: { height: 64, width: 64 },
    }));
    expect(await attempt()).toMatch(
      /AuditError: .*(gives 64 x 64 pixels but the vision graph reads 32 x 32|a trial run failed)/,
    );
  });

  test('towers of two models', async () => {
    cpSync(join(MODELS, 'siglip', 'onnx', 'vision_model.onnx'), join(folder, 'onnx', 'vision_model.onnx'));
    expect(await attempt()).toContain('no embedding among the outputs "pooler_output"');
  });
});

test('the hash follows the content, not an earlier look', async () => {
  const before = await findModelFiles(folder, 'fp32', 'x');
  appendFileSync(join(folder, 'onnx', 'text_model.onnx'), '\u0000');
  const after = await findModelFiles(folder, 'fp32', 'x');
  expect(after.weights[0]?.sha256).not.toBe(before.weights[0]?.sha256);
  utimesSync(join(folder, 'onnx', 'vision_model.onnx'), 1, 1);
  expect((await findModelFiles(folder, 'fp32', 'x')).weights[1]).toEqual(before.weights[1]);
});
