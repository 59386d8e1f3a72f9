import type { Document, Primitive } from '@gltf-transform/core';
import { convertPrimitiveToTriangles, dequantize, metalRough, uninstance } from '@gltf-transform/functions';
import sharp, { type Sharp } from 'sharp';
import { AuditError, messageOf } from '../core/errors.ts';
import { decodeKtx2 } from './decode-ktx2.ts';

/** Extensions that only say how bytes are packed; their content is unpacked here. */
const PACKING = [
  'KHR_draco_mesh_compression',
  'EXT_meshopt_compression',
  'KHR_meshopt_compression',
  'KHR_mesh_quantization',
  'EXT_texture_webp',
  'EXT_texture_avif',
  'KHR_texture_basisu',
];
/** Extensions that would change the picture in ways the protocol does not know of. */
const DROPPED = ['KHR_lights_punctual', 'KHR_materials_variants', 'KHR_animation_pointer', 'KHR_xmp_json_ld'];

/** Textures larger than this are scaled down, in pixels. */
export const MAX_TEXTURE_PIXELS = 2048;

/**
 * Turns any glTF document into what a frozen scene holds, in place: triangles of 32-bit floats, PNG or JPEG textures,
 * metal-rough materials, no instancing, animation, skin, camera or light.
 *
 * @returns what was lost, for the scene's notes
 * @throws AuditError when a texture cannot be decoded
 */
export async function plainDocument(document: Document, where: string): Promise<string[]> {
  const root = document.getRoot();
  const notes: string[] = [];
  const used = new Set(root.listExtensionsUsed().map((extension) => extension.extensionName));
  if (used.has('KHR_materials_pbrSpecularGlossiness')) await document.transform(metalRough());
  if (used.has('EXT_mesh_gpu_instancing')) await document.transform(uninstance());
  await document.transform(dequantize({ pattern: /^(POSITION|NORMAL|TANGENT|TEXCOORD_\d+|COLOR_\d+)$/ }));
  const moving = root.listAnimations().length + root.listSkins().length;
  if (moving > 0) notes.push(`${moving} animations and skins left out`);
  for (const animation of root.listAnimations()) animation.dispose();
  for (const skin of root.listSkins()) skin.dispose();
  for (const camera of root.listCameras()) camera.dispose();
  let dropped = 0;
  for (const mesh of root.listMeshes()) {
    for (const primitive of mesh.listPrimitives()) if (!keepPrimitive(primitive)) dropped += 1;
    for (const primitive of mesh.listPrimitives()) {
      for (const target of primitive.listTargets()) primitive.removeTarget(target);
      if (!keepPrimitive(primitive)) primitive.dispose();
    }
  }
  if (dropped > 0) notes.push(`${dropped} line or point primitives left out`);
  for (const texture of root.listTextures()) {
    const image = texture.getImage();
    if (image === null) {
      texture.dispose();
      notes.push('a texture without an image left out');
      continue;
    }
    try {
      const plain = await plainImage(image, texture.getMimeType());
      texture.setImage(plain.image).setMimeType(plain.mime).setURI('');
    } catch (error) {
      throw new AuditError(
        `${where}: invalid texture "${texture.getName()}" (${messageOf(error, 120)}); expected PNG, JPEG, WebP or KTX2`,
        { cause: error },
      );
    }
  }
  for (const extension of root.listExtensionsUsed())
    if (PACKING.includes(extension.extensionName) || DROPPED.includes(extension.extensionName)) extension.dispose();
  return notes;
}

const TRIANGLE_MODES = { triangles: 4, strip: 5, fan: 6 };

function keepPrimitive(primitive: Primitive): boolean {
  if (primitive.getAttribute('POSITION') === null) return false;
  const mode = primitive.getMode();
  if (mode === TRIANGLE_MODES.strip || mode === TRIANGLE_MODES.fan) {
    convertPrimitiveToTriangles(primitive);
    return true;
  }
  return mode === TRIANGLE_MODES.triangles;
}

async function plainImage(image: Uint8Array, mime: string): Promise<{ image: Uint8Array; mime: string }> {
  if (mime === 'image/ktx2') {
    const { width, height, data } = await decodeKtx2(image);
    return shrink(sharp(data, { raw: { width, height, channels: 4 } }), width, height, 'png');
  }
  const picture = sharp(image, { limitInputPixels: 16_384 * 16_384 });
  const { width, height, format } = await picture.metadata();
  if ((format === 'png' || format === 'jpeg') && Math.max(width, height) <= MAX_TEXTURE_PIXELS)
    return { image, mime: `image/${format}` };
  return shrink(picture, width, height, format === 'jpeg' ? 'jpeg' : 'png');
}

async function shrink(
  picture: Sharp,
  width: number,
  height: number,
  format: 'png' | 'jpeg',
): Promise<{ image: Uint8Array; mime: string }> {
  const longer = Math.max(width, height);
  const sized =
    longer > MAX_TEXTURE_PIXELS
      ? picture.resize(
          Math.max(1, Math.round((width * MAX_TEXTURE_PIXELS) / longer)),
          Math.max(1, Math.round((height * MAX_TEXTURE_PIXELS) / longer)),
          { fit: 'fill' },
        )
      : picture;
  const bytes =
    format === 'png'
      ? await sized.png({ compressionLevel: 6 }).toBuffer()
      : await sized.jpeg({ quality: 95 }).toBuffer();
  return { image: new Uint8Array(bytes), mime: `image/${format}` };
}
