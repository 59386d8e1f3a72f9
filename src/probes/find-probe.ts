import { AuditError, quoted } from '../core/errors.ts';
import { biggestOnly } from './biggest-only.ts';
import { keepHalf } from './keep-half.ts';
import type { Probe } from './probe.ts';
import { scrambled } from './scrambled.ts';
import { worstObjects } from './worst-objects.ts';
import { wrongPrompt } from './wrong-prompt.ts';

/** Every probe, the published four first. */
export const PROBES: readonly Probe[] = [keepHalf, biggestOnly, scrambled, worstObjects, wrongPrompt];

export const PROBE_NAMES: readonly string[] = PROBES.map(({ name }) => name);

/**
 * The probe of a name.
 * @throws AuditError for an unknown one, listing those there are.
 */
export function findProbe(name: string, where: string): Probe {
  const probe = PROBES.find((candidate) => candidate.name === name);
  if (probe === undefined)
    throw new AuditError(`${where}: probes: unknown probe ${quoted(name)}; expected one of ${PROBE_NAMES.join(', ')}`);
  return probe;
}
