import { AuditError, messageOf } from '../../src/core/errors.ts';
import type { Random } from '../../src/core/random.ts';

/** What became of a damaged input: read, or refused with a reason. Anything else is a finding and is thrown. */
export type Verdict = 'accepted' | 'refused';

/** One damaged input. */
export interface FuzzInput {
  /** File name it is given. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A kind that is ready to run in a folder of its own. */
export interface FuzzTarget {
  /** Damages one of the kind's good inputs; the same `random` gives the same input. */
  make(random: Random): FuzzInput;
  /**
   * Reads the input with the program's own code.
   *
   * @throws anything for a crash, a path escape or a half-written result
   */
  check(input: FuzzInput, run: number): Promise<Verdict>;
}

/** One kind of input that users bring. */
export interface FuzzKind {
  readonly name: string;
  /** True when nothing is refused: damage only loses what was damaged. */
  readonly tolerant?: boolean;
  /** @param folder an empty folder of the kind's own; nothing outside it may be read as data or written */
  prepare(folder: string): Promise<FuzzTarget>;
}

/** Runs `action`; an `AuditError` of one line is a refusal, every other error is a finding. */
export async function verdictOf(action: () => unknown): Promise<Verdict> {
  try {
    await action();
    return 'accepted';
  } catch (error) {
    requireRefusal(error);
    return 'refused';
  }
}

/** @throws the error itself when it is not a refusal that a user can read */
export function requireRefusal(error: unknown): asserts error is AuditError {
  if (!(error instanceof AuditError)) throw error;
  requireLine(error.message);
}

/** @throws when the text cannot be shown on one line of a terminal */
export function requireLine(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not reach a terminal
  if (text.length < 10 || text.length > 3000 || /[\u0000-\u001f\u007f-\u009f]/.test(text))
    throw new Error(`not one clear line (${text.length} characters): ${JSON.stringify(messageOf(text, 200))}`);
}
