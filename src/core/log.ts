/** Where library code reports; silent unless the caller supplies one. Never receives secrets. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
}

/** Discards everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {} };

/** A step of long work: `done` of `total`, of which `failed` ended without a result. */
export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

export type OnProgress = (progress: Progress) => void;
