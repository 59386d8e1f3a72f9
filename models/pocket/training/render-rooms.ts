import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { Random } from '../../../src/core/random.ts';
import { composite, type FloorTexture } from '../../../src/rendering/composite.ts';
import { frameBox, hidesWall } from '../../../src/rendering/framing.ts';
import { solveLight } from '../../../src/rendering/light/light-volume.ts';
import { SWEEP_DIRECTIONS } from '../../../src/rendering/light/prepare-light.ts';
import { seeSky, type Visibility } from '../../../src/rendering/light/see-sky.ts';
import {
  type Lattice,
  latticeFor,
  type Matter,
  type Occluder,
  spreadMatter,
} from '../../../src/rendering/light/voxel-grid.ts';
import { categoryEntry } from '../../../src/scenes/kit/categories.ts';
import { floorTexture } from '../../../src/scenes/surfaces.ts';
import { CATEGORIES, type Looks } from './categories.ts';
import { type Drawing, drawAll, lightOf } from './drawing-server.ts';
import { EDITS, type Edit, editRoom } from './edit-room.ts';
import { boxOf, type MergedRoom, mergeRoom, PieceCache, type RoomBox } from './merged-room.ts';
import { FINAL_SIZE, packJob } from './page/job.ts';
import type { RoomPlan } from './room-plan.ts';
import { sampleRoom } from './sample-room.ts';
import { DEFAULT_VIEW, sampleView, type TrainingView } from './sample-view.ts';

/** Cells of the light lattices, direct and bounced: few, since a picture has 96 pixels. The renderer itself uses more. */
const FINE_CELLS = 7000;
const COARSE_CELLS = 1500;
/** Looks of each category: few enough to be built once, and apart from those of held-out rooms. */
const TRAINING_LOOKS: Looks = { from: 0, count: 80 };
const HELD_OUT_LOOKS: Looks = { from: 1000, count: 80 };
/** Training edits and how often they are drawn. */
const TRAINING_EDITS: readonly Edit[] = [
  'removed',
  'removed',
  'removed',
  'removed',
  'replaced',
  'replaced',
  'replaced',
  'added',
  'added',
  'thinned',
];

interface Row {
  readonly scene: number;
  readonly edit: Edit | 'original';
  readonly group: number;
  readonly room: string;
  readonly objects: { readonly category: string; readonly pixels: number }[];
  readonly named: readonly string[];
  readonly view: TrainingView;
}

const floors = new Map<string, Promise<FloorTexture>>();

function floorPixels(plan: RoomPlan): Promise<FloorTexture> {
  const key = `${plan.floor.kind}/${plan.floor.variant}`;
  let known = floors.get(key);
  if (known === undefined) {
    known = floorTexture(plan.floor.kind, plan.floor.variant).then(async (png) => {
      const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      return { width: info.width, height: info.height, data };
    });
    floors.set(key, known);
  }
  return known;
}

/** Triangles of some sections as the light solver takes them. */
function occluderOf(merged: MergedRoom, names: readonly string[]): Occluder {
  const sections = merged.sections.filter(({ name }) => names.includes(name));
  const triangles = sections.reduce((sum, { count }) => sum + count / 3, 0);
  const occluder = {
    positions: new Float32Array(9 * triangles),
    albedo: new Float32Array(3 * triangles),
    opacity: new Float32Array(triangles).fill(1),
  };
  let at = 0;
  for (const { name, start, count } of sections)
    for (let index = start; index < start + count; index += 3, at += 1) {
      for (let corner = 0; corner < 3; corner += 1) {
        const vertex = 3 * merged.indices[index + corner]!;
        for (let axis = 0; axis < 3; axis += 1)
          occluder.positions[9 * at + 3 * corner + axis] = merged.positions[vertex + axis]!;
      }
      const vertex = 3 * merged.indices[index]!;
      // A textured floor bounces a middling brown: its own mean would need its pixels.
      const brown = name === 'floor' && merged.texture !== null;
      occluder.albedo.set(brown ? [0.35, 0.27, 0.2] : merged.tints.subarray(vertex, vertex + 3), 3 * at);
    }
  return occluder;
}

/** A view of a room whose shell (floor and drawn walls) is spread over the light lattice once for all its twins. */
interface Shot {
  readonly view: TrainingView;
  readonly frame: RoomBox;
  readonly hidden: readonly string[];
  readonly fine: Spread;
  readonly coarse: Spread;
}

/** A light lattice and what of the shell lies in it. */
interface Spread {
  readonly lattice: Lattice;
  readonly shell: Matter;
}

