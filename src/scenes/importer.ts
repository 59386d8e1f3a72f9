import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AssetLibrary } from './assets.ts';
import type { Catalogue } from './catalogue.ts';
import type { SceneDraft } from './draft.ts';
import type { Layout } from './layout.ts';
import type { PromptSet } from './prompt-set.ts';
import type { SourceFile } from './source-file.ts';

/** How sure an importer is that a file is its own, 0..1, and what it saw. */
export interface Recognition {
  readonly confidence: number;
  readonly why: string;
  /** Part of another file's scene, read together with it: not a scene of its own. */
  readonly companion?: boolean;
}

/**
 * Recognition of a file that is no scene itself: a companion of the scene file named, when that lies beside it; alone, it is taken
 * all the same, so that the importer can refuse it with the reason.
 */
export function companionOf(file: SourceFile, scene: string, what: string): Recognition {
  return existsSync(join(dirname(file.path), scene))
    ? { confidence: 0.9, why: `${what}: ${scene} beside it is the scene`, companion: true }
    : { confidence: 0.9, why: what };
}

/** Everything a user can tell about files that do not tell it themselves. */
export interface ImportOptions {
  /** Name in the score table; null: the format's name. */
  readonly generator: string | null;
  /** Prompt id for every scene; null: joined with `prompts`, else the scene's name. */
  readonly prompt: string | null;
  readonly prompts: PromptSet | null;
  readonly assets: AssetLibrary;
  readonly catalogue: Catalogue;
  /** Up axis of GLB files; null: y, as glTF demands. */
  readonly up: 'y' | 'z' | null;
  /** Metres per length unit of the file; null: the format's own unit. */
  readonly metresPerUnit: number | null;
  /** Metres of the shorter side of a room given without a metric size. */
  readonly roomSize: number | null;
  /** Wall height of rooms given without one, metres. */
  readonly wallHeight: number;
  /** Let the kit's usual size stand in where no size is known; else such a scene is refused. */
  readonly allowUnknownSize: boolean;
}

/** A scene as read from a file, or why it cannot be. */
export type ParsedScene =
  | { readonly name: string; readonly layout: Layout }
  | { readonly name: string; readonly refused: string; readonly notes: readonly string[] };

/** One file format. */
export interface Importer {
  readonly format: string;
  /** What writes it, for people. */
  readonly title: string;
  /** null: certainly not this format. Never throws. */
  recognise(file: SourceFile): Recognition | null;
  /**
   * Reads every scene of a file into the canonical frame.
   *
   * @throws AuditError when the file as a whole cannot be read
   */
  parse(file: SourceFile, options: ImportOptions): Promise<readonly ParsedScene[]>;
}

/** A scene ready to freeze, or why it is refused; every scene of every file is one or the other. */
export type ImportedScene =
  | { readonly name: string; readonly draft: SceneDraft; readonly notes: readonly string[] }
  | { readonly name: string; readonly refused: string; readonly notes: readonly string[] };
