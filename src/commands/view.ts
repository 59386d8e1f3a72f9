import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { AuditError, quoted } from '../core/errors.ts';
import { type Failure, isFailure } from '../core/outcome.ts';
import { relativePath } from '../core/paths.ts';
import { LIGHTINGS, RENDER_FACTORS, type View } from '../core/protocol.ts';
import { Random } from '../core/random.ts';
import type { FrozenScene } from '../core/scene.ts';
import { temporaryFolder } from '../core/temporary-folder.ts';
import { writeWhole } from '../core/write-file.ts';
import { PROBES } from '../probes/find-probe.ts';
import { freezeProbe } from '../probes/freeze-probe.ts';
import { createChromiumRenderer } from '../rendering/chromium.ts';
import { composite } from '../rendering/composite.ts';
import { contactSheet, type Tile } from '../rendering/contact-sheet.ts';
import { readFloorTexture } from '../rendering/floor-texture.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../rendering/renderer.ts';
import { findScenes, readScene } from '../scenes/read-scene.ts';
import type { CommandContext } from './context.ts';
import { oneOf, wholeNumber } from './options.ts';

interface ViewFlags {
  readonly factor?: (typeof RENDER_FACTORS)[number];
  readonly probes?: boolean;
  readonly seed: number;
  readonly resolution: number;
  readonly detail: 'full' | 'quick';
  readonly out?: string;
}

/** Levels shown for each render factor: those of the reference audit. */
const LEVELS: Record<(typeof RENDER_FACTORS)[number], readonly string[]> = {
  resolution: ['196', '224', '256', '336', '384', '448', '512', '768', '1024'],
  focal: ['16', '24', '35', '50', '85', '100', '200'],
  lighting: LIGHTINGS,
  background: ['grey-0', 'grey-65', 'grey-128', 'grey-186', 'grey-204', 'grey-255', 'red', 'green', 'blue', 'floor'],
  pitch: ['0', '15', '30', '45', '60', '75', '90'],
  yaw: ['0', '45', '90', '135', '180', '225', '270', '315'],
};

/** `parallax view`: what an evaluator will see of a scene, before anything is spent. */
export function registerView(program: Command, context: CommandContext): void {
  program
    .command('view')
    .description('draw a contact sheet of a frozen scene: some poses, every level of a factor, or its probes')
    .argument('<scene>', 'folder of a frozen scene (or one that holds exactly one)')
    .option('--factor <name>', `every level of ${RENDER_FACTORS.join(', ')}`, oneOf(...RENDER_FACTORS))
    .option('--probes', 'the scene and each of its probes')
    .option('--seed <n>', 'seed of the probes', wholeNumber(0), 7)
    .option('--resolution <px>', 'pixels of a picture', wholeNumber(16), 384)
    .option('--detail <level>', 'full or quick light', oneOf('full', 'quick'), 'full')
    .option('--out <file>', 'PNG to write (default: view-<scene>.png)')
    .action(async (folder: string, flags: ViewFlags) => {
      const scene = await readScene(await sceneFolder(folder));
      const renderer = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: flags.detail }, context.log);
      const temporary = await temporaryFolder('parallax-view');
      try {
        const tiles = await tilesOf(scene, flags, renderer, temporary.path, context.signal);
        const what = flags.probes === true ? 'probes' : (flags.factor ?? 'poses');
        const { generator, prompt } = scene.scene;
        const target = resolve(flags.out ?? `view-${basename(scene.folder)}-${what}.png`);
        writeWhole(target, await contactSheet(tiles, { title: `${generator} / ${prompt}: ${what}` }));
        context.print(relativePath(target));
        for (const { label, picture } of tiles)
          if (isFailure(picture)) context.print(`${label}: ${picture.status} (${picture.reason})`);
      } finally {
        await renderer.close();
        await temporary.remove();
      }
    });
}