function shotOf(plan: RoomPlan, merged: MergedRoom, frame: RoomBox, view: TrainingView): Shot {
  const hidden = plan.room.walls.filter((wall) => hidesWall(wall, view, 0.15)).map((wall) => `wall:${wall.id}`);
  const shown = merged.sections
    .map(({ name }) => name)
    .filter((name) => name !== 'furniture' && !hidden.includes(name));
  const occluders = [occluderOf(merged, shown)];
  const spread = (cells: number): Spread => {
    const lattice = latticeFor(frame, cells, 0.05);
    return { lattice, shell: spreadMatter(lattice, occluders) };
  };
  return { view, frame, hidden, fine: spread(FINE_CELLS), coarse: spread(COARSE_CELLS) };
}

/** Job of one room or twin in a shot, light solved here. */
async function jobOf(merged: MergedRoom, shot: Shot): Promise<Uint8Array> {
  const { view, frame, hidden, fine, coarse } = shot;
  const furniture = [occluderOf(merged, ['furniture'])];
  const see = ({ lattice, shell }: Spread): Visibility =>
    seeSky(lattice, [spreadMatter(lattice, furniture), shell], SWEEP_DIRECTIONS);
  const volume = solveLight(see(fine), see(coarse), await lightOf(view.lighting), 1);
  return packJob(
    {
      sections: merged.sections,
      hidden,
      texture: merged.texture,
      lighting: view.lighting,
      exposure: 2 ** view.exposure,
      camera: frameBox(frame, view, view.margin),
      box: boxOf(merged.positions),
      lattice: fine.lattice,
      resolution: view.resolution,
    },
    [
      merged.positions,
      merged.normals,
      merged.tints,
      merged.surfaces,
      merged.uvs,
      merged.ids,
      merged.indices,
      volume.data,
    ],
  );
}

/** RGB of the final size: composited, then averaged down when drawn larger. */
function finish(rgba: Uint8Array, view: TrainingView, floor: FloorTexture): Uint8Array {
  const side = view.resolution;
  const rgb = composite({ width: side, height: side, data: rgba }, view.background, floor);
  if (side === FINAL_SIZE) return rgb;
  const scale = side / FINAL_SIZE;
  const out = new Uint8Array(3 * FINAL_SIZE * FINAL_SIZE);
  for (let y = 0; y < FINAL_SIZE; y += 1)
    for (let x = 0; x < FINAL_SIZE; x += 1)
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let dy = 0; dy < scale; dy += 1)
          for (let dx = 0; dx < scale; dx += 1) sum += rgb[3 * ((scale * y + dy) * side + scale * x + dx) + channel]!;
        out[3 * (y * FINAL_SIZE + x) + channel] = Math.round(sum / (scale * scale));
      }
  return out;
}

/** Collects pictures in order and writes whole shards. */
class Shards {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #size: number;
  #rgb: Uint8Array[] = [];
  #ids: Uint8Array[] = [];
  #rows: Row[] = [];
  #written = 0;
  count = 0;

