import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandSpecSchema } from '../../src/core/evaluator-spec.ts';
import { silentLog } from '../../src/core/log.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { createCommand } from '../../src/evaluators/command.ts';
import { never } from './fixtures.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'command');
const folder = mkdtempSync(join(tmpdir(), 'parallax-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.py')))('%s is Python 3', (name) => {
  execFileSync('python3', ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', join(EXAMPLES, name)]);
});

test('parallax_evaluator.serve: batches, failures, NaN and printing libraries', async () => {
  writeFileSync(
    join(folder, 'metric.py'),
    `import sys
sys.path.insert(0, ${JSON.stringify(EXAMPLES)})
from parallax_evaluator import Remembered, serve
known, calls = Remembered(limit=3), []
def score(requests):
    print("a library prints this")
    if any(r["caption"] == "bad" for r in requests):
        raise ValueError("no such caption")
    def compute(texts):
        calls.extend(texts)
        return [len(t) for t in texts]
    lengths = known.get([r["caption"] for r in requests], compute)
    return [float("nan") if r["caption"] == "nan" else n + r["parameters"].get("add", 0) for r, n in zip(requests, lengths)]
serve(name="lengths", version="2", scale=("length", 0, 100), score=score, batch=3, reads=("caption",), fingerprint={"k": 1}, role="quality")
`,
  );
  const evaluator = await createCommand(
    commandSpecSchema.parse({ id: 'lengths', kind: 'command', run: ['python3', 'metric.py'], restarts: 0 }),
    { folder, log: silentLog },
  );
  expect(evaluator).toMatchObject({
    role: 'quality',
    batch: 3,
    scale: { name: 'length', min: 0, max: 100 },
    reads: { image: false, caption: true, scene: false },
    fingerprint: { name: 'lengths', version: '2', declared: { k: 1 } },
  });
  const captions = ['a', 'bb', 'bad', 'dddd', 'nan', 'bb', 'ffffff', 'ggggggg'];
  const found: [string, Outcome][] = [];
  for await (const [key, outcome] of evaluator.score(
    captions.map((caption, at) => ({
      key: `${at} ${caption}`,
      images: [],
      caption,
      parameters: { add: 1 },
      repeat: 0,
    })),
    never,
  ))
    found.push([key, outcome]);
  await evaluator.close();
  const scored = (value: number): Outcome => ({ status: 'scored', value });
  expect(Object.fromEntries(found)).toEqual({
    '0 a': scored(2),
    '1 bb': scored(3),
    '2 bad': { status: 'failed', reason: 'ValueError: no such caption' },
    '3 dddd': scored(5),
    '4 nan': { status: 'failed', reason: expect.stringContaining('ValueError') },
    '5 bb': scored(3),
    '6 ffffff': scored(7),
    '7 ggggggg': scored(8),
  });
});
