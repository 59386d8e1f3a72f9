import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AuditError, isAbort, messageOf, quoted } from '../core/errors.ts';
import type { CommandSpec } from '../core/evaluator-spec.ts';
import { hashFile } from '../core/hash.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Outcome } from '../core/outcome.ts';
import { type Program, ProgramStopped, startProgram } from './command-process.ts';
import { type Answer, answerSchema, COMMAND_PROTOCOL, type Hello, helloSchema } from './command-protocol.ts';
import type { JointEvaluator, ScoreRequest } from './evaluator.ts';
import { imageFault } from './image-fault.ts';
import { createImageFolder, type ImageFolder } from './image-folder.ts';

export interface CommandContext {
  readonly folder: string;
  readonly log: Log;
  readonly signal?: AbortSignal;
}

/**
 * Any program as an evaluator: started once, asked in JSON lines, restarted after a crash. Requests that were in the
 * air when it stopped are asked again one by one, so that one bad input costs one outcome. See docs/evaluators.md.
 *
 * @throws AuditError when the program cannot be started or does not introduce itself.
 */
export async function createCommand(spec: CommandSpec, context: CommandContext): Promise<JointEvaluator> {
  const { log } = context;
  const signal = context.signal ?? new AbortController().signal;
  const launch = (): Promise<Program> =>
    startProgram({ id: spec.id, run: spec.run, folder: context.folder, environment: spec.environment, log });
  const files = await localFiles(spec.run, context.folder);
  const first = await launch();
  let hello: Hello;
  try {
    hello = await greet(spec, first, signal);
  } catch (error) {
    await first.stop(0);
    throw error;
  }
  const { min, max } = hello.scale;
  const state = new CommandState(spec, hello, first, launch, log);
  return {
    id: spec.id,
    kind: 'joint',
    role: spec.role ?? hello.role ?? 'alignment',
    fingerprint: {
      kind: 'command',
      name: hello.name,
      version: hello.version,
      scale: { ...hello.scale },
      reads: { ...hello.reads },
      declared: hello.fingerprint ?? null,
      program: await programFingerprint(spec.run, files),
    },
    environment: (hello.environment ?? {}) as Json,
    scale: { name: hello.scale.name, min, max },
    reads: hello.reads,
    files: [...files.values()].map((path) => ({ path, role: 'model' })),
    batch: Math.min(spec.batch ?? hello.batch, hello.batch),
    score: (requests, abort) => state.score(requests, abort),
    close: () => state.close(),
  };
}

/** Arguments that name local files, by position. The program itself counts only when it is given as a relative path. */
async function localFiles(run: readonly string[], folder: string): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const [index, part] of run.entries()) {
    if (index === 0 && !part.startsWith('.')) continue;
    const path = resolve(folder, part);
    const isFile = await stat(path).then(
      (info) => info.isFile(),
      () => false,
    );
    if (isFile) found.set(index, path);
  }
  return found;
}

/** The arguments, with every local file replaced by the hash of its content: a moved script is the same evaluator. */
async function programFingerprint(run: readonly string[], files: ReadonlyMap<number, string>): Promise<Json> {
  const parts: Json[] = [];
  for (const [index, part] of run.entries()) {
    const path = files.get(index);
    parts.push(path === undefined ? part : { sha256: await hashFile(path) });
  }
  return parts;
}

/** Exchanges the first lines. @throws AuditError when the program says nothing, or not what the protocol wants. */
async function greet(spec: CommandSpec, program: Program, signal: AbortSignal): Promise<Hello> {
  let line: unknown;
  try {
    await program.send({ type: 'hello', protocol: COMMAND_PROTOCOL, tool: 'parallax' });
    line = await program.receive(spec.timeout, signal);
  } catch (error) {
    if (!(error instanceof ProgramStopped)) throw error;
    throw new AuditError(
      `${spec.id}: no greeting from ${quoted(spec.run.join(' '))}: ${error.message}${lastError(program)}; expected a line {"type":"hello","protocol":${COMMAND_PROTOCOL},...}`,
      { code: 'ENVIRONMENT', cause: error },
    );
  }
  const parsed = helloSchema.safeParse(line);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AuditError(
      `${spec.id}: invalid greeting at ${quoted(issue?.path.join('.') ?? '')} (${messageOf(issue?.message, 120)}); expected {"type":"hello","protocol":${COMMAND_PROTOCOL},"name","version","scale","reads","batch"}`,
    );
  }
  if (!parsed.data.reads.image && !parsed.data.reads.caption && !parsed.data.reads.scene)
    throw new AuditError(`${spec.id}: the greeting says it reads nothing; expected "reads" with at least one true`);
  return parsed.data;
}

