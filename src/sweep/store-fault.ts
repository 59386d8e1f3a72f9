import { AuditError, messageOf } from '../core/errors.ts';

/**
 * What the disk did to the store is no bug of ours: it becomes one line. Everything else is thrown as it is.
 *
 * @throws AuditError or `error` itself, always.
 */
export function throwStoreFault(path: string, error: unknown): never {
  if (error instanceof AuditError) throw error;
  const text = messageOf(error, 200);
  if (!/IO Error|No space|invalidated|disk|FATAL|Corrupt/i.test(text)) throw error;
  throw new AuditError(`${path}: the store cannot be read or written (${text}); expected free space and a sound disk`, {
    code: 'ENVIRONMENT',
    hint: 'What was stored before stands; run the same command again when there is room.',
    cause: error,
  });
}

/** @throws AuditError: the file that was to be merged is not one of ours. */
export function throwNotAStore(path: string, error: unknown): never {
  throw new AuditError(`${path}: not a store (${messageOf(error, 200)}); expected a DuckDB file written by Parallax`, {
    cause: error,
  });
}
