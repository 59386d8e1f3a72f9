import { type Estimate, isMeasured } from '../core/estimates.ts';

/** How a number is shown. `percent` multiplies by 100 and adds the sign. */
export interface NumberFormat {
  readonly digits?: number;
  readonly percent?: boolean;
  readonly signed?: boolean;
}

const MINUS = '\u2212';

/**
 * A number as people read it: fixed digits, a real minus sign, no exponent below a million. A value that rounds to zero
 * without being zero is shown as `≈0`, so a small effect never reads as none.
 */
export function formatNumber(value: number | null, format: NumberFormat = {}): string {
  if (value === null) return '–';
  const digits = format.digits ?? (format.percent ? 1 : 2);
  const shown = format.percent ? value * 100 : value;
  const unit = format.percent ? '%' : '';
  const size = Math.abs(shown);
  const smallest = 10 ** -digits;
  const sign = shown < 0 ? MINUS : format.signed && shown > 0 ? '+' : '';
  if (size !== 0 && size < smallest / 2) return `≈0${unit}`;
  const text = size >= 1e6 ? size.toExponential(2).replace('e+', 'e') : grouped(size.toFixed(digits));
  return `${sign}${text}${unit}`;
}

/** A whole number with thin groups of thousands: `110,295`. */
export function formatCount(value: number): string {
  return `${value < 0 ? MINUS : ''}${grouped(String(Math.abs(value)))}`;
}

/** `[0.41, 0.63]`; an infinite upper limit reads `unbounded`; null when the estimate has no interval. */
export function formatInterval(estimate: Estimate, format: NumberFormat = {}): string | null {
  if (!isMeasured(estimate)) return null;
  if (estimate.lower === null && estimate.upper === null && estimate.unbounded !== true) return null;
  const lower = formatNumber(estimate.lower, format);
  const upper = estimate.unbounded === true ? 'unbounded' : formatNumber(estimate.upper, format);
  return `[${lower}, ${upper}]`;
}

/** Value and interval, or why there is none: `1.24 [0.98, 1.61]`, `undefined: one generator`. */
export function formatEstimate(estimate: Estimate, format: NumberFormat = {}): string {
  if (!isMeasured(estimate)) return undefinedText(estimate.undefinedBecause);
  const interval = formatInterval(estimate, format);
  const value = `${estimate.bound === 'lower' ? 'at least ' : ''}${formatNumber(estimate.value, format)}`;
  return interval === null ? value : `${value} ${interval}`;
}

/** The reason of an estimate without a value, said as what it is: withheld by a gate, or undefined. */
export function undefinedText(reason: string): string {
  return reason.startsWith('withheld:')
    ? `withheld: ${reason.slice('withheld:'.length).trim()}`
    : `undefined: ${reason}`;
}

/** `1 pair`, `3 pairs`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const parts = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? parts : `${parts}.${fraction}`;
}