  constructor(folder: string, prefix: string, size: number) {
    [this.#folder, this.#prefix, this.#size] = [folder, prefix, size];
  }

  add(row: Row, rgb: Uint8Array, ids: Uint8Array, last: boolean): void {
    this.#rows.push(row);
    this.#rgb.push(rgb);
    this.#ids.push(ids);
    this.count += 1;
    if (last && this.#rows.length >= this.#size) this.flush();
  }

  flush(): void {
    if (this.#rows.length === 0) return;
    const stem = join(this.#folder, `${this.#prefix}-${String(this.#written).padStart(4, '0')}`);
    writeFileSync(`${stem}.rgb`, Buffer.concat(this.#rgb));
    writeFileSync(`${stem}.ids`, Buffer.concat(this.#ids));
    // Written last: its presence says that the shard is whole.
    writeFileSync(`${stem}.jsonl`, `${this.#rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
    this.#written += 1;
    [this.#rgb, this.#ids, this.#rows] = [[], [], []];
  }
}

interface Options {
  readonly seed: number;
  readonly stream: string;
  readonly rooms: number;
  readonly from: number;
  readonly views: number;
  readonly heldOut: boolean;
}

async function* drawings(options: Options, shards: Shards): AsyncGenerator<Drawing> {
  let group = 0;
  const looks = options.heldOut ? HELD_OUT_LOOKS : TRAINING_LOOKS;
  const cache = new PieceCache();
  for (let scene = options.from; scene < options.from + options.rooms; scene += 1) {
    const random = new Random(options.seed, 'pocket', options.stream, scene);
    const plan = sampleRoom(CATEGORIES, looks, random.derive('room'));
    if (plan.pieces.length === 0) continue;
    const original = await mergeRoom(plan, cache);
    const frame = boxOf(original.positions);
    for (let number = 0; number < options.views; number += 1) {
      const stream = random.derive('view', number);
      const view = options.heldOut && scene % 2 === 0 ? DEFAULT_VIEW : sampleView(stream);
      const twins: { edit: Edit | 'original'; plan: RoomPlan; named: readonly string[] }[] = [
        { edit: 'original', plan, named: [] },
      ];
      if (options.heldOut) {
        for (const edit of EDITS) {
          const edited = editRoom(plan, edit, CATEGORIES, looks, random.derive('edit', edit));
          if (edited !== null) twins.push({ edit, ...edited });
        }
      } else {
        for (let attempt = 0; twins.length < 2 && attempt < 10; attempt += 1) {
          const edit = stream.pick(TRAINING_EDITS);
          const edited = editRoom(plan, edit, CATEGORIES, looks, stream);
          if (edited !== null) twins.push({ edit, ...edited });
        }
      }
      if (twins.length < 2) continue;
      const shot = shotOf(plan, original, frame, view);
      const own = group;
      group += 1;
      for (const [index, twin] of twins.entries()) {
        const merged = index === 0 ? original : await mergeRoom(twin.plan, cache);
        const body = await jobOf(merged, shot);
        const floor = await floorPixels(twin.plan);
        const done = (picture: Uint8Array): void => {
          const pixels = 4 * view.resolution * view.resolution;
          const marks = picture.subarray(pixels);
          const seen = new Uint32Array(twin.plan.pieces.length);
          const ids = new Uint8Array(marks.length);
          for (let at = 0; at < marks.length; at += 1) {
            const mark = marks[at]!;
            const piece = twin.plan.pieces[mark - 3];
            if (piece !== undefined) seen[mark - 3]! += 1;
            ids[at] = piece === undefined ? mark : 3 + CATEGORIES.indexOf(piece.category);
          }
          const objects = twin.plan.pieces.map((piece, k) => ({ category: piece.category, pixels: seen[k]! }));
          const row: Row = {
            scene,
            edit: twin.edit,
            group: own,
            room: plan.room.type,
            objects,
            named: twin.named,
            view,
          };
          shards.add(row, finish(picture.subarray(0, pixels), view, floor), ids, index === twins.length - 1);
        };
        yield { body, done };
      }
    }
  }
}

/**
 * Renders training rooms: node run.mjs render-rooms.ts --out FOLDER --seed N --stream NAME --rooms N [--from N] [--views N]
 * [--held-out]. Rooms of a stream are numbered; streams never share a room.
 */
export async function main(commandLine: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...commandLine],
    options: {
      out: { type: 'string' },
      seed: { type: 'string' },
      stream: { type: 'string' },
      rooms: { type: 'string' },
      from: { type: 'string', default: '0' },
      views: { type: 'string', default: '2' },
      'held-out': { type: 'boolean', default: false },
    },
  });
  const { out, seed, stream, rooms } = values;
  if (out === undefined || seed === undefined || stream === undefined || rooms === undefined)
    throw new Error(
      'usage: render-rooms.ts --out FOLDER --seed N --stream NAME --rooms N [--from N] [--views N] [--held-out]',
    );
  mkdirSync(out, { recursive: true });
  const prefix = `${stream}-${values.from}`;
  if (readdirSync(out).some((name) => name.startsWith(`${prefix}-`)))
    throw new Error(`${out}: already holds ${prefix}`);
  writeFileSync(
    join(out, `${prefix}.catalogue.json`),
    JSON.stringify({
      categories: CATEGORIES,
      names: Object.fromEntries(
        CATEGORIES.map((category) => [category, [categoryEntry(category).label, ...categoryEntry(category).synonyms]]),
      ),
    }),
  );
  const shards = new Shards(out, prefix, 500);
  const options: Options = {
    seed: Number(seed),
    stream,
    rooms: Number(rooms),
    from: Number(values.from),
    views: Number(values.views),
    heldOut: values['held-out'],
  };
  const started = performance.now();
  const timer = setInterval(() => {
    const seconds = (performance.now() - started) / 1000;
    process.stderr.write(`${shards.count} pictures, ${(shards.count / seconds).toFixed(1)} a second\n`);
  }, 10_000);
  try {
    const { meanMilliseconds } = await drawAll(drawings(options, shards));
    process.stderr.write(`${meanMilliseconds.toFixed(1)} ms a picture in the page\n`);
  } finally {
    clearInterval(timer);
    shards.flush();
  }
  process.stderr.write(`${shards.count} pictures in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
}
