import { basename } from 'node:path';
import type { SourcePath } from './source-paths.ts';

/**
 * What the folders of mesh files say about generator and prompt, where file names alone would make two scenes one. Scenes of one
 * generator need different prompts, so when names repeat the folders must tell them apart:
 *
 * - all files have one name (`scene_001/scene.glb`): the file name says nothing. One folder is the prompt; of two or more the first
 *   is the generator and the rest the prompt;
 * - several names, some repeated (`alpha/bedroom.glb`, `beta/bedroom.glb`): the first folder is the generator, the file name the
 *   prompt (with the folders between, where it repeats even there).
 *
 * Names that do not repeat, files of other formats, and files whose names a pattern gave stay as they are.
 *
 * @returns the files with `generator` and `prompt` filled in where folders tell them
 */
export function namedByFolders(sources: readonly SourcePath[]): SourcePath[] {
  const meshes = sources.filter(
    ({ name, generator, prompt }) => generator === null && prompt === null && /\.(glb|gltf)$/i.test(name),
  );
  const stems = new Map<string, number>();
  for (const { name } of meshes) stems.set(stemOf(name), (stems.get(stemOf(name)) ?? 0) + 1);
  if (stems.size === meshes.length) return [...sources];
  const alike = stems.size === 1;
  const inGenerator = new Map<string, number>();
  for (const { name } of meshes) {
    const key = `${foldersOf(name)[0] ?? ''}/${stemOf(name)}`;
    inGenerator.set(key, (inGenerator.get(key) ?? 0) + 1);
  }
  const taken = new Set(meshes);
  const told = 'folders' as const;
  return sources.map((source) => {
    const folders = foldersOf(source.name);
    if (!taken.has(source) || folders.length === 0) return source;
    const [first, ...rest] = folders as [string, ...string[]];
    if (alike)
      return rest.length === 0
        ? { ...source, told, prompt: first }
        : { ...source, told, generator: first, prompt: rest.join('-') };
    const alone = inGenerator.get(`${first}/${stemOf(source.name)}`) === 1;
    return { ...source, told, generator: first, prompt: [...(alone ? [] : rest), stemOf(source.name)].join('-') };
  });
}

function foldersOf(name: string): string[] {
  return name.split('/').slice(0, -1);
}

function stemOf(name: string): string {
  return basename(name).replace(/\.[^.]+$/, '');
}
