import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Room } from '../core/scene.ts';
import { collectionOf } from './assets.ts';
import type { DraftObject, SceneDraft } from './draft.ts';
import { checkDraft } from './freeze.ts';
import type { ImportedScene, ImportOptions, ParsedScene } from './importer.ts';
import { categoryOfLabel } from './kit/categories.ts';
import type { Layout, LayoutObject } from './layout.ts';
import { outsideRooms, overlappingPairs } from './layout-checks.ts';
import { lightenMeshes } from './lighten-meshes.ts';
import { ObjectPlacer } from './place-object.ts';
import { plainText } from './plain-text.ts';
import { objectId, UniqueIds } from './safe-id.ts';

/** Scene schema's limit of objects. */
const MAX_OBJECTS = 20_000;
/** Ids listed in one note before it says how many more there are. */
const LISTED = 8;
/** Longest note and reason, characters. */
const NOTE_LENGTH = 600;

/** Where a parsed scene comes from and how its draft is named. */
export interface SceneOrigin {
  readonly format: string;
  readonly file: string;
  readonly sha256: string;
  /** Unique over the import: generator and prompt. */
  readonly id: string;
  readonly generator: string;
  readonly prompt: string;
}

/**
 * Turns what an importer read into a draft, in one way for all formats: safe unique ids, labels and sizes from the
 * catalogue, meshes from the asset folders or kit furniture in their place, and a note for everything that was assumed,
 * repaired or lost.
 *
 * @returns a draft, or a refusal with its reason
 */
export async function assembleDraft(
  parsed: ParsedScene,
  origin: SceneOrigin,
  options: ImportOptions,
): Promise<ImportedScene> {
  const name = plainText(parsed.name, NOTE_LENGTH);
  if ('refused' in parsed)
    return { name, refused: plainText(parsed.refused, NOTE_LENGTH), notes: plainNotes(parsed.notes) };
  const layout = { ...parsed.layout, rooms: plainRooms(parsed.layout.rooms) };
  const notes = [...layout.notes];
  try {
    if (layout.objects.length > MAX_OBJECTS)
      throw new AuditError(`${layout.objects.length} objects; expected at most ${MAX_OBJECTS}`);
    const { objects, notes: thinned } = await lightenMeshes(await draftObjects(layout, options, notes));
    notes.push(...thinned);
    listNote(notes, 'objects reach out of every room', outsideRooms(objects, layout.rooms));
    const pairs = overlappingPairs(objects);
    listNote(
      notes,
      'pairs of boxes overlap',
      pairs.map(([a, b]) => `${a}/${b}`),
    );
    const told = plainNotes(notes);
    const draft: SceneDraft = {
      id: origin.id,
      generator: origin.generator,
      prompt: origin.prompt,
      rooms: layout.rooms,
      objects,
      source: { format: origin.format, file: origin.file, sha256: origin.sha256, notes: told },
    };
    checkDraft(draft);
    return { name, notes: told, draft };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { name, refused: messageOf(error), notes: plainNotes(notes) };
  }
}

