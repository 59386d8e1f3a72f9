import { isAbsolute, relative, resolve, sep } from 'node:path';
import { AuditError, quoted } from './errors.ts';

/** A path for people: relative to the working folder when below it, else absolute; "/" separators. */
export function relativePath(path: string, from = process.cwd()): string {
  const short = relative(from, resolve(path));
  const shown = short.startsWith('..') || isAbsolute(short) || short === '' ? resolve(path) : short;
  return shown.split(sep).join('/');
}

/** A path relative to a folder, "/" separators, `..` allowed: for records that must not depend on where the project lies. */
export function recordedPath(path: string, folder: string): string {
  return relative(folder, resolve(path)).split(sep).join('/');
}

/**
 * Joins an untrusted relative path to a folder it must not leave.
 * @throws AuditError when it does.
 */
export function insideFolder(folder: string, untrusted: string, where: string): string {
  const target = resolve(folder, untrusted);
  const short = relative(resolve(folder), target);
  if (short.startsWith('..') || isAbsolute(short) || untrusted.includes('\u0000'))
    throw new AuditError(
      `${where}: path ${quoted(untrusted)} leaves its folder; expected a path inside ${quoted(relativePath(folder))}`,
    );
  return target;
}
