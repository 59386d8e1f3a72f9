/**
 * npm run bench:render [-- --only rates,heavy,memory] [--no-cycles] [--scenes 500]
 *
 * Chromium beside Cycles on one room of thirty objects: pictures a second, the 44 distinct images of the reference audit, how much of
 * the time is drawing, a room of 250,000 triangles, memory over many scenes. Processor seconds stand beside the clock: on a machine
 * shared with others the clock measures them too.
 */
import { cpus } from 'node:os';
import { LIGHTINGS, type View } from '../src/core/protocol.ts';
import type { FrozenScene } from '../src/core/scene.ts';
import { createBlenderRenderer } from '../src/rendering/blender.ts';
import { createChromiumRenderer } from '../src/rendering/chromium.ts';
import { ChromiumPage } from '../src/rendering/chromium-page.ts';
import { drawRequest } from '../src/rendering/draw-request.ts';
import { findBlender } from '../src/rendering/find-blender.ts';
import type { LoadAnswer } from '../src/rendering/page/protocol.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../src/rendering/renderer.ts';
import { ensurePage } from '../tests/rendering/bundle.ts';
import { processFamily, timed } from './processor-time.ts';
import { furnishedRoom, heavyRoom, smallRoom } from './render-scenes.ts';
import { C0, drawAll, drawReferenceImages } from './render-sets.ts';

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const only = option('--only')?.split(',') ?? ['rates', 'images', 'heavy', 'memory'];
const withCycles = !process.argv.includes('--no-cycles') && findBlender() !== null;
const manyScenes = Number(option('--scenes') ?? 500);
const print = (name: string, value: string, goal = ''): void =>
  void process.stdout.write(`${`${name.padEnd(66)} ${value.padEnd(30)} ${goal}`.trimEnd()}\n`);
const both = ({ wall, cpu }: { wall: number; cpu: number }, count = 1): string =>
  `${(wall / count).toFixed(3)} s (processor ${(cpu / count).toFixed(3)} s)`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

/** 512 px views as the reference audit asks for them: every map from above, every pose under one map. */
const MIX: readonly View[] = [
  ...LIGHTINGS.map((lighting) => ({ ...C0, lighting })),
  ...[16, 24, 35, 85, 100, 200].map((focal) => ({ ...C0, focal })),
  ...[0, 15, 30, 60, 75].map((pitch) => ({ ...C0, pitch })),
  ...[0, 45, 90, 135, 180, 225, 270, 315].map((yaw) => ({ ...C0, pitch: 45, yaw })),
];
const settings = { ...RENDERER_DEFAULTS, timeout: 600 };

/** What the page says it spent on the last scene, from the renderer's own log. */
let spent = { drawing: 0, lighting: 0 };
const log = {
  debug: (message: string) => {
    const found = /: (\{"drawing".*\})$/.exec(message)?.[1];
    if (found !== undefined) spent = JSON.parse(found) as typeof spent;
  },
  info() {},
  warn: (message: string) => void process.stderr.write(`${message}\n`),
};

/** A second browser that draws the same views, nothing sent anywhere: what drawing and reading back alone cost. */
async function barePage(
  scene: FrozenScene,
  views: readonly View[],
): Promise<{ draw(): Promise<unknown>; close(): Promise<void> }> {
  const page = await ChromiumPage.open({ settings, timeout: 600_000, log });
  page.server.offerScene('bare', scene.glb);
  const loaded = (await page.ask(
    `window.parallax.load(${JSON.stringify({ url: 'scene/bare', detail: settings.detail })})`,
  )) as LoadAnswer;
  const named = new Map(views.map((view, index) => [`${index}`, view]));
  const request = { ...drawRequest(scene.scene, named, loaded, settings), discard: true };
  return { draw: () => page.ask(`window.parallax.draw(${JSON.stringify(request)})`), close: () => page.close() };
}

/** The best of some rounds of each piece of work, taken in turns: others on the machine come and go. */
async function best(rounds: number, ...works: (() => Promise<unknown>)[]): Promise<{ wall: number; cpu: number }[]> {
  const found = works.map(() => ({ wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY }));
  for (let round = 0; round < rounds; round += 1)
    for (const [index, work] of works.entries()) {
      const { wall, cpu } = await timed(work);
      const least = found[index]!;
      found[index] = { wall: Math.min(least.wall, wall), cpu: Math.min(least.cpu, cpu) };
    }
  return found;
}

