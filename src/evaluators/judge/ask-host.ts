import { AuditError, messageOf } from '../../core/errors.ts';
import type { Failure } from '../../core/outcome.ts';
import type { Random } from '../../core/random.ts';
import type { Exchange } from '../hosts/exchange.ts';
import type { Host, HostAccess, HostReading, HostRequest } from '../hosts/host.ts';
import { property, textOf } from '../hosts/untrusted.ts';
import type { JudgeBudget, Reservation, Tokens } from './budget.ts';
import type { ModelPrice } from './prices.ts';
import { judgeFailure } from './reasons.ts';
import { pause, type RequestFlow } from './request-flow.ts';
import { retryAfter } from './retry-after.ts';

/** One HTTP request that was made: its status (0 when there was no answer) and what came of it. */
export interface Attempt {
  readonly status: number;
  readonly note: string;
}

/** What a host gave in the end: a reading, or the failure that ended it. */
export interface Asked {
  readonly reading: HostReading | null;
  readonly failure: Failure | null;
  readonly attempts: readonly Attempt[];
  /** Body of the last answer. */
  readonly body: string;
  /** The provider's id of the last answer. */
  readonly requestId: string | null;
}

export interface AskOptions {
  readonly host: Host;
  readonly access: HostAccess;
  readonly flow: RequestFlow;
  readonly budget: JudgeBudget;
  readonly price: ModelPrice | null;
  /** Most tokens the request can take; what is set aside. */
  readonly most: Tokens;
  /** HTTP requests at most. */
  readonly attempts: number;
  /** First wait after a failure without Retry-After, milliseconds; it doubles each time, up to a minute. */
  readonly backoff: number;
  /** Longest Retry-After that is waited for, milliseconds. */
  readonly maxWait: number;
  /** Spreads the waits. */
  readonly random: Random;
  /** True once this judge has had an answer: a 404 is then the request's own fault. */
  readonly answeredBefore: () => boolean;
}

/** Thrown out of a request to stop the whole judge: every further request would fail alike. */
export class JudgeHalt extends Error {
  readonly auditError: AuditError;
  constructor(auditError: AuditError) {
    super(auditError.message);
    this.auditError = auditError;
  }
}

const FILTER_CODES = ['content_filter', 'content_policy_violation', 'ResponsibleAIPolicyViolation'];
const QUOTA_CODES = ['insufficient_quota', 'billing_hard_limit_reached', 'credit_balance_too_low'];

/**
 * Asks a host one question. Connection errors, 429 and 5xx are asked again, within bounds; everything else is final: a
 * time-out, a refusal, an answer that cannot be read.
 *
 * @throws JudgeHalt when the key or the account does not work; the signal's reason when it is aborted.
 */
export async function askHost(request: HostRequest, options: AskOptions): Promise<Asked> {
  const { host, access, flow, budget } = options;
  const attempts: Attempt[] = [];
  const end = (failure: Failure, body = '', requestId: string | null = null): Asked => ({
    reading: null,
    failure,
    attempts,
    body,
    requestId,
  });
  while (true) {
    const reservation = await budget.reserve(options.most, options.price, access.signal);
    if (reservation === null) return end(judgeFailure('budget', budget.stopped ?? 'exhausted'));
    const result = await send(request, options, attempts.length > 0, reservation);
    const last = attempts.length + 1 >= options.attempts;
    if (result.kind === 'timeout' || result.kind === 'oversized') {
      attempts.push({ status: 0, note: result.kind });
      return end(judgeFailure(result.kind === 'timeout' ? 'timeout' : 'malformed-response', result.detail));
    }
    if (result.kind === 'connection') {
      attempts.push({ status: 0, note: result.detail });
      if (last) return end(judgeFailure('connection', `${result.detail}; ${tried(attempts)}`));
      await pause(backoff(options, attempts.length), access.signal);
      continue;
    }
    const body = parsed(result.body);
    const requestId = result.headers['x-request-id'] ?? result.headers['request-id'] ?? null;
    const status = statusOf(result.status, body);
    attempts.push({
      status,
      note: result.headers['retry-after'] ? `retry-after ${result.headers['retry-after']}` : '',
    });
    if (status === 200) {
      flow.speedUp();
      if (body === undefined)
        return end(
          judgeFailure('malformed-response', `answer of ${result.body.length} characters is not JSON`),
          result.body,
          requestId,
        );
      return { reading: host.read(body), failure: null, attempts, body: result.body, requestId };
    }
    const message = errorMessage(body, result.body);
    haltOn(status, body, message, options);
    if (status !== 429 && status < 500) return end(rejection(status, body, message), result.body, requestId);
    const asked = retryAfter(result.headers, body);
    const wait = asked === null ? backoff(options, attempts.length) : asked * (1 + 0.1 * options.random.next());
    if (status === 429) flow.slowDown(Math.min(wait, options.maxWait));
    const kind = status === 429 ? 'rate-limited' : 'server-error';
    if (last)
      return end(judgeFailure(kind, `status ${status}, ${message}; ${tried(attempts)}`), result.body, requestId);
    if (wait > options.maxWait * 1.1)
      return end(
        judgeFailure(
          kind,
          `status ${status} asks to wait ${wait / 1000} s; expected at most ${options.maxWait / 1000} s`,
        ),
        result.body,
        requestId,
      );
    await pause(wait, access.signal);
  }
}

