import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Log } from '../core/log.ts';

/** Longest line accepted from a program, bytes. */
const LONGEST_LINE = 4 << 20;
/** How much of its standard error is kept, characters. */
const KEPT_ERRORS = 64 << 10;

/**
 * Environment variables every program gets; anything else must be named in the audit file (`environment:`), so that no key
 * or token reaches a program by accident.
 */
export const PASSED_ENVIRONMENT = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TMPDIR',
  'TZ',
  'LD_LIBRARY_PATH',
  'SYSTEMROOT',
  'PATHEXT',
  'USERPROFILE',
  'TEMP',
] as const;

/** The program stopped, broke the protocol or kept silent too long; the message says which. */
export class ProgramStopped extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramStopped';
  }
}

/** A started program that exchanges JSON lines. */
export interface Program {
  /** Writes one message; waits while the program is not reading. */
  send(message: unknown): Promise<void>;
  /** The next line, parsed. @throws ProgramStopped when none comes. */
  receive(seconds: number, signal: AbortSignal): Promise<unknown>;
  /** The last lines of its standard error, for reasons and records. */
  errors(): string;
  /** Lets it finish: closes its input, waits, then ends it and everything it started. */
  stop(seconds: number): Promise<void>;
}

export interface ProgramOptions {
  readonly id: string;
  readonly run: readonly string[];
  readonly folder: string;
  readonly environment: readonly string[];
  readonly log: Log;
}

function environmentOf(names: readonly string[]): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of [...PASSED_ENVIRONMENT, ...names]) {
    const value = process.env[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}

/** Starts a program without a shell, in the audit file's folder. @throws AuditError when it cannot be started. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const [file, ...parameters] = options.run;
  const child = spawn(file as string, parameters, {
    cwd: options.folder,
    env: environmentOf(options.environment),
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    // A group of its own: Ctrl+C reaches it through us, and ending it ends what it started.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(
        new AuditError(
          `${options.id}: cannot start ${quoted(file)} (${messageOf(error, 120)}); expected an installed program (evaluators: run:)`,
          { code: 'ENVIRONMENT', cause: error },
        ),
      ),
    );
  });
  return new RunningProgram(child, options);
}

class RunningProgram implements Program {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: unknown[] = [];
  readonly #ended: Promise<void>;
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #stopped: ProgramStopped | undefined;
  #errors = '';
  #wake: (() => void) | undefined;

  constructor(child: ChildProcessWithoutNullStreams, options: ProgramOptions) {
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_ERRORS);
      for (const line of text.split('\n')) if (line.trim() !== '') options.log.debug(`${options.id}: ${line}`);
    });
    // Writing to a program that has gone raises EPIPE here; `close` below reports it better.
    child.stdin.on('error', () => {});
    child.on('error', (error) => this.#fail(`program failed: ${messageOf(error, 120)}`));
    this.#ended = new Promise((resolve) => {
      // `close` comes after the last output was read, `exit` may come before.
      child.once('close', (code, signal) => {
        this.#fail(signal === null ? `program ended with exit code ${code}` : `program was ended by ${signal}`);
        resolve();
      });
    });
  }

  #fail(reason: string): void {
    this.#stopped ??= new ProgramStopped(reason);
    this.#wake?.();
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      this.#partial.push(rest.subarray(0, end));
      this.#line(Buffer.concat(this.#partial).toString('utf8').trim());
      this.#partial = [];
      this.#partialBytes = 0;
      rest = rest.subarray(end + 1);
    }
    this.#partialBytes += rest.length;
    if (this.#partialBytes > LONGEST_LINE) {
      this.#fail(`program wrote a line of more than ${LONGEST_LINE} bytes; expected JSON lines`);
      this.#partial = [];
      this.#partialBytes = 0;
      this.#kill('SIGKILL');
      return;
    }
    if (rest.length > 0) this.#partial.push(rest);
  }

  #line(text: string): void {
    if (text === '') return;
    try {
      this.#lines.push(JSON.parse(text));
    } catch {
      this.#fail(
        `program wrote ${quoted(text)} to standard output; expected JSON lines only (print to standard error)`,
      );
    }
    this.#wake?.();
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Already gone.
    }
  }

  async send(message: unknown): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    if (this.#child.stdin.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#child.stdin.off('drain', done);
        this.#child.stdin.off('close', done);
        resolve();
      };
      this.#child.stdin.once('drain', done);
      this.#child.stdin.once('close', done);
    });
  }

  async receive(seconds: number, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#lines.length === 0 && this.#stopped === undefined)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          this.#fail(`no answer within ${seconds} s`);
          resolve();
        }, seconds * 1000);
        const finish = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', finish);
          this.#wake = undefined;
          resolve();
        };
        this.#wake = finish;
        signal.addEventListener('abort', finish, { once: true });
      });
    signal.throwIfAborted();
    // Lines that arrived before the end still count.
    if (this.#lines.length > 0) return this.#lines.shift();
    throw this.#stopped ?? new ProgramStopped('program stopped');
  }

  errors(): string {
    return this.#errors.trim().split('\n').slice(-20).join('\n');
  }

  async stop(seconds: number): Promise<void> {
    const within = (milliseconds: number): Promise<boolean> =>
      Promise.race([
        this.#ended.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), milliseconds).unref()),
      ]);
    this.#child.stdin.end();
    if (seconds > 0 && (await within(seconds * 1000))) return;
    this.#kill('SIGTERM');
    if (await within(2000)) return;
    this.#kill('SIGKILL');
    await this.#ended;
  }
}
