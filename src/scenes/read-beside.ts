import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { SourceFile } from './source-file.ts';

/**
 * A file beside another one, for formats that keep a scene in several files; null when it is not there or leads out of the
 * folder.
 *
 * @param name a plain file name
 */
export async function readBeside(file: SourceFile, name: string): Promise<SourceFile | null> {
  if (!/^[\w][\w .-]*$/.test(name) || name.includes('..')) return null;
  const folder = dirname(file.path);
  const path = join(folder, name);
  try {
    await lstat(path);
    const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
    if (!real.startsWith(root + sep)) return null;
  } catch {
    return null;
  }
  return SourceFile.open(path, name);
}
