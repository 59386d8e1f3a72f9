import type { View } from '../core/protocol.ts';
import type { Scene } from '../core/scene.ts';
import { type Box, frameBox, hidesWall } from './framing.ts';
import type { DrawRequest, LoadAnswer, Picture } from './page/protocol.ts';
import type { RendererSettings } from './renderer.ts';

/**
 * What the page is asked to draw of a loaded scene: cameras by tight fit, walls hidden by the dollhouse rule.
 *
 * @param views by the id under which each picture's pixels come back
 */
export function drawRequest(
  scene: Scene,
  views: ReadonlyMap<string, View>,
  loaded: LoadAnswer,
  settings: RendererSettings,
): DrawRequest {
  const box: Box = scene.frame ?? loaded.box;
  const drawable = new Set(loaded.walls);
  const pictures = [...views].map(([id, view]): Picture => {
    const hidden = scene.rooms.flatMap((room) =>
      room.walls
        .filter((wall) => hidesWall(wall, view, settings.hideWallsAbove))
        .map((wall) => `wall:${room.id}:${wall.id}`)
        .filter((node) => drawable.has(node)),
    );
    return {
      id,
      resolution: view.resolution,
      camera: frameBox(box, view, settings.margin),
      lighting: view.lighting,
      hidden,
    };
  });
  // Pictures that share walls and light follow one another: each pair is baked once.
  const bake = ({ hidden, lighting }: Picture) => `${hidden.join(' ')}|${lighting}`;
  const order = new Map<string, number>();
  for (const picture of pictures) {
    const walls = picture.hidden.join(' ');
    if (!order.has(walls)) order.set(walls, order.size);
  }
  const rank = (picture: Picture) => order.get(picture.hidden.join(' '))!;
  pictures.sort((a, b) => rank(a) - rank(b) || (bake(a) < bake(b) ? -1 : bake(a) > bake(b) ? 1 : 0));
  return { pictures, wallsBlockLight: settings.wallsBlockLight, exposure: 2 ** settings.exposure };
}
