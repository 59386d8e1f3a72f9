import {
  ClampToEdgeWrapping,
  Data3DTexture,
  HalfFloatType,
  LinearFilter,
  RGBAFormat,
  type Texture,
  type UnsignedByteType,
} from 'three';

/** Linear in every direction, clamped at the edges. */
export function filtered<T extends Texture>(
  texture: T,
  type: typeof HalfFloatType | typeof UnsignedByteType = HalfFloatType,
): T {
  texture.format = RGBAFormat;
  texture.type = type;
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  texture.wrapS = ClampToEdgeWrapping;
  texture.wrapT = ClampToEdgeWrapping;
  if (texture instanceof Data3DTexture) texture.wrapR = ClampToEdgeWrapping;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}
