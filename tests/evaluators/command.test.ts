import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CommandSpec, commandSpecSchema } from '../../src/core/evaluator-spec.ts';
import type { Image } from '../../src/core/image.ts';
import { silentLog } from '../../src/core/log.ts';
import { createCommand } from '../../src/evaluators/command.ts';
import type { ScoreRequest } from '../../src/evaluators/evaluator.ts';
import { evaluatorContract, scoreAll } from './contract.ts';
import { EXPECTED, never, readPicture } from './fixtures.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'command');
const folder = mkdtempSync(join(tmpdir(), 'parallax-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function spec(run: string[], more: Record<string, unknown> = {}): CommandSpec {
  return commandSpecSchema.parse({ id: 'mine', kind: 'command', run, ...more });
}

const pictures = (): Promise<Image[]> => Promise.all(EXPECTED.pictures.map(({ file }) => readPicture(file)));
const context = { folder, log: silentLog };

/** A Node program whose `score(request)` body is given; it may use `fs`, `state` and `say`. */
function program(name: string, body: string, hello: Record<string, unknown> = {}): string {
  const greeting = {
    type: 'hello',
    protocol: 1,
    name: 'planted',
    version: '1',
    scale: { name: 'length', min: 0, max: 1000 },
    reads: { image: false, caption: true, scene: false },
    batch: 4,
    ...hello,
  };
  writeFileSync(
    join(folder, name),
    `const fs = require('node:fs');
const say = (m) => process.stdout.write(JSON.stringify(m) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const m = JSON.parse(line);
  if (m.type === 'hello') say(${JSON.stringify(greeting)});
  if (m.type === 'close') process.exit(0);
  if (m.type === 'score') for (const request of m.requests) { ${body} }
});\n`,
  );
  return name;
}

const LENGTH = `say({ id: request.id, status: 'scored', value: request.caption.length });`;

function requests(captions: string[]): ScoreRequest[] {
  return captions.map((caption) => ({ key: caption, images: [], caption, parameters: {}, repeat: 0 }));
}

async function run(specification: CommandSpec, captions: string[]): Promise<Record<string, unknown>> {
  const evaluator = await createCommand(specification, context);
  try {
    const found: Record<string, unknown> = {};
    for await (const [key, outcome] of evaluator.score(requests(captions), never)) {
      expect(found[key]).toBeUndefined();
      found[key] = outcome;
    }
    return found;
  } finally {
    await evaluator.close();
  }
}

const scored = (value: number): unknown => ({ status: 'scored', value });

evaluatorContract({
  name: 'command (examples/command/python_example.py)',
  open: (batch) => createCommand(spec(['python3', join(EXAMPLES, 'python_example.py')], { batch }), context),
  images: pictures,
  captions: ['a red lamp', 'a blue and green room', 'chairs'],
  others: [
    {
      what: 'another script',
      same: false,
      open: () => createCommand(spec(['node', program('length.cjs', LENGTH)]), context),
    },
    {
      what: 'another time-out',
      same: true,
      open: () => createCommand(spec(['python3', join(EXAMPLES, 'python_example.py')], { timeout: 7 }), context),
    },
  ],
  folder,
  tolerance: 0,
});

describe('command', () => {
  test('the content of a script is in the fingerprint, its place is not', async () => {
    const open = async (name: string) => {
      const evaluator = await createCommand(spec(['node', name]), context);
      await evaluator.close();
      return evaluator.fingerprint;
    };
    const first = await open(program('first.cjs', LENGTH));
    expect(await open(program('moved.cjs', LENGTH))).toEqual(first);
    expect(await open(program('edited.cjs', `/* edited */ ${LENGTH}`))).not.toEqual(first);
  });

  test('a request that ends the program costs one outcome; the others are asked again', async () => {
    const body = `if (request.caption === 'poison') { process.stderr.write('out of memory\\n'); process.exit(9); } ${LENGTH}`;
    expect(await run(spec(['node', program('crash.cjs', body)]), ['a', 'bb', 'poison', 'dddd', 'eeeee'])).toEqual({
      a: scored(1),
      bb: scored(2),
      poison: {
        status: 'failed',
        reason: 'program ended with exit code 9 (out of memory)',
        record: 'out of memory',
      },
      dddd: scored(4),
      eeeee: scored(5),
    });
  });

  test('after the last restart everything left is a failure that says why', async () => {
    const found = await run(spec(['node', program('dies.cjs', 'process.exit(3);')], { restarts: 1 }), [
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(Object.keys(found).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(found['e']).toEqual({
      status: 'failed',
      reason: 'program stopped 2 times, last: program ended with exit code 3',
    });
    expect(Object.values(found).every((outcome) => (outcome as { status: string }).status === 'failed')).toBe(true);
  });

  test('silence beyond the time-out is a failure', async () => {
    const body = `if (request.caption !== 'slow') ${LENGTH}`;
    expect(await run(spec(['node', program('slow.cjs', body)], { timeout: 1 }), ['slow', 'quick'])).toEqual({
      slow: { status: 'failed', reason: 'no answer within 1 s' },
      quick: scored(5),
    });
  });

  test.each([
    ['prints to standard output', `console.log('loading...');`, 'program wrote "loading..." to standard output'],
    ['answers twice', `${LENGTH} ${LENGTH}`, 'program answered request "1"; expected an id that is open, once'],
    ['answers with a string', `say({ id: request.id, status: 'scored', value: '7' });`, 'program answered'],
    [
      'answers NaN',
      `process.stdout.write('{"id":"' + request.id + '","status":"scored","value":NaN}\\n');`,
      'program wrote',
    ],
    [
      'answers a stranger',
      `say({ id: 'x' + request.id, status: 'scored', value: 7 });`,
      'program answered request "x1"',
    ],
    ['adds keys', `say({ id: request.id, status: 'scored', value: 7, score: 7 });`, 'program answered'],
    ['writes an endless line', `process.stdout.write('x'.repeat(5 << 20));`, 'program wrote a line of more than'],
  ])('a program that %s does not get a score', async (_, body, reason) => {
    const found = await run(spec(['node', program('broken.cjs', body, { batch: 1 })], { restarts: 0 }), ['a', 'b']);
    const values = Object.values(found) as { status: string; reason: string; value?: number }[];
    expect(values).toHaveLength(2);
    // A double answer is found when the second arrives: the first was a good one.
    expect(
      values
        .filter(({ status }) => status === 'failed')
        .map((item) => item.reason)
        .join(),
    ).toContain(reason);
  });

  test('failures pass through with their state; a score outside the scale is none', async () => {
    const body = `const c = request.caption;
      if (c === 'high') say({ id: request.id, status: 'scored', value: 1001 });
      else say({ id: request.id, status: c, reason: 'said so', record: 'raw' });`;
    expect(
      await run(spec(['node', program('states.cjs', body)]), ['refused', 'unparseable', 'skipped', 'failed', 'high']),
    ).toEqual({
      refused: { status: 'refused', reason: 'said so', record: 'raw' },
      unparseable: { status: 'unparseable', reason: 'said so', record: 'raw' },
      skipped: { status: 'skipped', reason: 'said so', record: 'raw' },
      failed: { status: 'failed', reason: 'said so', record: 'raw' },
      high: { status: 'failed', reason: 'score 1001 is outside the declared scale 0 to 1000' },
    });
  });

  test('only allowed and named environment variables reach the program', async () => {
    process.env['PARALLAX_TEST_SECRET'] = 'hidden';
    process.env['PARALLAX_TEST_NAMED'] = 'given';
    const body = `say({ id: request.id, status: 'failed', reason: [process.env.PARALLAX_TEST_SECRET, process.env.PARALLAX_TEST_NAMED, typeof process.env.PATH].join() });`;
    try {
      expect(
        await run(spec(['node', program('environment.cjs', body)], { environment: ['PARALLAX_TEST_NAMED'] }), ['a']),
      ).toEqual({ a: { status: 'failed', reason: ',given,string' } });
    } finally {
      delete process.env['PARALLAX_TEST_SECRET'];
      delete process.env['PARALLAX_TEST_NAMED'];
    }
  });

  test('arguments are never read by a shell', async () => {
    const body = `say({ id: request.id, status: 'failed', reason: process.argv.slice(2).join('|') });`;
    const name = program('arguments.cjs', body);
    expect(await run(spec(['node', name, '$HOME', '; touch pwned', '`id`']), ['a'])).toEqual({
      a: { status: 'failed', reason: '$HOME|; touch pwned|`id`' },
    });
    expect(readdirSync(folder)).not.toContain('pwned');
  });

  test('a large message does not deadlock a program that answers while it reads', async () => {
    const captions = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(900)}`);
    const found = await run(spec(['node', program('large.cjs', LENGTH, { batch: 300 })]), captions);
    expect(Object.keys(found)).toHaveLength(300);
    expect(found[captions[299] as string]).toEqual(scored(904));
  });

  test.each([
    [['no-such-program-here'], 'mine: cannot start "no-such-program-here"'],
    [['node', '-e', ';'], 'mine: no greeting from "node -e ;": program ended with exit code 0'],
    [['node', '-e', 'console.log("hi"); setTimeout(() => {}, 9e3)'], 'to standard output'],
    [['node', '-e', `console.log('{"type":"hello","protocol":2}')`], 'mine: invalid greeting at "protocol"'],
  ])('a program that cannot be used is named: %j', async (command, message) => {
    const error = await createCommand(spec(command, { timeout: 5 }), context).then(
      () => undefined,
      (caught: Error) => caught,
    );
    expect(error?.name).toBe('AuditError');
    expect(error?.message).toContain(message);
    expect(error?.message).not.toContain('\n');
  });

  test('temporary pictures are removed and nothing keeps running', async () => {
    const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith('parallax-images-'));
    const before = temporary();
    const marker = `parallax-marker-${process.pid}`;
    const evaluator = await createCommand(spec(['python3', join(EXAMPLES, 'python_example.py'), marker]), context);
    await scoreAll(evaluator, await pictures(), ['a red lamp']);
    const running = () => execFileSync('ps', ['-eo', 'args']).toString().includes(`python_example.py ${marker}`);
    expect(running()).toBe(true);
    await evaluator.close();
    expect(running()).toBe(false);
    expect(temporary()).toEqual(before);
  });
});
