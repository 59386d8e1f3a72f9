import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzJob, FuzzMessage } from './worker.ts';

const root = join(import.meta.dirname, '..', '..');
/** A case that says nothing for this long hangs, milliseconds: thousands of times what any takes. */
const HANG = 120_000;

/** One case that ended as none may. */
export interface FuzzFinding {
  readonly kind: string;
  readonly run: number;
  readonly what: string;
  /** File with the input, for replaying; empty when the process died with it. */
  readonly input: string;
}

/** Counts of one kind. */
export interface FuzzResult {
  readonly kind: string;
  readonly cases: number;
  readonly accepted: number;
  readonly refused: number;
  readonly findings: readonly FuzzFinding[];
}

/** A process that runs cases one after the other and can be killed without harm. */
export class FuzzWorker {
  #child: ChildProcess | null = null;
  readonly #keep: string;

  /** @param keep folder that keeps the inputs of findings */
  constructor(keep: string) {
    this.#keep = keep;
    mkdirSync(keep, { recursive: true });
  }

  /**
   * Runs cases `from` to `to` (exclusive) of a kind. A case that kills the process, or hangs, is a finding like any other and the
   * next process goes on behind it; a kind that cannot even be prepared throws.
   */
  async run(kind: string, from: number, to: number, onCase: (run: number) => void = () => {}): Promise<FuzzResult> {
    const findings: FuzzFinding[] = [];
    let [accepted, refused] = [0, 0];
    let next = from;
    while (next < to) {
      const died = await this.#job({ kind, from: next, to, keep: this.#keep }, (message) => {
        if ('begins' in message) next = message.begins;
        else if ('verdict' in message) {
          if (message.verdict === 'accepted') accepted += 1;
          else refused += 1;
          next = message.run + 1;
          onCase(next);
        } else if ('finding' in message) {
          findings.push({ kind, run: message.run, what: message.finding, input: message.input });
          next = message.run + 1;
          onCase(next);
        }
      });
      if (died === null) break;
      if (died.begun === null) throw new Error(`fuzz: ${kind}: the process died before its first case (${died.how})`);
      findings.push({ kind, run: died.begun, what: died.how, input: '' });
      next = died.begun + 1;
    }
    return { kind, cases: to - from, accepted, refused, findings };
  }

  /** Runs one job to its end; what became of the process when it did not get there. */
  #job(job: FuzzJob, onMessage: (message: FuzzMessage) => void): Promise<{ how: string; begun: number | null } | null> {
    const child = this.#start();
    return new Promise((resolve) => {
      let begun: number | null = null;
      let hung = false;
      let timer: NodeJS.Timeout;
      const watch = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          hung = true;
          child.kill('SIGKILL');
        }, HANG);
      };
      const end = (outcome: { how: string; begun: number | null } | null): void => {
        clearTimeout(timer);
        child.off('message', listen);
        child.off('exit', left);
        resolve(outcome);
      };
      const listen = (message: FuzzMessage): void => {
        watch();
        onMessage(message);
        if ('begins' in message) begun = message.begins;
        if ('done' in message) end(null);
      };
      const left = (code: number | null, signal: string | null): void => {
        this.#child = null;
        end({
          how: hung ? `hang: nothing for ${HANG / 1000} s` : `the process died (${signal ?? `exit ${code}`})`,
          begun,
        });
      };
      child.on('message', listen);
      child.on('exit', left);
      watch();
      child.send(job);
    });
  }

  #start(): ChildProcess {
    this.#child ??= fork(join(root, 'scripts', 'run-ts.mjs'), [join(root, 'tests', 'fuzz', 'worker.ts')], {
      cwd: root,
      execArgv: ['--max-old-space-size=1500'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return this.#child;
  }

  /** Ends the process. */
  close(): void {
    this.#child?.removeAllListeners('exit');
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }
}
