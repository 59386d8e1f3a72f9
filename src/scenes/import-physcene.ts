import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { yawTransform } from './frames.ts';
import type { Importer } from './importer.ts';
import { isObject, listAt, numberAt, objectAt, optionalText, sizeAt, vectorAt } from './json-reader.ts';
import type { LayoutObject } from './layout.ts';

/** Lower than this, a thing sinks into the floor; higher, it floats, metres. */
const FLOOR_TOLERANCE = 0.02;

/**
 * PhyScene results (as SceneWeaver takes them in): {ThreedFront: {<3D-FUTURE id>: [{size, theta, position, label}]}, GPN}.
 *
 * Frame: y up, right-handed, metres; `position` is the BOTTOM centre of the box; `theta` radians about +Y, 0 faces +Z; `size`
 * is HALF the box. There is no room. Articulated objects (GAPartNet, under GPN) have no documented form: such a scene is refused.
 */
export const importPhyScene: Importer = {
  format: 'physcene',
  title: 'PhyScene results',
  recognise(file) {
    const json = file.jsonOrUndefined;
    if (!isObject(json) || !isObject(json['ThreedFront'])) return null;
    return { confidence: 1, why: 'objects by 3D-FUTURE id under "ThreedFront"' };
  },
  async parse(file) {
    const notes: string[] = [];
    try {
      const json = objectAt(file.json, file.name);
      const objects = Object.entries(objectAt(json['ThreedFront'], `${file.name}: ThreedFront`)).flatMap(
        ([jid, list]) =>
          listAt(list, `${file.name}: ${quoted(jid)}`).map((value, index) =>
            physObject(jid, value, index, file.name, notes),
          ),
      );
      refuseArticulated(json['GPN'], file.name);
      const asked = objects.filter(({ changed }) => changed).map(({ object }) => object.id);
      if (asked.length > 0)
        notes.push(`${asked.length} objects have another label than was asked for: ${asked.slice(0, 8).join(', ')}`);
      notes.push('frame: y up, bottom centres, half sizes doubled; the format has no room');
      return [{ name: file.stem, layout: { rooms: [], objects: objects.map(({ object }) => object), notes } }];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name: file.stem, refused: messageOf(error), notes }];
    }
  },
};

/** A scene without some of its furniture is another scene. No source says how articulated objects are placed, so it is refused. */
function refuseArticulated(value: unknown, file: string): void {
  const lists = isObject(value) ? Object.values(value) : Array.isArray(value) ? [value] : [];
  const count = lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 1), 0);
  if (count > 0)
    throw new AuditError(
      `${file}: ${count} articulated objects under "GPN", whose places and sizes are documented nowhere; expected an empty "GPN"`,
    );
}

function physObject(
  jid: string,
  value: unknown,
  index: number,
  file: string,
  notes: string[],
): { object: LayoutObject; changed: boolean } {
  const where = `${file}: ${quoted(jid)}[${index}]`;
  const item = objectAt(value, where);
  const label = optionalText(item['label']);
  const place = vectorAt(item['position'], `${where}: position`);
  const half = sizeAt(item['size'], `${where}: size`);
  const id = `${label ?? 'object'}-${jid.slice(0, 8)}-${index}`;
  if (place[1] < -FLOOR_TOLERANCE) notes.push(`${quoted(id)} sinks ${(-place[1]).toFixed(2)} m below the floor`);
  else if (place[1] > FLOOR_TOLERANCE && !/lamp|shelf|cabinet/.test(label ?? ''))
    notes.push(`${quoted(id)} floats ${place[1].toFixed(2)} m above the floor`);
  const asked = optionalText(item['query_label']);
  return {
    changed: asked !== null && asked !== label,
    object: {
      id,
      label,
      asset: { source: '3d-future', id: jid },
      supportedBy: null,
      pose: {
        kind: 'box',
        transform: yawTransform(numberAt(item['theta'], `${where}: theta`), place),
        anchor: 'bottom',
        size: [2 * half[0], 2 * half[1], 2 * half[2]],
      },
    },
  };
}
