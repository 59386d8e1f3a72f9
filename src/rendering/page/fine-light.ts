import {
  DataTexture,
  type IUniform,
  LinearFilter,
  RedFormat,
  UnsignedByteType,
  Vector2,
  Vector3,
  Vector4,
} from 'three';
import type { ContactMap } from '../light/contact.ts';
import type { RoomBox } from '../light/room-sides.ts';

/** Uniforms of what is finer than the light lattice: contact on the floor, and the room as mirrors see it. */
export class FineLight {
  readonly uniforms: Readonly<Record<string, IUniform>> = {
    contact: { value: null },
    contactOrigin: { value: new Vector2() },
    /** 1 / metres of the map's width and height; 0 turns contact off. */
    contactScale: { value: new Vector2() },
    roomMin: { value: new Vector3() },
    roomMax: { value: new Vector3() },
    /** Albedo of each side, +x -x +y -y +z -z; alpha 0 where it is open. */
    roomSides: { value: Array.from({ length: 6 }, () => new Vector4()) },
  };
  #contact: DataTexture | null = null;

  /** Puts the contact map of a scene in place; null for none. */
  stand(map: ContactMap | null): void {
    this.#contact?.dispose();
    this.#contact = null;
    const scale = this.uniforms['contactScale']!.value as Vector2;
    scale.set(0, 0);
    if (map !== null) {
      const texture = new DataTexture(Uint8Array.from(map.data), map.width, map.height, RedFormat, UnsignedByteType);
      texture.minFilter = LinearFilter;
      texture.magFilter = LinearFilter;
      texture.unpackAlignment = 1;
      texture.needsUpdate = true;
      this.#contact = texture;
      scale.set(1 / (map.width * map.size), 1 / (map.height * map.size));
      (this.uniforms['contactOrigin']!.value as Vector2).set(...map.origin);
    }
    this.uniforms['contact']!.value = this.#contact;
  }

  /** Puts the sides in place that are closed when these walls block light; null for none. */
  enclose(room: RoomBox | null, blocking: ReadonlySet<string>): void {
    const sides = this.uniforms['roomSides']!.value as Vector4[];
    for (const [index, side] of sides.entries()) {
      const closed = room?.sides[index] ?? null;
      if (closed === null || (closed.owner !== '' && !blocking.has(closed.owner))) side.set(0, 0, 0, 0);
      else side.set(...closed.albedo, 1);
    }
    if (room === null) return;
    (this.uniforms['roomMin']!.value as Vector3).set(...room.box.min);
    (this.uniforms['roomMax']!.value as Vector3).set(...room.box.max);
  }
}
