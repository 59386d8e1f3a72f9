import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dualEncoderSpecSchema } from '../../src/core/evaluator-spec.ts';
import { silentLog } from '../../src/core/log.ts';
import { createDualEncoder } from '../../src/evaluators/dual-encoder.ts';

test('a SigLIP without its learned bias is refused on the sigmoid scale, never scored with bias 0', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parallax-siglip-'));
  try {
    cpSync(join(import.meta.dirname, '../fixtures/models/siglip'), join(folder, 'siglip'), { recursive: true });
    const file = join(folder, 'siglip', 'config.json');
    const { logit_bias: _, ...config } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify({ ...config, logit_scale: 2.5 }));
    const spec = dualEncoderSpecSchema.parse({ id: 's', kind: 'dual-encoder', model: './siglip', scale: 'sigmoid' });
    await expect(
      createDualEncoder(spec, { folder, log: silentLog }).then(async (encoder) => {
        try {
          await encoder.embedCaptions(['a chair'], new AbortController().signal);
        } finally {
          await encoder.close();
        }
      }),
    ).rejects.toThrow('missing "logit_bias"');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
