import { join } from 'node:path';
import { keptPictures } from '../bench/kept-pictures.ts';
import { expandGrammar } from '../src/captions/expand.ts';
import { readGrammar } from '../src/captions/grammar.ts';
import { type Failure, isFailure } from '../src/core/outcome.ts';
import type { RenderConfiguration, View } from '../src/core/protocol.ts';
import type { FrozenScene } from '../src/core/scene.ts';
import { readAudit } from '../src/protocol/audit-file.ts';
import { resolveFactors } from '../src/protocol/factors.ts';
import { oneAtATime } from '../src/protocol/one-at-a-time.ts';
import { renderConfiguration } from '../src/protocol/plan.ts';
import { composite } from '../src/rendering/composite.ts';
import { contactSheet, type Tile } from '../src/rendering/contact-sheet.ts';
import { readFloorTexture } from '../src/rendering/floor-texture.ts';
import type { Renderer } from '../src/rendering/renderer.ts';

/** A level of a render factor of the reference audit. */
export interface Level {
  readonly factor: string;
  readonly level: string;
  readonly configuration: RenderConfiguration;
}

/** Every level of the six render factors, as audits/frozen-scenes.yaml declares them. */
export function referenceLevels(): Level[] {
  const audit = readAudit(join(import.meta.dirname, '..', 'audits', 'frozen-scenes.yaml'));
  const { c0, factors } = resolveFactors(
    audit.content,
    audit.shown,
    expandGrammar(readGrammar(audit.grammar as string)),
    [],
  );
  return oneAtATime(
    c0,
    factors.filter(({ kind }) => kind === 'render'),
  )
    .filter(({ factor }) => factor !== '')
    .map(({ factor, level, configuration }) => ({ factor, level, configuration: renderConfiguration(configuration) }));
}

function viewOf({ background: _, ...view }: RenderConfiguration): View {
  return view;
}

/** What a room's levels look like, backgrounds composited; a view that several levels share is drawn once. */
export async function levelTiles(
  renderer: Renderer,
  scene: FrozenScene,
  room: string,
  levels: readonly Level[],
): Promise<{ readonly tiles: readonly Tile[]; readonly drawn: number; readonly failed: readonly string[] }> {
  const floor = await readFloorTexture(scene);
  const distinct = new Map(
    levels.map(({ configuration }) => [JSON.stringify(viewOf(configuration)), viewOf(configuration)]),
  );
  const pictures = await keptPictures(renderer, scene, [...distinct.values()], null);
  const found = new Map([...distinct.keys()].map((key, index) => [key, pictures[index] as (typeof pictures)[number]]));
  const failed: string[] = [];
  const tiles = levels.map(({ factor, level, configuration }): Tile => {
    const picture = found.get(JSON.stringify(viewOf(configuration))) as (typeof pictures)[number];
    if (isFailure(picture)) failed.push(`${room}, ${factor} ${level}: ${(picture as Failure).reason}`);
    return {
      label: `${room}: ${factor} ${level}`,
      picture: isFailure(picture) ? picture : { ...picture, data: composite(picture, configuration.background, floor) },
    };
  });
  return { tiles, drawn: distinct.size, failed };
}

/** One sheet of a factor: a row a room, a column a level. */
export async function factorSheet(factor: string, rows: readonly (readonly Tile[])[]): Promise<Uint8Array> {
  return await contactSheet(rows.flat(), {
    title: `${factor}: every level of the reference audit`,
    columns: rows[0]?.length ?? 1,
    side: 288,
  });
}
