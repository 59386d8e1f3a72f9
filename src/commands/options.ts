import { InvalidArgumentError } from 'commander';
import { AuditError, quoted } from '../core/errors.ts';
import type { Configuration } from '../core/protocol.ts';

/** `a,b,c` -> list without empties. */
export function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A whole number from `low` up. */
export function wholeNumber(low: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() === '' || !Number.isSafeInteger(number) || number < low)
      throw new InvalidArgumentError(`expected a whole number from ${low} up.`);
    return number;
  };
}

/** A finite number from `low` to `high`. */
export function numberBetween(low: number, high: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() === '' || !(number >= low && number <= high))
      throw new InvalidArgumentError(`expected a number from ${low} to ${high}.`);
    return number;
  };
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: Word[]): (value: string) => Word {
  return (value) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw new InvalidArgumentError(`expected one of ${words.join(', ')}.`);
    return found;
  };
}

/** `pitch=90,lighting=city` -> configuration. */
export function configurationOption(value: string): Configuration {
  const configuration: Record<string, string> = {};
  for (const part of list(value)) {
    const at = part.indexOf('=');
    if (at <= 0 || at === part.length - 1)
      throw new AuditError(`--c0: invalid part ${quoted(part)}; expected factor=level,factor=level`, { code: 'USAGE' });
    configuration[part.slice(0, at)] = part.slice(at + 1);
  }
  return configuration;
}

/** `source=path` pairs of a repeatable option. */
export function keyValue(value: string, before: Record<string, string> = {}): Record<string, string> {
  const at = value.indexOf('=');
  if (at <= 0 || at === value.length - 1) throw new InvalidArgumentError('expected name=path.');
  return { ...before, [value.slice(0, at)]: value.slice(at + 1) };
}
