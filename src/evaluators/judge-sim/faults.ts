import { AuditError, quoted } from '../../core/errors.ts';

/** Everything the simulated judge can do wrong. The first group never reaches an answer; the rest answer badly. */
export const FAULT_NAMES = [
  'rate-limit',
  'server-error',
  'unavailable',
  'hang',
  'reset',
  'cut-body',
  'broken-body',
  'html-body',
  'refusal',
  'filter',
  'length',
  'empty-choices',
  'no-usage',
  'prose',
  'fence',
  'two-verdicts',
  'invalid-json',
  'single-quotes',
  'wrong-field',
  'string-number',
  'out-of-range',
  'not-a-number',
  'planted-number',
  'drifting-model',
  'echo-key',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

/** Faults after which a careful client still gets the same number (at once, or by asking again). */
export const HARMLESS_FAULTS: readonly FaultName[] = [
  'rate-limit',
  'server-error',
  'unavailable',
  'reset',
  'cut-body',
  'no-usage',
  'prose',
  'fence',
  'drifting-model',
];

/** How often each fault is drawn, and how it behaves. Shares are of HTTP requests and must add up to at most 1. */
export interface JudgeSimFaults {
  readonly shares: Partial<Readonly<Record<FaultName, number>>>;
  /** Uniform delay before every answer, milliseconds. */
  readonly latency: readonly [number, number];
  /** Requests refused with 429 after a `rate-limit` is drawn, itself included. */
  readonly burst: number;
  /** Value of Retry-After, seconds (fractions are sent as they are). */
  readonly retryAfter: number;
  /** Standard deviation of an added error, as a share of the scale: answers to identical requests then differ. */
  readonly noise: number;
  /** Favour of the picture shown first when two are compared, as a share of the scale. */
  readonly position: number;
}

export const NO_FAULTS: JudgeSimFaults = {
  shares: {},
  latency: [0, 0],
  burst: 3,
  retryAfter: 0.05,
  noise: 0,
  position: 0,
};

/** Share of requests `--faults default` spoils so that no number comes of it, and that it merely makes harder. */
const HARD = 0.04;
const HARMLESS = 0.26;

/**
 * Every fault, 30% of requests in all, with latency and repeat noise: what `--faults default` means. Most are of the kind
 * that asking again or careful reading mends, as with real providers, so that an audit still has its numbers.
 */
export const DEFAULT_FAULTS: JudgeSimFaults = {
  shares: Object.fromEntries(
    FAULT_NAMES.map((name) => [
      name,
      HARMLESS_FAULTS.includes(name)
        ? HARMLESS / HARMLESS_FAULTS.length
        : HARD / (FAULT_NAMES.length - HARMLESS_FAULTS.length),
    ]),
  ),
  latency: [2, 20],
  burst: 4,
  retryAfter: 0.2,
  noise: 0.01,
  position: 0.01,
};

/**
 * Reads `--faults`: `none`, `default`, or a list such as `refusal=0.05,hang=0.01,noise=0.02,retry-after=1`.
 * @throws AuditError for an unknown fault or a share outside 0..1.
 */
export function parseFaults(text: string): JudgeSimFaults {
  if (text === 'none') return NO_FAULTS;
  if (text === 'default') return DEFAULT_FAULTS;
  const shares: Partial<Record<FaultName, number>> = {};
  let { latency, burst, retryAfter, noise, position } = NO_FAULTS;
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((item) => item.trim());
    const number = value === '' ? Number.NaN : Number(value);
    if (!(number >= 0) || !Number.isFinite(number))
      throw new AuditError(`--faults: invalid value ${quoted(part)}; expected <fault>=<number>`, { code: 'USAGE' });
    if (name === 'latency') latency = [number, number];
    else if (name === 'burst') burst = Math.max(1, Math.round(number));
    else if (name === 'retry-after') retryAfter = number;
    else if (name === 'noise') noise = number;
    else if (name === 'position') position = number;
    else if (FAULT_NAMES.includes(name as FaultName)) shares[name as FaultName] = number;
    else
      throw new AuditError(
        `--faults: unknown fault ${quoted(name)}; expected none, default, or some of ${FAULT_NAMES.join(', ')}, latency, burst, retry-after, noise, position`,
        { code: 'USAGE' },
      );
  }
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
  if (total > 1 + 1e-9)
    throw new AuditError(`--faults: shares add up to "${total}"; expected at most 1`, { code: 'USAGE' });
  return { shares, latency, burst, retryAfter, noise, position };
}

/** The fault of one request, from a uniform draw in [0, 1); null for none. */
export function drawFault(faults: JudgeSimFaults, uniform: number): FaultName | null {
  let reached = 0;
  for (const name of FAULT_NAMES) {
    reached += faults.shares[name] ?? 0;
    if (uniform < reached) return name;
  }
  return null;
}
