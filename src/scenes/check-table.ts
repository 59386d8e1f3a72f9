import type { ImportedScene } from './importer.ts';
import { outsideRooms, overlappingPairs } from './layout-checks.ts';
import { signedArea } from './polygon.ts';

/** One line of the curator's table (`import --check`). */
export interface CheckRow {
  readonly file: string;
  readonly format: string;
  readonly scene: string;
  /** null when imported, else the reason of the refusal. */
  readonly refused: string | null;
  readonly objects: number;
  readonly proxies: number;
  /** Square metres over all rooms; null when there is none. */
  readonly roomArea: number | null;
  readonly outOfRoom: number;
  readonly overlapping: number;
  readonly notes: readonly string[];
}

/** The row of one scene. `overlapping` counts pairs of boxes (supports and rugs aside), `outOfRoom` objects. */
export function checkRow(file: string, format: string, scene: ImportedScene): CheckRow {
  const { notes } = scene;
  if ('refused' in scene)
    return {
      file,
      format,
      scene: scene.name,
      refused: scene.refused,
      objects: 0,
      proxies: 0,
      roomArea: null,
      outOfRoom: 0,
      overlapping: 0,
      notes,
    };
  const { rooms, objects } = scene.draft;
  const area = rooms.reduce((sum, room) => sum + Math.abs(signedArea(room.floor)), 0);
  return {
    file,
    format,
    scene: scene.name,
    refused: null,
    objects: objects.length,
    proxies: objects.filter((object) => object.geometry.kind === 'proxy').length,
    roomArea: rooms.length === 0 ? null : Math.round(area * 100) / 100,
    outOfRoom: outsideRooms(objects, rooms).length,
    overlapping: overlappingPairs(objects).length,
    notes,
  };
}

const COLUMNS = ['scene', 'objects', 'proxies', 'room area', 'out of room', 'overlapping', 'notes'] as const;

/** The table as text: one line a scene, columns aligned; refused scenes give their reason. */
export function checkTable(rows: readonly CheckRow[]): string {
  const cells = rows.map((row) =>
    row.refused === null
      ? [
          row.scene,
          String(row.objects),
          String(row.proxies),
          row.roomArea === null ? '-' : `${row.roomArea.toFixed(1)} m2`,
          String(row.outOfRoom),
          String(row.overlapping),
          String(row.notes.length),
        ]
      : [row.scene, 'refused', row.refused],
  );
  const widths = COLUMNS.map((name, column) =>
    Math.max(
      name.length,
      ...cells.filter((line) => column === 0 || line[1] !== 'refused').map((line) => line[column]?.length ?? 0),
    ),
  );
  const line = (parts: readonly string[]): string =>
    parts
      .map((part, column) =>
        column === 0 ? part.padEnd(widths[column] as number) : part.padStart(widths[column] as number),
      )
      .join('  ')
      .trimEnd();
  return [
    line(COLUMNS),
    ...cells.map((parts) =>
      parts[1] === 'refused'
        ? `${(parts[0] as string).padEnd(widths[0] as number)}  refused: ${parts[2]}`
        : line(parts),
    ),
  ].join('\n');
}

/** Scenes up to this many have their notes listed one by one. */
const LISTED_SCENES = 12;

/**
 * The notes of an import as text: scene by scene for a few scenes; for many, each kind of note once (numbers aside) with the
 * number of scenes that have it and one of them word for word.
 */
export function notesText(rows: readonly CheckRow[]): string {
  const told = rows.filter(({ notes }) => notes.length > 0);
  if (told.length <= LISTED_SCENES)
    return told.map(({ scene, notes }) => [`${scene}:`, ...notes.map((note) => `  ${note}`)].join('\n')).join('\n');
  const kinds = new Map<string, { example: string; scenes: number }>();
  for (const { notes } of told)
    for (const kind of new Set(notes.map(kindOf))) {
      const known = kinds.get(kind);
      if (known !== undefined) known.scenes += 1;
      else kinds.set(kind, { example: notes.find((note) => kindOf(note) === kind) ?? kind, scenes: 1 });
    }
  return [...kinds.values()]
    .sort((a, b) => b.scenes - a.scenes)
    .map(({ example, scenes }) => `${scenes} of ${rows.length} scenes: ${example}`)
    .join('\n');
}

/** A note without its numbers, names and lists: what kind of thing it says. */
function kindOf(note: string): string {
  return note
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\([^)]*\)/g, '(…)')
    .replace(/: [^:]*$/, '')
    .replace(/-?\d+(\.\d+)?/g, '#');
}
