import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Matrix4 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Point, Room } from '../core/scene.ts';
import { documentBox } from './document-box.ts';
import { fitAsset } from './fit-asset.ts';
import { OBJECT_TO_Z_UP_FRONT_Y, Z_UP_TO_Y_UP } from './frames.ts';
import { readGlb } from './gltf-io.ts';
import { gltfToGlb } from './gltf-to-glb.ts';
import { companionOf, type Importer } from './importer.ts';
import type { LayoutObject } from './layout.ts';
import { floorOutline, type RawWall, roomWalls } from './make-room.ts';
import { readBeside } from './read-beside.ts';
import { childrenOf, elementAt, readXml, type XmlElement } from './read-xml.ts';
import type { SourceFile } from './source-file.ts';

/**
 * SDF models as SceneSmith writes them: a room of boxes (visuals named floor, ground or wall) or one object with its mesh file
 * beside it.
 *
 * Frame: z up, right-handed, metres, the room's origin at its CENTRE; poses are x y z roll pitch yaw. A wall box becomes the
 * wall of the floor edge that it stands on. Meshes are y up (glTF); objects face +Y.
 */
export const importSdf: Importer = {
  format: 'sdf',
  title: 'SDF models (SceneSmith parts)',
  recognise(file) {
    const start = file.text.slice(0, 2000);
    if (/\.dmd\.yaml$/i.test(file.name) || /^directives:/m.test(start))
      return companionOf(file, 'house_state.json', "Drake's directives");
    return /<sdf\b/.test(start) ? { confidence: 1, why: 'an <sdf> element' } : null;
  },
  async parse(file) {
    const notes: string[] = [];
    try {
      if (!/<sdf\b/.test(file.text))
        throw new AuditError(
          `${file.name}: Drake's directives have names and poses, but neither sizes nor labels nor rooms; expected the house_state.json that SceneSmith writes beside it`,
        );
      const root = readXml(file.text, file.name);
      const models = root.name === 'sdf' ? childrenOf(root, 'model') : [];
      const model = models[0];
      if (model === undefined) throw new AuditError(`${file.name}: no <model>; expected an SDF model`);
      if (models.length > 1) notes.push(`${models.length} models in the file: only the first is imported`);
      const visuals = visualsOf(model, file.name);
      const boxes = visuals.filter((visual) => visual.size !== null);
      if (boxes.some(({ name }) => /floor|ground/i.test(name)))
        return [
          {
            name: model.attributes['name'] ?? file.stem,
            layout: { rooms: [boxRoom(boxes, file.name, notes)], objects: [], notes },
          },
        ];
      const object = await meshObject(model, visuals, file, notes);
      return [{ name: model.attributes['name'] ?? file.stem, layout: { rooms: [], objects: [object], notes } }];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name: file.stem, refused: messageOf(error), notes }];
    }
  },
};

interface Visual {
  readonly name: string;
  /** Link pose and visual pose together, z up. */
  readonly pose: Matrix4;
  readonly size: readonly [number, number, number] | null;
  readonly mesh: { readonly uri: string; readonly scale: readonly [number, number, number] } | null;
}

function visualsOf(model: XmlElement, where: string): Visual[] {
  return childrenOf(model, 'link').flatMap((link) =>
    childrenOf(link, 'visual').map((visual): Visual => {
      const name = `${link.attributes['name'] ?? ''}/${visual.attributes['name'] ?? ''}`;
      const at = `${where}: ${quoted(name)}`;
      const size = elementAt(visual, 'geometry', 'box', 'size');
      const uri = elementAt(visual, 'geometry', 'mesh', 'uri');
      const scale = elementAt(visual, 'geometry', 'mesh', 'scale');
      return {
        name,
        pose: poseOf(link, at).multiply(poseOf(visual, at)),
        size: size === null ? null : (numbers(size.text, 3, at) as [number, number, number]),
        mesh:
          uri === null
            ? null
            : {
                uri: uri.text.trim(),
                scale: scale === null ? [1, 1, 1] : (numbers(scale.text, 3, at) as [number, number, number]),
              },
      };
    }),
  );
}

function numbers(text: string, count: number, where: string): number[] {
  const values = text.trim().split(/\s+/).map(Number);
  if (values.length !== count || !values.every((value) => Number.isFinite(value) && Math.abs(value) < 1e6))
    throw new AuditError(`${where}: invalid numbers ${quoted(text.trim())}; expected ${count} finite numbers`);
  return values;
}

function poseOf(element: XmlElement, where: string): Matrix4 {
  const pose = elementAt(element, 'pose');
  if (pose === null) return new Matrix4();
  const [x, y, z, roll, pitch, yaw] = numbers(pose.text, 6, where) as [number, number, number, number, number, number];
  return new Matrix4()
    .makeTranslation(x, y, z)
    .multiply(new Matrix4().makeRotationZ(yaw))
    .multiply(new Matrix4().makeRotationY(pitch))
    .multiply(new Matrix4().makeRotationX(roll));
}