async function rates(chromium: Renderer, scene: FrozenScene): Promise<void> {
  const one = Array.from({ length: 12 }, (_, index) => ({ ...C0, focal: 40 + index }));
  await drawAll(chromium, scene, [C0]);
  const [single] = await best(2, () => drawAll(chromium, scene, one));
  print('chromium: a 512 px picture, 12 of one light', both(single!, 12));
  const page = await barePage(scene, MIX);
  await page.draw();
  const [mix, alone] = await best(3, () => drawAll(chromium, scene, MIX), page.draw).finally(page.close);
  if (mix === undefined || alone === undefined) throw new Error('nothing was measured');
  print(`chromium: a 512 px picture, ${MIX.length} of the audit's lights and poses`, both(mix, MIX.length));
  print('the same pictures in the page alone, nothing sent', both(alone, MIX.length));
  const share = (kind: 'wall' | 'cpu') => (alone[kind] / mix[kind]).toFixed(2);
  print('frames a second, as a share of the bare page', `${share('wall')} (processor ${share('cpu')})`, 'goal: 0.70');
  if (!withCycles) return;
  const blender = await createBlenderRenderer({ ...settings, samples: 64 });
  try {
    await drawAll(blender, scene, [{ ...C0, resolution: 64 }]);
    const views = [C0, { ...C0, pitch: 45, yaw: 45 }];
    const cycles = await timed(() => drawAll(blender, scene, views));
    print('blender, 64 samples: a 512 px picture', both(cycles, views.length));
    const times = (kind: 'wall' | 'cpu') => (cycles[kind] / views.length / (mix[kind] / MIX.length)).toFixed(0);
    print('pictures a second, times those of Cycles', `${times('wall')} (processor ${times('cpu')})`, 'goal: 50');
    print('memory with Blender: node, Blender', family());
  } finally {
    await blender.close();
  }
}

function family(): string {
  const { own, children } = processFamily();
  return `${megabytes(own)}, ${megabytes(children)}`;
}

async function images(chromium: Renderer, scene: FrozenScene): Promise<void> {
  let count = 0;
  // Once without counting: maps are prepared and programs compiled once a run, not once a scene.
  await drawReferenceImages(chromium, scene);
  const time = await timed(async () => {
    count = await drawReferenceImages(chromium, scene);
  });
  print(`the ${count} distinct images of one scene, PNG and backgrounds too`, both(time), 'goal: 20 s, aim 12');
  const share = (spent.drawing + spent.lighting) / 1000 / time.wall;
  print(
    'share of that time spent drawing (and on light)',
    `${share.toFixed(2)} (${(spent.lighting / 1000).toFixed(1)} s light)`,
    'goal: 0.70',
  );
  print('memory: node, browser', family());
}

async function heavy(chromium: Renderer, scene: FrozenScene): Promise<void> {
  const large = await heavyRoom(250_000);
  const time = async (room: FrozenScene) => {
    await drawAll(chromium, room, [C0]);
    return await timed(() => drawReferenceImages(chromium, room));
  };
  const [few, many] = [await time(scene), await time(large)];
  print('the distinct images of the same room with 250,000 triangles', both(many));
  print(
    'times as long',
    `${(many.wall / few.wall).toFixed(2)} (processor ${(many.cpu / few.cpu).toFixed(2)})`,
    'goal: 2',
  );
  print('memory: node, browser', family());
}

async function memory(): Promise<void> {
  const chromium = await createChromiumRenderer(settings, log);
  try {
    let largest = 0;
    for (let number = 1; number <= manyScenes; number += 1) {
      await drawAll(chromium, await smallRoom(number), [{ ...C0, resolution: 64 }]);
      largest = Math.max(largest, processFamily().children);
      if (number === 50 || number === 250 || number === manyScenes)
        print(`after ${number} scenes: node, browser`, family());
    }
    print('browser at its largest', megabytes(largest));
  } finally {
    await chromium.close();
  }
}

await ensurePage();
print(`${cpus().length} processors`, cpus()[0]?.model ?? 'unknown');
const start = await timed(async () => {
  const chromium = await createChromiumRenderer(settings, log);
  await drawAll(chromium, await furnishedRoom(), [{ ...C0, resolution: 64 }]);
  return chromium;
});
print('from nothing to the first picture (browser, page, one map, 64 px)', both(start));
const chromium = start.value;
const room = await furnishedRoom();
try {
  if (only.includes('rates')) await rates(chromium, room);
  if (only.includes('images')) await images(chromium, room);
  if (only.includes('heavy')) await heavy(chromium, room);
} finally {
  await chromium.close();
}
if (only.includes('memory')) await memory();
