import type { FuzzKind } from './fuzz-kind.ts';
import { MESH_KINDS } from './mesh-kinds.ts';
import { SCENE_KINDS } from './scene-kinds.ts';
import { TABLE_KINDS } from './table-kinds.ts';
import { TEXT_KINDS } from './text-kinds.ts';

/** Every kind of input that is fuzzed, in the order in which it is run. */
export const FUZZ_KINDS: readonly FuzzKind[] = [...SCENE_KINDS, ...MESH_KINDS, ...TABLE_KINDS, ...TEXT_KINDS];