/** Footprint of a box whose pose is level: middle and half sides along x and y. */
function footprint(visual: Visual): { x: number; y: number; hx: number; hy: number; height: number } {
  const e = visual.pose.elements;
  const [sx, sy, sz] = visual.size as [number, number, number];
  const half = (axis: 0 | 1): number =>
    (Math.abs(e[axis] as number) * sx + Math.abs(e[4 + axis] as number) * sy + Math.abs(e[8 + axis] as number) * sz) /
    2;
  return { x: e[12] as number, y: e[13] as number, hx: half(0), hy: half(1), height: (e[14] as number) + sz / 2 };
}

/** A wall belongs to a floor edge when its middle line is this near, metres. */
const NEAR_EDGE = 0.35;

function boxRoom(boxes: readonly Visual[], where: string, notes: string[]): Room {
  const floors = boxes.filter(({ name }) => /floor|ground/i.test(name)).map(footprint);
  const base = floors[0] as ReturnType<typeof footprint>;
  if (floors.length > 1) notes.push(`${floors.length} floor boxes: the first is the floor`);
  const corners: Point[] = [
    [base.x - base.hx, -(base.y - base.hy)],
    [base.x + base.hx, -(base.y - base.hy)],
    [base.x + base.hx, -(base.y + base.hy)],
    [base.x - base.hx, -(base.y + base.hy)],
  ];
  const floor = floorOutline(corners, where, notes);
  const left = boxes
    .filter(({ name }) => /wall/i.test(name))
    .map((visual) => ({ name: visual.name, box: footprint(visual) }));
  const others = boxes.length - floors.length - left.length;
  if (others > 0) notes.push(`${others} boxes are neither floor nor wall: left out`);
  const raw = floor.flatMap((start, index): RawWall[] => {
    const end = floor[(index + 1) % floor.length] as Point;
    const alongX = Math.abs(end[0] - start[0]) > Math.abs(end[1] - start[1]);
    const found = left.findIndex(({ box }) =>
      alongX
        ? box.hx > box.hy && Math.abs(-box.y - start[1]) < NEAR_EDGE
        : box.hy >= box.hx && Math.abs(box.x - start[0]) < NEAR_EDGE,
    );
    if (found < 0) {
      notes.push(`no wall box on floor edge ${index}: that side is open`);
      return [];
    }
    const [{ name, box }] = left.splice(found, 1) as [(typeof left)[number]];
    return [
      {
        id:
          name
            .split('/')
            .filter((part) => /wall/i.test(part))
            .at(-1) ?? name,
        start,
        end,
        height: box.height,
        openings: [],
      },
    ];
  });
  if (left.length > 0) notes.push(`${left.length} wall boxes stand on no floor edge: left out`);
  const ids = new Set<string>();
  const named = raw.map((wall, index) => {
    const id = ids.has(wall.id) ? `${wall.id} ${index}` : wall.id;
    ids.add(id);
    return { ...wall, id };
  });
  const height = Math.max(...named.map((wall) => wall.height), 0) || 2.6;
  return { id: 'room', type: '', floor, wallHeight: height, walls: roomWalls(named, floor, where, notes) };
}

async function meshObject(
  model: XmlElement,
  visuals: readonly Visual[],
  file: SourceFile,
  notes: string[],
): Promise<LayoutObject> {
  const name = model.attributes['name'] ?? file.stem;
  const visual = visuals.find(({ mesh }) => mesh !== null);
  if (visual?.mesh === null || visual === undefined)
    throw new AuditError(`${file.name}: neither floor boxes nor a mesh; expected a room or an object`);
  if (visuals.filter(({ mesh }) => mesh !== null).length > 1)
    notes.push('several meshes in the model: the first is imported');
  const { uri, scale } = visual.mesh;
  const bytes = await meshBeside(file, uri);
  if (bytes === null)
    throw new AuditError(
      `${file.name}: mesh ${quoted(uri)} is not beside the file; expected its mesh (GLB or glTF): its size is nowhere else`,
    );
  const upright = new Matrix4().makeRotationX(Math.PI / 2);
  const toObject = OBJECT_TO_Z_UP_FRONT_Y.clone()
    .invert()
    .multiply(upright)
    .multiply(new Matrix4().makeScale(...scale));
  if (documentBox(await readGlb(bytes, uri)) === null) throw new AuditError(`${uri}: no triangles; expected a mesh`);
  const fitted = await fitAsset(bytes, toObject, uri);
  const frame = Z_UP_TO_Y_UP.clone().multiply(visual.pose).multiply(OBJECT_TO_Z_UP_FRONT_Y);
  return {
    id: name,
    label: name.replaceAll('_', ' '),
    asset: { source: 'scenesmith', id: name },
    supportedBy: null,
    pose: {
      kind: 'mesh',
      transform: frame.multiply(new Matrix4().makeTranslation(...fitted.base)).toArray(),
      size: fitted.size,
      glb: fitted.glb,
    },
  };
}

/** GLB bytes of a mesh file in the folder of the SDF, or null. */
async function meshBeside(file: SourceFile, uri: string): Promise<Uint8Array | null> {
  const name = uri.replace(/^\.\//, '');
  if (!/\.(glb|gltf)$/i.test(name)) return null;
  const mesh = await readBeside(file, name);
  if (mesh === null) return null;
  return /\.glb$/i.test(name) ? mesh.bytes : gltfToGlb(await realpath(mesh.path), await realpath(dirname(mesh.path)));
}
