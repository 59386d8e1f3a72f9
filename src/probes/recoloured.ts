import { compareText } from '../core/json.ts';
import type { Random } from '../core/random.ts';
import type { SceneProbe } from './probe.ts';

/** Every object painted in one strong random colour; form, place and everything else stay. Textures of the base colour go. */
export const recoloured: SceneProbe = {
  name: 'recoloured',
  kind: 'scene',
  control: false,
  expectation: 'lowers the score of an evaluator that reads colours and materials: every object has another colour',
  about: ['colours'],
  edit: async ({ scene }, random) => {
    if (scene.objects.length === 0) return { status: 'skipped', reason: 'no objects' };
    const ids = scene.objects.map(({ id }) => id).sort(compareText);
    return { recoloured: ids.map((id) => ({ id, colour: drawColour(random) })) };
  },
};

/** sRGB 0..1 of a random hue, 65 to 90% saturated and 35 to 60% light (HSL), to three decimals. */
function drawColour(random: Random): [number, number, number] {
  const [hue, saturation, light] = [random.between(0, 12), random.between(0.65, 0.9), random.between(0.35, 0.6)];
  const reach = saturation * Math.min(light, 1 - light);
  const channel = (shift: number) => {
    const k = (shift + hue) % 12;
    return Math.round((light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 1000) / 1000;
  };
  return [channel(0), channel(8), channel(4)];
}
