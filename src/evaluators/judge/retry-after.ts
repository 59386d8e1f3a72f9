import { elementsOf, property } from '../hosts/untrusted.ts';

/**
 * How long the provider asks to wait, in milliseconds; null when it does not say. Read from `retry-after-ms`, from
 * `retry-after` in seconds (fractions too) or as an HTTP date (against the answer's own `date`, so that our clock does not
 * matter), or from Google's `RetryInfo` in the body.
 */
export function retryAfter(headers: Readonly<Record<string, string>>, body: unknown): number | null {
  const milliseconds = numberOf(headers['retry-after-ms']);
  if (milliseconds !== null) return milliseconds;
  const text = headers['retry-after'];
  const seconds = numberOf(text);
  if (seconds !== null) return seconds * 1000;
  const until = Date.parse(text ?? '');
  const sent = Date.parse(headers['date'] ?? '');
  if (Number.isFinite(until) && Number.isFinite(sent)) return Math.max(0, until - sent);
  for (const detail of elementsOf(property(body, 'error', 'details'))) {
    const delay = property(detail, 'retryDelay');
    const match = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay) : null;
    if (match) return Number(match[1]) * 1000;
  }
  return null;
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
