import type { Log, OnProgress } from '../core/log.ts';

/** What every command gets: where to print, how to stop, and the flags all commands share. */
export interface CommandContext {
  /** Prints one line (or a block) of results. */
  readonly print: (text: string) => void;
  readonly log: Log;
  readonly onProgress: OnProgress;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  /** Ends the progress display before results are printed. */
  readonly endProgress: () => void;
}

/** Default place of the store, below the working folder. */
export const DEFAULT_STORE = '.parallax/store.duckdb';