async function sceneFolder(folder: string): Promise<string> {
  const found = await findScenes(resolve(folder));
  if (found.length !== 1)
    throw new AuditError(`${quoted(folder)}: ${found.length} frozen scenes; expected the folder of one`, {
      code: 'MISSING_FILE',
    });
  return found[0] as string;
}

async function tilesOf(
  scene: FrozenScene,
  flags: ViewFlags,
  renderer: Renderer,
  folder: string,
  signal: AbortSignal,
): Promise<Tile[]> {
  const c0 = { resolution: flags.resolution, focal: 50, lighting: 'city', pitch: 90, yaw: 0 };
  if (flags.probes === true) return await probeTiles(scene, flags, renderer, c0, folder, signal);
  const floor = await readFloorTexture(scene);
  const asked: { label: string; view: View; background: string }[] =
    flags.factor === undefined
      ? [
          { label: 'pitch 90', view: c0, background: 'grey-255' },
          ...[0, 90, 180, 270].map((yaw) => ({
            label: `pitch 45, yaw ${yaw}`,
            view: { ...c0, pitch: 45, yaw },
            background: 'grey-255',
          })),
          { label: 'pitch 15', view: { ...c0, pitch: 15 }, background: 'grey-255' },
        ]
      : LEVELS[flags.factor].map((level) => ({
          label: `${flags.factor} ${level}`,
          view:
            flags.factor === 'background'
              ? c0
              : {
                  ...c0,
                  ...(flags.factor === 'yaw' ? { pitch: 45 } : {}),
                  [flags.factor as string]: flags.factor === 'lighting' ? level : Number(level),
                },
          background: flags.factor === 'background' ? level : 'grey-255',
        }));
  const drawn = await draw(
    renderer,
    scene,
    asked.map(({ view }) => view),
    signal,
  );
  return asked.map(({ label, view, background }) => {
    const picture = drawn.get(JSON.stringify(view)) ?? { status: 'failed', reason: 'no picture' };
    if (isFailure(picture)) return { label, picture };
    if (background === 'floor' && floor === null)
      return { label, picture: { status: 'failed', reason: 'no floor texture' } };
    return { label, picture: { ...picture, data: composite(picture, background, floor) } };
  });
}

async function draw(renderer: Renderer, scene: FrozenScene, views: readonly View[], signal: AbortSignal) {
  const distinct = new Map(views.map((view) => [JSON.stringify(view), view]));
  const pictures = new Map<string, { width: number; height: number; data: Uint8Array } | Failure>();
  for await (const [view, picture] of renderer.render(scene, [...distinct.values()], signal))
    pictures.set(JSON.stringify(view), picture);
  return pictures;
}

async function probeTiles(
  scene: FrozenScene,
  flags: ViewFlags,
  renderer: Renderer,
  view: View,
  folder: string,
  signal: AbortSignal,
): Promise<Tile[]> {
  const tiles: Tile[] = [];
  const add = async (label: string, which: FrozenScene) => {
    const picture = [...(await draw(renderer, which, [view], signal)).values()][0] ?? {
      status: 'failed',
      reason: 'no picture',
    };
    tiles.push({
      label,
      picture: isFailure(picture) ? picture : { ...picture, data: composite(picture, 'grey-255', null) },
    });
  };
  await add('original', scene);
  for (const probe of PROBES) {
    if (probe.kind !== 'scene') continue;
    const random = new Random(flags.seed, 'probe', probe.stream ?? probe.name, scene.scene.hash, 0);
    const edit = await probe.edit(scene, random, { prompts: [scene.scene.prompt] });
    if (isFailure(edit)) {
      tiles.push({ label: probe.name, picture: edit });
      continue;
    }
    const target = join(folder, probe.name);
    await freezeProbe(scene, probe, edit, { seed: flags.seed, repeat: 0 }, target);
    await add(probe.name, await readScene(target));
  }
  return tiles;
}
