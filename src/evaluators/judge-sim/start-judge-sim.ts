import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuditError, messageOf } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { Random } from '../../core/random.ts';
import { answer } from './answer.ts';
import { anthropicProtocol } from './anthropic-protocol.ts';
import type { Protocol } from './ask.ts';
import { drawFault, FAULT_NAMES, type FaultName, type JudgeSimFaults, NO_FAULTS } from './faults.ts';
import { googleProtocol } from './google-protocol.ts';
import { openaiProtocol } from './openai-protocol.ts';

export interface JudgeSimOptions {
  /** 0 picks a free port. */
  readonly port?: number;
  readonly faults?: JudgeSimFaults;
  readonly seed?: number;
  /** Milliseconds a `hang` holds the connection open; it is then dropped. */
  readonly hang?: number;
}

/** What the simulated judge has done so far; also served as JSON at `GET /stats`. */
export interface JudgeSimStats {
  readonly requests: number;
  /** Complete, readable 200 answers: what a provider would bill. */
  readonly answered: number;
  /** Answers to a request body that had been answered before. */
  readonly answeredAgain: number;
  /** Distinct request bodies seen. */
  readonly distinct: number;
  readonly byProtocol: Readonly<Record<string, number>>;
  readonly faults: Readonly<Partial<Record<FaultName, number>>>;
  /** Largest number of requests in work at once. */
  readonly mostAtOnce: number;
}

export interface JudgeSim {
  /** Base address, `http://127.0.0.1:<port>`; OpenAI clients append `/v1`, the others use it as it is. */
  readonly url: string;
  readonly port: number;
  stats(): JudgeSimStats;
  close(): Promise<void>;
}

const PROTOCOLS: readonly Protocol[] = [openaiProtocol, anthropicProtocol, googleProtocol];
const MAX_BODY = 64 * 1024 * 1024;

/**
 * Starts a local judge that speaks the OpenAI chat-completions, Anthropic messages and Google generateContent protocols
 * on loopback only. It decodes the pictures it receives and scores from them. The n-th time it sees a request body it
 * draws the same fault and the same noise whatever else is in flight, so runs can be compared at any concurrency
 * (bursts of 429 excepted: they hit whoever comes next).
 *
 * @throws AuditError when the port is taken.
 */
export async function startJudgeSim(options: JudgeSimOptions = {}): Promise<JudgeSim> {
  const { port = 0, faults = NO_FAULTS, seed = 0, hang = 600_000 } = options;
  const seen = new Map<string, { asked: number; answered: number }>();
  const counts = { requests: 0, answered: 0, answeredAgain: 0, mostAtOnce: 0 };
  const byProtocol: Record<string, number> = {};
  const faultCounts: Partial<Record<FaultName, number>> = {};
  let atOnce = 0;
  let burstLeft = 0;
  const timers = new Set<NodeJS.Timeout>();

  const stats = (): JudgeSimStats => ({
    ...counts,
    distinct: seen.size,
    byProtocol: { ...byProtocol },
    faults: Object.fromEntries(
      FAULT_NAMES.filter((name) => faultCounts[name]).map((name) => [name, faultCounts[name]]),
    ),
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] as string;
    if (request.method === 'GET') {
      if (path === '/stats') return send(response, 200, stats());
      if (path.endsWith('/models'))
        return send(response, 200, { object: 'list', data: [{ id: 'judge-sim', object: 'model' }] });
      return send(response, path === '/' || path === '/health' ? 200 : 404, { judge: 'parallax judge-sim' });
    }
    const protocol = PROTOCOLS.find((candidate) => candidate.matches(path));
    const body = await readBody(request);
    if (request.method !== 'POST' || protocol === undefined)
      return send(response, 404, { error: { message: `no ${path}` } });
    counts.requests += 1;
    byProtocol[protocol.name] = (byProtocol[protocol.name] ?? 0) + 1;
    const key = sha256(`${path}\n${body}`);
    const record = seen.get(key) ?? { asked: 0, answered: 0 };
    seen.set(key, record);
    const random = new Random(seed, 'judge-sim', key, record.asked);
    record.asked += 1;
    let fault = drawFault(faults, random.next());
    if (burstLeft > 0) {
      burstLeft -= 1;
      fault = 'rate-limit';
    } else if (fault === 'rate-limit') burstLeft = faults.burst - 1;
    if (fault !== null) faultCounts[fault] = (faultCounts[fault] ?? 0) + 1;
    await pause(random.between(faults.latency[0], faults.latency[1]));

    if (fault === 'rate-limit')
      return send(response, 429, protocol.error(429, 'slow down'), { 'retry-after': String(faults.retryAfter) });
    if (fault === 'server-error') return send(response, 500, protocol.error(500, 'internal error'));
    if (fault === 'unavailable')
      return sendText(response, 503, 'text/html', '<html><body>503 Service Unavailable</body></html>');
    if (fault === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (fault === 'echo-key') {
      const header = request.headers.authorization ?? request.headers['x-api-key'] ?? request.headers['x-goog-api-key'];
      return send(response, 400, protocol.error(400, `bad request from holder of ${String(header)}`));
    }
    if (fault === 'hang') {
      await pause(hang);
      request.socket.destroy();
      return;
    }
    if (fault === 'html-body') return sendText(response, 200, 'text/html', '<html><body>proxy login</body></html>');

    let text: string;
    try {
      const ask = protocol.read(path, JSON.parse(body));
      text = JSON.stringify(protocol.write(await answer(ask, fault, faults, random)));
    } catch (error) {
      return send(response, 400, protocol.error(400, messageOf(error)));
    }
    if (fault === 'cut-body') {
      // The length promises more than comes: the client sees the connection end inside the body.
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, text.length >> 1), () => request.socket.destroy());
      return;
    }
    if (fault === 'broken-body') return sendText(response, 200, 'application/json', text.slice(0, text.length >> 1));
    counts.answered += 1;
    if (record.answered > 0) counts.answeredAgain += 1;
    record.answered += 1;
    sendText(response, 200, 'application/json', text, { 'x-request-id': `sim-${key.slice(0, 12)}-${record.asked}` });
  }

  function pause(milliseconds: number): Promise<void> {
    if (milliseconds < 1) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, milliseconds);
      timers.add(timer);
      timer.unref();
    });
  }

  const server = createServer((request, response) => {
    atOnce += 1;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    handle(request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new AuditError(`judge-sim: cannot listen on port "${port}" (${messageOf(error)}); expected a free port`, {
          code: 'ENVIRONMENT',
        }),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    stats,
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  sendText(response, status, 'application/json', JSON.stringify(body), headers);
}

function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) throw new Error('request too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