/** One HTTP request in its turn; the room set aside is given back whatever happens. */
async function send(
  request: HostRequest,
  { host, access, flow, most }: AskOptions,
  again: boolean,
  reservation: Reservation,
): Promise<Exchange> {
  let started = false;
  let used: Tokens | 'unknown' | 'nothing' = 'nothing';
  try {
    const result = await flow.run(most.input + most.output, again, access.signal, () => {
      started = true;
      used = 'unknown';
      return host.send(request, access);
    });
    if (result.kind === 'answered') {
      const body = result.status === 200 ? parsed(result.body) : undefined;
      if (result.status !== 200) used = 'nothing';
      else if (body !== undefined) used = host.read(body).usage ?? 'unknown';
    }
    return result;
  } finally {
    reservation.settle(started ? used : 'nothing');
  }
}

function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Some gateways answer 200 with an error object that carries the true status. */
function statusOf(status: number, body: unknown): number {
  const code = property(body, 'error', 'code');
  const hidden = status === 200 && typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599;
  return hidden ? code : status;
}

function errorMessage(body: unknown, text: string): string {
  const message = textOf(property(body, 'error', 'message')) ?? textOf(property(body, 'message')) ?? text;
  return `${JSON.stringify(messageOf(message, 200))}`;
}

function errorCode(body: unknown): string {
  return (
    textOf(property(body, 'error', 'code')) ??
    textOf(property(body, 'error', 'innererror', 'code')) ??
    textOf(property(body, 'error', 'type')) ??
    ''
  );
}

function rejection(status: number, body: unknown, message: string): Failure {
  if (FILTER_CODES.includes(errorCode(body))) return judgeFailure('filtered', `status ${status}, ${message}`);
  return judgeFailure('rejected', `status ${status}, ${message}`);
}

function haltOn(status: number, body: unknown, message: string, options: AskOptions): void {
  const quota = QUOTA_CODES.includes(errorCode(body));
  const missing = status === 404 && !options.answeredBefore();
  if (status !== 401 && status !== 402 && !quota && !missing) return;
  const what = missing
    ? 'an address and model the provider knows'
    : quota || status === 402
      ? 'an account with credit'
      : 'a valid key';
  throw new JudgeHalt(
    new AuditError(`${options.access.baseUrl}: the provider answers ${status}, ${message}; expected ${what}`, {
      code: 'ENVIRONMENT',
      hint: 'Everything answered so far is kept; run the same command again when this is mended.',
    }),
  );
}

function backoff({ backoff: first, random }: AskOptions, attempt: number): number {
  return Math.min(60_000, first * 2 ** (attempt - 1)) * (0.5 + 0.5 * random.next());
}

function tried(attempts: readonly Attempt[]): string {
  return attempts.length === 1 ? 'tried once' : `tried ${attempts.length} times`;
}