function lastError(program: Program): string {
  const last = program.errors().split('\n').at(-1) ?? '';
  return last === '' ? '' : ` (${messageOf(last, 160)})`;
}

/** The life of one program: who is being asked, how often it was restarted, what waits. */
class CommandState {
  readonly #spec: CommandSpec;
  readonly #hello: Hello;
  readonly #launch: () => Promise<Program>;
  readonly #log: Log;
  #program: Program | undefined;
  #images: ImageFolder | undefined;
  #restarts = 0;
  #asked = 0;
  #givenUp: string | undefined;
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(spec: CommandSpec, hello: Hello, program: Program, launch: () => Promise<Program>, log: Log) {
    this.#spec = spec;
    this.#hello = hello;
    this.#program = program;
    this.#launch = launch;
    this.#log = log;
  }

  async *score(requests: readonly ScoreRequest[], signal: AbortSignal): AsyncIterable<readonly [string, Outcome]> {
    // One conversation at a time, whatever the caller does.
    const before = this.#turn;
    let release = (): void => {};
    this.#turn = new Promise((done) => {
      release = done;
    });
    await before;
    try {
      yield* this.#scoreAll(requests, signal);
    } finally {
      release();
    }
  }

  async *#scoreAll(requests: readonly ScoreRequest[], signal: AbortSignal): AsyncIterable<readonly [string, Outcome]> {
    const size = Math.min(this.#spec.batch ?? this.#hello.batch, this.#hello.batch);
    const waiting = [...requests];
    /** Requests that were in the air when the program stopped: asked one by one. */
    const suspects: ScoreRequest[] = [];
    while (waiting.length > 0 || suspects.length > 0) {
      signal.throwIfAborted();
      if (this.#givenUp !== undefined) {
        const reason = this.#givenUp;
        for (const request of [...suspects.splice(0), ...waiting.splice(0)])
          yield [request.key, { status: 'failed', reason }];
        return;
      }
      const alone = suspects.length > 0;
      const asked = alone ? suspects.splice(0, 1) : waiting.splice(0, size);
      const open = new Map<string, ScoreRequest>();
      try {
        const program = await this.#running(signal);
        for await (const [request, outcome] of this.#ask(program, asked, open, signal)) yield [request.key, outcome];
      } catch (error) {
        if (!(error instanceof ProgramStopped)) {
          // Cancelled in mid-air: its answers would arrive in the next conversation.
          await this.#drop();
          throw error;
        }
        const stopped = await this.#lose(error);
        const left = open.size > 0 ? [...open.values()] : asked;
        if (alone || asked.length === 1)
          for (const request of left) yield [request.key, { status: 'failed', ...stopped }];
        else suspects.push(...left);
      }
    }
  }

  /** Sends one message with all requests and yields an outcome for each as its line arrives. `open` holds the unanswered. */
  async *#ask(
    program: Program,
    requests: readonly ScoreRequest[],
    open: Map<string, ScoreRequest>,
    signal: AbortSignal,
  ): AsyncIterable<readonly [ScoreRequest, Outcome]> {
    const messages: unknown[] = [];
    for (const request of requests) {
      this.#asked += 1;
      const id = String(this.#asked);
      const message = await this.#message(id, request);
      if (typeof message === 'string') {
        yield [request, { status: 'failed', reason: message }];
        continue;
      }
      open.set(id, request);
      messages.push(message);
    }
    if (messages.length === 0) return;
    await program.send({ type: 'score', requests: messages });
    while (open.size > 0) {
      const answer = this.#check(await program.receive(this.#spec.timeout, signal), open);
      const request = open.get(answer.id) as ScoreRequest;
      open.delete(answer.id);
      yield [request, this.#outcome(answer)];
    }
    await this.#images?.tidy();
  }

  /** The request as the program reads it, or why it cannot be made. */
  async #message(id: string, request: ScoreRequest): Promise<unknown> {
    const { reads } = this.#hello;
    if (reads.image && request.images.length === 0) return 'no image was given to a program that reads images';
    if (reads.caption && request.caption === undefined) return 'no caption was given to a program that reads captions';
    if (reads.scene && request.scene === undefined) return 'no scene was given to a program that reads scenes';
    const images: unknown[] = [];
    if (reads.image) {
      const fault = request.images.map(imageFault).find((found) => found !== null);
      if (fault !== undefined) return fault;
      this.#images ??= await createImageFolder();
      for (const image of request.images)
        images.push({ key: image.key, path: await this.#images.path(image), width: image.width, height: image.height });
    }
    return {
      id,
      ...(reads.image ? { images } : {}),
      ...(reads.caption ? { caption: request.caption } : {}),
      ...(reads.scene && request.scene !== undefined
        ? {
            scene: {
              id: request.scene.scene.id,
              json: resolve(request.scene.folder, 'scene.json'),
              glb: resolve(request.scene.folder, 'scene.glb'),
            },
          }
        : {}),
      parameters: request.parameters,
      repeat: request.repeat,
    };
  }

  #check(line: unknown, open: ReadonlyMap<string, ScoreRequest>): Answer {
    const parsed = answerSchema.safeParse(line);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new ProgramStopped(
        `program answered ${quoted(line)}; expected {"id","status":"scored","value"} or {"id","status":"failed","reason"} (${issue?.path.join('.') ?? ''}: ${messageOf(issue?.message, 80)})`,
      );
    }
    if (!open.has(parsed.data.id))
      throw new ProgramStopped(`program answered request ${quoted(parsed.data.id)}; expected an id that is open, once`);
    return parsed.data;
  }

  #outcome(answer: Answer): Outcome {
    const record = answer.record === undefined ? {} : { record: answer.record };
    if (answer.status !== 'scored') return { status: answer.status, reason: messageOf(answer.reason), ...record };
    const { min, max } = this.#hello.scale;
    if ((min !== null && answer.value < min) || (max !== null && answer.value > max))
      return {
        status: 'failed',
        reason: `score ${answer.value} is outside the declared scale ${min ?? '-infinity'} to ${max ?? 'infinity'}`,
        ...record,
      };
    return { status: 'scored', value: answer.value, ...record };
  }

  /** The running program, started again when it was lost. @throws AuditError when another program answers the greeting. */
  async #running(signal: AbortSignal): Promise<Program> {
    if (this.#closed) throw new AuditError(`${this.#spec.id}: used after close; expected an open evaluator`);
    if (this.#program !== undefined) return this.#program;
    const program = await this.#launch();
    this.#program = program;
    let hello: Hello;
    try {
      hello = await greet(this.#spec, program, signal);
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new ProgramStopped(`program could not be restarted: ${messageOf(error, 300)}`);
    }
    if (canonicalJson(hello) !== canonicalJson(this.#hello))
      throw new AuditError(
        `${this.#spec.id}: the restarted program introduced itself as another (${quoted(`${hello.name} ${hello.version}`)}); expected the same greeting each time`,
      );
    return program;
  }

  /** Notes that the program is gone; gives the reason and the end of its standard error for the record. */
  async #lose(error: ProgramStopped): Promise<{ reason: string; record?: string }> {
    const program = this.#program;
    await this.#drop();
    const errors = program?.errors() ?? '';
    const reason = `${error.message}${program === undefined ? '' : lastError(program)}`;
    this.#restarts += 1;
    if (this.#restarts > this.#spec.restarts)
      this.#givenUp = messageOf(`program stopped ${this.#restarts} times, last: ${reason}`);
    else this.#log.warn(`${this.#spec.id}: ${reason}; restart ${this.#restarts} of ${this.#spec.restarts}`);
    return { reason: messageOf(reason), ...(errors === '' ? {} : { record: errors }) };
  }

  async #drop(): Promise<void> {
    const program = this.#program;
    this.#program = undefined;
    await program?.stop(0);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const program = this.#program;
    this.#program = undefined;
    await program?.send({ type: 'close' }).catch(() => {});
    await program?.stop(5);
    await this.#images?.remove();
  }
}
