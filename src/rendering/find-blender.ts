import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../core/errors.ts';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** PARALLAX_BLENDER, else `blender` on PATH, else the usual places; null when there is none. */
export function findBlender(): string | null {
  const chosen = process.env['PARALLAX_BLENDER'];
  if (chosen !== undefined && chosen !== '') return isExecutable(chosen) ? chosen : null;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = [
    ...folders.map((folder) => join(folder, 'blender')),
    '/opt/blender/blender',
    '/snap/bin/blender',
    '/Applications/Blender.app/Contents/MacOS/Blender',
  ];
  return places.find(isExecutable) ?? null;
}

/** What `parallax doctor` prints about Blender; `path` null when there is none. Never throws. */
export async function describeBlender(): Promise<{
  readonly path: string | null;
  readonly version: string | null;
  readonly advice: string | null;
}> {
  const path = findBlender();
  if (path === null)
    return {
      path,
      version: null,
      advice:
        'Only the renderer "blender" needs it: install Blender 3.4 to 4.x, or set PARALLAX_BLENDER to its program.',
    };
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 60_000, maxBuffer: 1 << 20 });
    return { path, version: /^Blender (\S+)/m.exec(stdout)?.[1] ?? null, advice: null };
  } catch (error) {
    return { path, version: null, advice: `${path} does not answer: ${messageOf(error, 200)}` };
  }
}