async function draftObjects(layout: Layout, options: ImportOptions, notes: string[]): Promise<DraftObject[]> {
  const ids = new UniqueIds(objectId);
  const rewritten: string[] = [];
  const named = layout.objects.map((object, index) => {
    const { id, renamed } = ids.add(object.id, `object-${index}`);
    if (renamed) notes.push(`duplicate object id ${quoted(object.id)} renamed ${quoted(id)}`);
    else if (id !== object.id) rewritten.push(`${quoted(object.id)} as ${quoted(id)}`);
    return { object, id };
  });
  listNote(notes, 'object ids cannot stand in a scene and are rewritten', rewritten);
  const firstOf = new Map<string, string>();
  for (const { object, id } of named) if (!firstOf.has(object.id)) firstOf.set(object.id, id);

  const placer = new ObjectPlacer(options);
  const remarks = new Map<string, string[]>();
  const unsized: string[] = [];
  const unlabelled: string[] = [];
  const strangers = new Map<string, number>();
  const proxies: string[] = [];
  const objects: DraftObject[] = [];
  for (const { object, id } of named) {
    const label = labelOf(object, options);
    if (label === null) unlabelled.push(id);
    const placed = await placer.place(object, label ?? 'object');
    if (placed === null) {
      unsized.push(`${id}${object.asset === null ? '' : ` (asset ${object.asset.id})`}`);
      continue;
    }
    for (const remark of placed.remarks) {
      const who = remarks.get(remark);
      if (who === undefined) remarks.set(remark, [id]);
      else who.push(id);
    }
    if (placed.geometry.kind === 'proxy') {
      proxies.push(id);
      if (label !== null && categoryOfLabel(label) === null) strangers.set(label, (strangers.get(label) ?? 0) + 1);
    }
    objects.push({
      id,
      label: label ?? 'object',
      asset:
        object.asset === null
          ? null
          : { source: plainText(collectionOf(object.asset.source), 200), id: plainText(object.asset.id, 500) },
      transform: placed.transform,
      size: placed.size,
      supportedBy: supportOf(object, firstOf, id, notes),
      geometry: placed.geometry,
    });
  }
  if (unsized.length > 0)
    throw new AuditError(
      `no size known for ${unsized.length} of ${named.length} objects: ${listed(unsized)}; expected sizes from --assets or --catalogue (or --allow-unknown-size)`,
    );
  breakSupportCycles(objects, notes);
  listNote(notes, 'objects are proxies (no mesh found)', proxies.length === objects.length ? [] : proxies);
  if (proxies.length > 0 && proxies.length === objects.length)
    notes.push(`all ${proxies.length} objects are proxies (no mesh found)`);
  listNote(notes, 'objects have no label: called "object"', unlabelled);
  for (const [remark, who] of remarks)
    notes.push(`${who.length} ${who.length === 1 ? 'object' : 'objects'}: ${remark} (${listed(who)})`);
  listNote(
    notes,
    'labels are unknown to the kit: plain boxes stand in',
    [...strangers].map(([label, count]) => (count === 1 ? label : `${label} x ${count}`)),
  );
  return objects;
}

function labelOf(object: LayoutObject, options: ImportOptions): string | null {
  const own = object.label ?? (object.asset === null ? null : (options.catalogue.get(object.asset.id)?.label ?? null));
  const words = own === null || own === undefined ? '' : plainText(own.replaceAll('_', ' ').replace(/\s+/g, ' '), 200);
  return words === '' ? null : words;
}

function supportOf(
  object: LayoutObject,
  ids: ReadonlyMap<string, string>,
  own: string,
  notes: string[],
): string | null {
  if (object.supportedBy === null) return null;
  const support = ids.get(object.supportedBy);
  if (support === undefined || support === own) {
    notes.push(`object ${quoted(own)}: supporting object ${quoted(object.supportedBy)} is not in the scene: left out`);
    return null;
  }
  return support;
}

function breakSupportCycles(objects: DraftObject[], notes: string[]): void {
  const byId = new Map(objects.map((object) => [object.id, object]));
  for (const [index, object] of objects.entries()) {
    const seen = new Set([object.id]);
    let at = object.supportedBy;
    while (at !== null && !seen.has(at)) {
      seen.add(at);
      at = byId.get(at)?.supportedBy ?? null;
    }
    if (at !== object.id) continue;
    notes.push(`object ${quoted(object.id)}: supports itself through others: its support left out`);
    const freed = { ...object, supportedBy: null };
    objects[index] = freed;
    byId.set(object.id, freed);
  }
}

function plainNotes(notes: readonly string[]): string[] {
  return notes.map((note) => plainText(note, NOTE_LENGTH));
}

/** Names of rooms and walls come out of the file as well; two that become equal are told apart. */
function plainRooms(rooms: readonly Room[]): Room[] {
  const ids = new UniqueIds((text, fallback) => plainText(text, 180) || fallback);
  return rooms.map((room, index) => {
    const own = new UniqueIds((text, fallback) => plainText(text, 180) || fallback);
    return {
      ...room,
      id: ids.add(room.id, `room-${index}`).id,
      type: plainText(room.type, 200),
      walls: room.walls.map((wall, number) => ({ ...wall, id: own.add(wall.id, `wall-${number}`).id })),
    };
  });
}

function listNote(notes: string[], what: string, items: readonly string[]): void {
  if (items.length > 0) notes.push(`${items.length} ${what}: ${listed(items)}`);
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, LISTED).map((item) => item.slice(0, 80));
  return items.length > LISTED ? `${shown.join(', ')} and ${items.length - LISTED} more` : shown.join(', ');
}
