/** Stable machine-readable classes of user error. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'UNKNOWN_KEY'
  | 'MISSING_FILE'
  | 'HASH_MISMATCH'
  | 'ENVIRONMENT'
  | 'USAGE'
  | 'GATE'
  | 'BUDGET'
  | 'INTERRUPTED';

/**
 * A condition the user can mend: the command line prints the message (one line) and the hint, and exits 1.
 * Every other exception is our own bug: it shows a stack trace and exits 70.
 *
 * Messages read `<where>: <what is wrong> "<value>"; expected <what>`.
 */
export class AuditError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(message: string, options: { code?: ErrorCode; hint?: string; cause?: unknown } = {}) {
    super(oneLine(message, MESSAGE_LENGTH), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AuditError';
    this.code = options.code ?? 'INVALID_INPUT';
    this.hint = options.hint;
  }
}

/** Longest message; what is cut are paths and ids longer than any honest one. */
const MESSAGE_LENGTH = 2000;

/** Exit codes of the command line (design section 10). */
export const EXIT = { done: 0, mendable: 1, usage: 2, bug: 70, gate: 100, interrupted: 130 } as const;

/** Message of anything that was thrown, on one line, control characters replaced, cut to `limit` characters. */
export function messageOf(error: unknown, limit = 500): string {
  return oneLine(error instanceof Error ? error.message : String(error), limit);
}

/** Text that can be shown on a terminal: one line without control characters or changes of direction. */
function oneLine(text: string, limit: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters from untrusted text must not reach a terminal
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** Quotes an untrusted value for an error message: JSON form, one line, cut to 80 characters. */
export function quoted(value: unknown): string {
  let text: string;
  try {
    text = typeof value === 'string' ? JSON.stringify(value) : `"${JSON.stringify(value) ?? String(value)}"`;
  } catch {
    text = `"${String(value)}"`;
  }
  return text.length > 80 ? `${text.slice(0, 78)}…"` : text;
}

/** True when `error` is an abort (Ctrl+C or a cancelled signal). */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error as { code?: unknown }).code === 'ABORT_ERR');
}
