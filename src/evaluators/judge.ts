import { setMaxListeners } from 'node:events';
import { AuditError, messageOf } from '../core/errors.ts';
import type { JudgeSpec } from '../core/evaluator-spec.ts';
import type { Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import { type Failure, isFailure, type Outcome } from '../core/outcome.ts';
import { Random } from '../core/random.ts';
import type { JointEvaluator, ScoreRequest } from './evaluator.ts';
import type { HostReading } from './hosts/host.ts';
import { type Asked, askHost, JudgeHalt } from './judge/ask-host.ts';
import { JudgeBudget, type Spending } from './judge/budget.ts';
import { composeRequests, promptText, REQUEST_FORM, wrongImages } from './judge/compose-request.ts';
import { writeJudgeRecord } from './judge/judge-record.ts';
import { JudgeTally, type JudgeTallyReport } from './judge/judge-tally.ts';
import { mostTokens } from './judge/most-tokens.ts';
import { PictureCache } from './judge/picture-cache.ts';
import { type ModelPrice, priceOf, requirePrice } from './judge/prices.ts';
import { readPreference, readScore, type Score } from './judge/read-outcome.ts';
import { type Rubric, readRubric } from './judge/read-rubric.ts';
import { judgeFailure } from './judge/reasons.ts';
import { type Redact, redactor } from './judge/redact.ts';
import { RequestFlow } from './judge/request-flow.ts';
import { readsCaption } from './judge/rubric.ts';
import { rubricMismatch } from './judge/rubric-form.ts';
import { baseUrlOf, checkSettings, hostOf, type JudgeSettings, keyVariableOf, settingsOf } from './judge/settings.ts';
import { Slots } from './judge/slots.ts';

export interface JudgeContext {
  /** Folder that relative rubric paths start from (the audit file's). */
  readonly folder: string;
  readonly log: Log;
  /** Where keys are looked up; nothing else is read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Shared by all judges of a run; one without limits when left out (models without a price are then refused). */
  readonly budget?: JudgeBudget;
  /** First wait before asking again, milliseconds (default 500). */
  readonly backoff?: number;
  /** Longest Retry-After that is waited for, milliseconds (default 120,000). */
  readonly maxWait?: number;
}

/** What a judge did so far. */
export interface JudgeReport extends JudgeTallyReport {
  readonly slowed: { readonly times: number; readonly lowest: number };
  readonly spending: Spending;
}

/** A hosted vision-language judge. */
export interface JudgeEvaluator extends JointEvaluator {
  /**
   * What a trial key must cover of evaluator parameters: a rubric's name with its version and content hash, values in their
   * own type.
   * @throws AuditError for an unknown parameter, value or rubric.
   */
  keyParameters(parameters: Json): Json;
  report(): JudgeReport;
}

/**
 * A judge over HTTP. Its rubric is read and its settings are checked at once; the key is looked up and the price is
 * required at the first question, so that a run can be planned without either.
 *
 * Every request ends as a score, or as a failure of a named kind with the raw answer in its record; an answer is never
 * clamped, completed or guessed at. Only connection errors, 429 and 5xx are asked again.
 *
 * @throws AuditError for a rubric or setting that cannot be.
 */
export async function createJudge(spec: JudgeSpec, context: JudgeContext): Promise<JudgeEvaluator> {
  return new Judge(spec, context);
}

class Judge implements JudgeEvaluator {
  readonly kind = 'joint';
  readonly costly = true;
  readonly id: string;
  readonly fingerprint: Json;
  readonly environment: Json = {};
  readonly role: JointEvaluator['role'];
  readonly scale: JointEvaluator['scale'];
  readonly reads: JointEvaluator['reads'];
  readonly batch: number;
  readonly #spec: JudgeSpec;
  readonly #context: JudgeContext;
  readonly #budget: JudgeBudget;
  readonly #flow: RequestFlow;
  readonly #slots: Slots;
  readonly #pictures = new PictureCache();
  readonly #rubrics = new Map<string, Rubric>();
  readonly #tally: JudgeTally;
  readonly #redact: Redact;
  readonly #key: string | null;
  #halted: AuditError | null = null;

  constructor(spec: JudgeSpec, context: JudgeContext) {
    this.#spec = spec;
    this.#context = context;
    this.#budget = context.budget ?? new JudgeBudget();
    const settings = settingsOf(spec);
    const rubric = this.#rubric(spec.rubric);
    checkSettings(spec, settings, rubric.mode === 'logprob');
    this.id = spec.id;
    this.role = spec.role ?? 'alignment';
    this.scale = rubric.scale;
    this.reads = { image: true, caption: readsCaption(rubric), scene: false };
    // Enough to keep every slot busy while the slowest answers of a batch come in.
    this.batch = Math.min(64, spec.concurrency * 4);
    const { rubric: _name, ...shaping } = settings;
    this.fingerprint = {
      kind: 'judge',
      form: REQUEST_FORM,
      endpoint: spec.provider,
      address: baseUrlOf(spec),
      ...shaping,
      rubric: rubricJson(rubric),
      ...askedTogether(spec, rubric),
    };
    this.#flow = new RequestFlow({
      concurrency: spec.concurrency,
      requestsPerMinute: spec.requestsPerMinute,
      tokensPerMinute: spec.tokensPerMinute,
    });
    this.#slots = new Slots(spec.concurrency);
    const variable = keyVariableOf(spec);
    this.#key = variable === null ? null : (context.environment[variable]?.trim() ?? '');
    this.#redact = redactor([this.#key]);
    this.#tally = new JudgeTally(spec.id, {
      ...context.log,
      warn: (message) => context.log.warn(this.#redact(message)),
    });
  }

  /** Every rubric read so far: the spec's own and those of swept levels. */
  get files(): readonly { readonly path: string; readonly role: 'rubric' }[] {
    return [...new Set([...this.#rubrics.values()].map(({ file }) => file))].map((path) => ({ path, role: 'rubric' }));
  }

  keyParameters(parameters: Json): Json {
    const settings = settingsOf(this.#spec, parameters);
    const named = Object.keys(parameters as { [name: string]: Json });
    const result: Record<string, Json> = {};
    for (const name of named)
      result[name] =
        name === 'rubric' ? rubricJson(this.#rubric(settings.rubric)) : (settings[name as keyof JudgeSettings] as Json);
    return result;
  }

  /** Only a used-up budget makes a judge skip. */
  unasked(outcome: Outcome): boolean {
    return outcome.status === 'skipped';
  }

  report(): JudgeReport {
    return { ...this.#tally.report(), slowed: this.#flow.slowed, spending: this.#budget.spending() };
  }

  async *score(requests: readonly ScoreRequest[], signal: AbortSignal): AsyncIterable<readonly [string, Outcome]> {
    if (requests.length === 0) return;
    this.#requireKey();
    this.#price(this.#spec.model);
    // One signal for this call: every request in flight listens to it, and it ends with the call.
    const inner = new AbortController();
    setMaxListeners(0, inner.signal);
    const abort = () => inner.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const finished: { readonly answer: readonly [string, Outcome]; readonly taken: () => void }[] = [];
    let next = 0;
    let running = 0;
    let failure: unknown = null;
    let wake: () => void = () => {};
    const stopped = () => this.#halted !== null || failure !== null || inner.signal.aborted;
    const handOver = (answer: readonly [string, Outcome]) =>
      new Promise<void>((taken) => {
        finished.push({ answer, taken });
        wake();
      });
    const work = async () => {
      while (next < requests.length && !stopped()) {
        await this.#slots.take();
        try {
          const request = requests[next];
          if (request === undefined || stopped()) break;
          next += 1;
          const outcome = await this.#judge(request, inner.signal);
          this.#tally.outcome(outcome);
          await handOver([request.key, outcome]);
        } catch (error) {
          if (error instanceof JudgeHalt) this.#halted = error.auditError;
          else failure ??= error;
        } finally {
          this.#slots.give();
        }
      }
      running -= 1;
      wake();
    };
    running = Math.min(requests.length, this.#spec.concurrency);
    for (let worker = running; worker > 0; worker -= 1) void work();
    try {
      while (running > 0 || finished.length > 0) {
        const item = finished.shift();
        if (item === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        try {
          yield item.answer;
        } finally {
          // The consumer came back (what it was given is safe) or left for good.
          item.taken();
        }
      }
    } finally {
      // A consumer that stops listening gets no further request made on its behalf.
      next = requests.length;
      signal.removeEventListener('abort', abort);
      if (running > 0) inner.abort();
      for (const { taken } of finished.splice(0)) taken();
    }
    // What was answered has been handed over; only then does trouble stop the run.
    signal.throwIfAborted();
    if (failure !== null) throw failure;
    if (this.#halted !== null) throw this.#halted;
  }

  async close(): Promise<void> {
    this.#flow.close();
  }

  async #judge(request: ScoreRequest, signal: AbortSignal): Promise<Outcome> {
    if (this.#budget.stopped !== null) return judgeFailure('budget', this.#budget.stopped);
    const prepared = this.#prepare(request);
    if (isFailure(prepared)) return prepared;
    const { settings, rubric } = prepared;
    let pictures: string[];
    try {
      pictures = await Promise.all(request.images.map((image) => this.#pictures.png(image)));
    } catch (error) {
      return judgeFailure('invalid-request', messageOf(error, 200));
    }
    const [width, height] = [request.images[0]?.width ?? 0, request.images[0]?.height ?? 0];
    const price = this.#price(settings.model);
    const asked: Asked[] = [];
    for (const message of composeRequests(rubric, settings, pictures, request.caption)) {
      const answer = await askHost(message, {
        host: hostOf(this.#spec),
        access: { baseUrl: baseUrlOf(this.#spec), key: this.#key, timeout: this.#spec.timeout * 1000, signal },
        flow: this.#flow,
        budget: this.#budget,
        price,
        most: mostTokens(message, price, width, height),
        attempts: this.#spec.attempts,
        backoff: this.#context.backoff ?? 500,
        maxWait: this.#context.maxWait ?? 120_000,
        random: new Random(0, 'judge-wait', request.key, asked.length),
        answeredBefore: () => this.#tally.answered > 0,
      }).catch((error: unknown) => {
        throw error instanceof JudgeHalt ? new JudgeHalt(this.#redacted(error.auditError)) : error;
      });
      asked.push(answer);
      this.#tally.asked(settings.model, answer);
      if (answer.failure !== null) break;
    }
    const prompt = promptText(rubric, request.caption);
    return this.#outcome(resultOf(asked, rubric, prompt), asked);
  }

  #outcome(result: Score | Failure, asked: readonly Asked[]): Outcome {
    if (isFailure(result))
      return {
        status: result.status,
        reason: this.#redact(result.reason),
        record: writeJudgeRecord({}, asked, this.#redact),
      };
    return { status: 'scored', value: result.value, record: writeJudgeRecord(result.fields, asked, this.#redact) };
  }

  /** Settings and rubric of one request, or why it cannot be asked. */
  #prepare(request: ScoreRequest): { settings: JudgeSettings; rubric: Rubric } | Failure {
    try {
      const settings = settingsOf(this.#spec, request.parameters);
      const rubric = this.#rubric(settings.rubric);
      checkSettings(this.#spec, settings, rubric.mode === 'logprob');
      const mismatch = rubricMismatch(this.#rubric(this.#spec.rubric), rubric);
      if (mismatch !== null) throw new AuditError(`rubric ${rubric.id}: ${mismatch}`);
      const wrong = wrongImages(rubric, request.images.length);
      if (wrong !== null) throw new AuditError(`rubric ${rubric.id}: ${wrong}`);
      if (readsCaption(rubric) && request.caption === undefined)
        throw new AuditError(`rubric ${rubric.id}: no caption; expected one`);
      return { settings, rubric };
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return judgeFailure('invalid-request', error.message);
    }
  }

  #rubric(name: string): Rubric {
    const known = this.#rubrics.get(name);
    if (known !== undefined) return known;
    const rubric = readRubric(name, this.#context.folder);
    this.#rubrics.set(name, rubric);
    return rubric;
  }

  #price(model: string): ModelPrice | null {
    if (this.#budget.allowUnpriced) return priceOf(this.#spec, model, this.#budget.prices);
    return requirePrice(this.#spec, model, this.#budget.prices);
  }

  #requireKey(): void {
    if (this.#key !== '') return;
    throw new AuditError(
      `evaluators.${this.id}: environment variable ${keyVariableOf(this.#spec)} is not set; expected the key of ${this.#spec.provider}`,
      { code: 'ENVIRONMENT' },
    );
  }

  #redacted(error: AuditError): AuditError {
    return new AuditError(this.#redact(error.message), {
      code: error.code,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
  }
}

/** What of the question lies outside one picture: views shown together, and how pairs become a score. */
function askedTogether(spec: JudgeSpec, rubric: Rubric): { readonly [name: string]: Json } {
  if (rubric.mode === 'pairwise') return { pairs: 'all, in both orders', aggregate: 'mean preference over pairs' };
  return spec.views === undefined ? {} : { views: [...spec.views], aggregate: 'several views in one request' };
}

function rubricJson({ id, version, sha256 }: Rubric): Json {
  return { id, version, sha256 };
}

function resultOf(asked: readonly Asked[], rubric: Rubric, prompt: string): Score | Failure {
  const readings: HostReading[] = [];
  for (const { reading, failure } of asked) {
    if (failure !== null) return failure;
    readings.push(reading as HostReading);
  }
  if (rubric.mode === 'pairwise') return readPreference(readings, rubric, prompt);
  return readScore(readings[0] as HostReading, rubric, prompt);
}
