import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AuditError, messageOf } from './errors.ts';
import { relativePath } from './paths.ts';

/**
 * Writes a file whole or not at all (temporary name, then rename). Leaves an identical file untouched.
 * @throws AuditError when the folder cannot be written (read-only, full).
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const temporary = `${path}.${process.pid}.part`;
  try {
    if (sameBytes(path, bytes)) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, bytes);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new AuditError(
      `${relativePath(path)}: cannot write (${messageOf(error)}); expected a writable folder with free space`,
      {
        code: 'ENVIRONMENT',
        cause: error,
      },
    );
  }
}

function sameBytes(path: string, bytes: Uint8Array): boolean {
  try {
    return Buffer.compare(readFileSync(path), bytes) === 0;
  } catch {
    return false;
  }
}
