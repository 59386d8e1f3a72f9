import type { Document, Material, Node } from '@gltf-transform/core';
import { WebIO } from '@gltf-transform/core';
import sharp from 'sharp';
import { AuditError, messageOf } from '../core/errors.ts';
import type { FrozenScene } from '../core/scene.ts';
import { encodeSrgb } from './agx.ts';
import type { FloorTexture } from './composite.ts';

/** Side of a tile of a floor without a texture, pixels. */
const PLAIN_TILE = 8;

/**
 * The floor texture of a scene's first room (the `floor:<room>` node of its GLB), times the material's colour factor; an
 * untextured floor gives a plain tile of its colour. Null when the scene has no room or its floor node has no material.
 *
 * @throws AuditError when the GLB or its texture cannot be read.
 */
export async function readFloorTexture(frozen: FrozenScene): Promise<FloorTexture | null> {
  const room = frozen.scene.rooms[0];
  if (room === undefined) return null;
  let document: Document;
  try {
    document = await new WebIO().readBinary(frozen.glb);
  } catch (error) {
    throw new AuditError(`${frozen.folder}: scene.glb cannot be read: ${messageOf(error)}; expected a binary glTF`, {
      cause: error,
    });
  }
  const node = document
    .getRoot()
    .listNodes()
    .find((candidate) => candidate.getName() === `floor:${room.id}`);
  const material = node === undefined ? null : firstMaterial(node);
  if (material === null) return null;
  const factor = material.getBaseColorFactor();
  const image = material.getBaseColorTexture()?.getImage() ?? null;
  if (image === null) {
    const colour = factor.slice(0, 3).map((value) => Math.round(255 * encodeSrgb(Math.min(Math.max(value, 0), 1))));
    const data = new Uint8Array(3 * PLAIN_TILE * PLAIN_TILE);
    for (let index = 0; index < data.length; index += 1) data[index] = colour[index % 3]!;
    return { width: PLAIN_TILE, height: PLAIN_TILE, data };
  }
  const { data, info } = await sharp(image, { limitInputPixels: 64 * 1024 * 1024 })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const out = new Uint8Array(data.length);
  const tables = [0, 1, 2].map((channel) => tinted(factor[channel]!));
  for (let index = 0; index < data.length; index += 1) out[index] = tables[index % 3]![data[index]!]!;
  return { width: info.width, height: info.height, data: out };
}

/** sRGB byte after multiplying its linear value by a colour factor. */
function tinted(factor: number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, value) => {
    if (factor === 1) return value;
    const encoded = value / 255;
    const linear = encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
    return Math.round(255 * encodeSrgb(Math.min(Math.max(linear * factor, 0), 1)));
  });
}

function firstMaterial(node: Node): Material | null {
  for (const primitive of node.getMesh()?.listPrimitives() ?? []) {
    const material = primitive.getMaterial();
    if (material !== null) return material;
  }
  for (const child of node.listChildren()) {
    const material = firstMaterial(child);
    if (material !== null) return material;
  }
  return null;
}
