/**
 * npm run gallery [-- --without-cycles]
 *
 * Into gallery/: one contact sheet a render factor (every level of the reference audit, a row a room) for three rooms, and, where
 * Blender is installed, Cycles beside Chromium under all eight maps with the difference of each view, as a sheet a room, a table on
 * stdout and differences.csv. Cycles draws 256 px at 64 samples without denoiser (a 512 px picture costs four times as much; the blur
 * of the difference scales with the picture); its pictures are kept in gallery/kept, so that a second run draws only ours.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrozenScene } from '../src/core/scene.ts';
import { createBlenderRenderer } from '../src/rendering/blender.ts';
import { createChromiumRenderer } from '../src/rendering/chromium.ts';
import { contactSheet, type Tile } from '../src/rendering/contact-sheet.ts';
import { findBlender } from '../src/rendering/find-blender.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../src/rendering/renderer.ts';
import { ensurePage } from '../tests/rendering/bundle.ts';
import { frozen, SAMPLE_ROOMS } from '../tests/rendering/sample-rooms.ts';
import { brightnessOrder, type ComparedView, compareWithCycles } from './gallery-cycles.ts';
import { factorSheet, levelTiles, referenceLevels } from './gallery-factors.ts';

const CYCLES_RESOLUTION = 256;
const CYCLES_SAMPLES = 64;
/** Largest difference to Cycles that passes, of 255. */
const TARGETS = [
  [45, 6],
  [90, 10],
] as const;

const out = join(import.meta.dirname, '..', 'gallery');
const begun = performance.now();
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;

function write(name: string, data: Uint8Array | string): void {
  writeFileSync(join(out, name), data);
  print(`gallery/${name}`);
}

async function drawFactors(chromium: Renderer, rooms: ReadonlyMap<string, FrozenScene>): Promise<readonly string[]> {
  const levels = referenceLevels();
  const rows = new Map<string, (readonly Tile[])[]>();
  const failures: string[] = [];
  for (const [room, scene] of rooms) {
    const since = performance.now();
    const { tiles, drawn, failed } = await levelTiles(chromium, scene, room, levels);
    failures.push(...failed);
    print(`${room}: ${levels.length} levels, ${drawn} distinct renders, ${seconds(since)}`);
    for (const factor of new Set(levels.map((level) => level.factor)))
      rows.set(factor, [...(rows.get(factor) ?? []), tiles.filter((_, index) => levels[index]?.factor === factor)]);
  }
  for (const [factor, tiles] of rows) write(`${factor}.png`, await factorSheet(factor, tiles));
  return failures;
}

async function drawCycles(
  chromium: Renderer,
  cycles: Renderer,
  rooms: ReadonlyMap<string, FrozenScene>,
): Promise<boolean> {
  print(
    `\nCycles at ${CYCLES_RESOLUTION} px and ${CYCLES_SAMPLES} samples, no denoiser; the difference is the mean over all channels and pixels, ` +
      'both blurred (sigma 2 at 512 px, in proportion), background included:',
  );
  const views: ComparedView[] = [];
  for (const [room, scene] of rooms) {
    const since = performance.now();
    const compared = await compareWithCycles(chromium, cycles, scene, room, CYCLES_RESOLUTION, join(out, 'kept'));
    views.push(...compared.views);
    print(`${room}: ${compared.views.length} views in both renderers, ${seconds(since)}`);
    write(
      `cycles-${room}.png`,
      await contactSheet(compared.tiles, {
        title: `${room}: Cycles, ${CYCLES_SAMPLES} samples, beside Chromium`,
        columns: 6,
      }),
    );
  }
  print(`\n${'room'.padEnd(10)}${'map'.padEnd(11)}${'pitch 45 (bias)'.padStart(18)}${'top-down (bias)'.padStart(18)}`);
  for (const view of views.filter(({ pitch }) => pitch === 45)) {
    const above = views.find(
      ({ room, lighting, pitch }) => room === view.room && lighting === view.lighting && pitch === 90,
    );
    const cell = (found?: ComparedView) =>
      found === undefined
        ? '-'
        : `${found.difference.toFixed(1)} (${found.bias > 0 ? '+' : ''}${found.bias.toFixed(1)})`;
    print(`${view.room.padEnd(10)}${view.lighting.padEnd(11)}${cell(view).padStart(18)}${cell(above).padStart(18)}`);
  }
  let passed = views.length === 16 * rooms.size;
  for (const [pitch, limit] of TARGETS) {
    const found = views.filter((view) => view.pitch === pitch).map(({ difference }) => difference);
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    const most = Math.max(...found);
    passed &&= most <= limit;
    print(
      `pitch ${pitch}: mean ${mean.toFixed(2)}, largest ${most.toFixed(2)} of 255 over ${found.length} views; at most ${limit}: ${most <= limit ? 'yes' : 'NO'}`,
    );
  }
  for (const [pitch] of TARGETS) {
    const order = brightnessOrder(views, pitch);
    const same = order.chromium.join() === order.cycles.join();
    passed &&= same;
    print(
      `pitch ${pitch}, maps from dark to bright: ${order.cycles.join(' ')}${same ? ' (both)' : `, Chromium ${order.chromium.join(' ')}`}`,
    );
  }
  const columns = ['room', 'lighting', 'pitch', 'difference', 'bias', 'chromium', 'cycles'] as const;
  write(
    'differences.csv',
    `${[columns.join(), ...views.map((view) => columns.map((column) => view[column]).join())].join('\n')}\n`,
  );
  return passed;
}

mkdirSync(out, { recursive: true });
await ensurePage();
const rooms = new Map<string, FrozenScene>();
for (const [name, make] of Object.entries(SAMPLE_ROOMS)) rooms.set(name, await frozen(await make()));
const chromium = await createChromiumRenderer(RENDERER_DEFAULTS);
const wanted = !process.argv.includes('--without-cycles');
const cycles =
  wanted && findBlender() !== null
    ? await createBlenderRenderer({ ...RENDERER_DEFAULTS, samples: CYCLES_SAMPLES })
    : null;
try {
  const failures = await drawFactors(chromium, rooms);
  for (const failure of failures) print(`FAILED ${failure}`);
  let passed = failures.length === 0;
  if (cycles !== null) passed = (await drawCycles(chromium, cycles, rooms)) && passed;
  else if (wanted) print('no Blender on PATH: nothing is compared with Cycles');
  print(`\n${passed ? 'passed' : 'NOT passed'}, ${seconds(begun)}`);
  if (!passed) process.exitCode = 1;
} finally {
  await chromium.close();
  await cycles?.close();
}
