// Planted: a perfect layout oracle. It knows where everything should stand (a file of poses by prompt and object id, its first
// argument) and scores the percentage of pairs of objects that stand to each other as planned: their distance (2 cm), and
// how far each has to turn its front to look at the other (3 degrees, either way, so that a mirror image is as good). Looks
// and colours do not count. A missing object spoils its pairs.
import { readFileSync } from 'node:fs';
import { serve } from './serve.mjs';

const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));

function relation(a, b) {
  const [dx, dz] = [b.x - a.x, b.z - a.z];
  const distance = Math.hypot(dx, dz);
  const turn = (from, angle) => Math.abs(Math.atan2(Math.sin(angle - from), Math.cos(angle - from)));
  // one on top of the other: there is no direction between them, only their fronts against each other
  if (distance < 0.05) return [distance, turn(a.yaw, b.yaw), 0];
  return [distance, turn(a.yaw, Math.atan2(dx, dz)), turn(b.yaw, Math.atan2(-dx, -dz))];
}

await serve({ name: 'knows-the-layout', scale: { name: 'percent', min: 0, max: 100 } }, ({ scene }) => {
  const { prompt, objects } = JSON.parse(readFileSync(scene.json, 'utf8'));
  const planned = plan[prompt];
  if (planned === undefined) throw new Error(`no plan for prompt ${prompt}`);
  const found = new Map(
    objects.map(({ id, transform: m }) => [id, { x: m[12], z: m[14], yaw: Math.atan2(m[8], m[10]) }]),
  );
  const ids = Object.keys(planned).sort();
  let [right, pairs] = [0, 0];
  for (const [index, first] of ids.entries())
    for (const second of ids.slice(index + 1)) {
      pairs += 1;
      if (!found.has(first) || !found.has(second)) continue;
      const wanted = relation(planned[first], planned[second]);
      const is = relation(found.get(first), found.get(second));
      const near = [0.02, 0.0524, 0.0524].every((tolerance, at) => Math.abs(is[at] - wanted[at]) <= tolerance);
      if (near) right += 1;
    }
  return (100 * right) / pairs;
});
