import { messageOf } from '../../core/errors.ts';

/** What came back over HTTP, before anyone interpreted it. */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'timeout'; readonly detail: string }
  | { readonly kind: 'connection'; readonly detail: string }
  | { readonly kind: 'oversized'; readonly detail: string };

export interface ExchangeOptions {
  /** Milliseconds for the whole exchange, body included. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Null: no header that carries a key is sent, wherever the SDK took one from. */
  readonly key: string | null;
}

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const MAX_ANSWER = 8 * 1024 * 1024;
/** Headers a provider needs; the rest (platform facts, headers from the environment) is not sent. */
const SENT_HEADERS = ['content-type', 'accept', 'anthropic-version'];
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

/**
 * Lets an SDK build and send one request through a `fetch` of ours, and returns exactly what came back: status, headers
 * and body text, whatever the SDK makes of them. One call is one HTTP request: a second one is an error. Redirects are
 * not followed (a key must not travel to another host).
 *
 * @throws the signal's reason when it is aborted; the SDK's own error when it never got as far as sending.
 */
export async function exchange(send: (fetch: Fetch) => Promise<unknown>, options: ExchangeOptions): Promise<Exchange> {
  options.signal.throwIfAborted();
  let result: Exchange | null = null;
  let calls = 0;
  const once: Fetch = async (input, init) => {
    calls += 1;
    if (calls > 1) throw new Error('exchange: the SDK sent a second request; expected its own retries to be off');
    const { response, seen } = await fetchText(input, init, options);
    result = seen;
    if (response === null) throw new Error('detail' in seen ? seen.detail : 'no answer');
    return response;
  };
  try {
    await send(once);
  } catch (error) {
    options.signal.throwIfAborted();
    if (calls > 1 || result === null) throw error;
  }
  options.signal.throwIfAborted();
  if (result === null) throw new Error('exchange: the SDK sent nothing');
  return result;
}

async function fetchText(
  input: string | URL | Request,
  init: RequestInit | undefined,
  { timeout, signal, key }: ExchangeOptions,
): Promise<{ response: Response | null; seen: Exchange }> {
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeout);
  const abort = () => controller.abort();
  // The SDK may have waited before it called: an abort in the meantime is not announced again.
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const headers = new Headers();
    new Headers(init?.headers).forEach((value, name) => {
      if (SENT_HEADERS.includes(name) || (key !== null && KEY_HEADERS.includes(name))) headers.set(name, value);
    });
    const answer = await fetch(input, { ...init, headers, redirect: 'manual', signal: controller.signal });
    const body = await readBounded(answer);
    if (body === null)
      return { response: null, seen: { kind: 'oversized', detail: `answer of more than ${MAX_ANSWER} bytes` } };
    const seen: Exchange = {
      kind: 'answered',
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body,
    };
    return { response: copyOf(answer, body), seen };
  } catch (error) {
    signal.throwIfAborted();
    if (timedOut) return { response: null, seen: { kind: 'timeout', detail: `no answer within ${timeout / 1000} s` } };
    return { response: null, seen: { kind: 'connection', detail: causeOf(error) } };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function copyOf(answer: Response, body: string): Response {
  const empty = answer.status === 204 || answer.status === 205 || answer.status === 304;
  // Status 0 and 1xx cannot be rebuilt; nothing downstream needs them.
  const status = answer.status >= 200 && answer.status <= 599 ? answer.status : 599;
  const headers = new Headers(answer.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(empty ? null : body, { status, headers });
}

async function readBounded(answer: Response): Promise<string | null> {
  if (answer.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** undici hides the reason of `fetch failed` in its cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `${messageOf(error, 200)}${cause === undefined ? '' : `: ${messageOf(cause, 200)}${code}`}`;
}
