import { AuditError, quoted } from '../core/errors.ts';
import { biggestOnly } from './biggest-only.ts';
import { keep25 } from './keep-25.ts';
import { keep75 } from './keep-75.ts';
import { keepHalf } from './keep-half.ts';
import { mirrored } from './mirrored.ts';
import { movedOnly } from './moved-only.ts';
import type { Probe } from './probe.ts';
import { recoloured } from './recoloured.ts';
import { rerender } from './rerender.ts';
import { scrambled } from './scrambled.ts';
import { swapped } from './swapped.ts';
import { turnedOnly } from './turned-only.ts';
import { worstObjects } from './worst-objects.ts';
import { wrongPrompt } from './wrong-prompt.ts';

/** Every probe, the published four first. */
export const PROBES: readonly Probe[] = [
  keepHalf,
  biggestOnly,
  scrambled,
  worstObjects,
  keep75,
  keep25,
  movedOnly,
  turnedOnly,
  swapped,
  recoloured,
  mirrored,
  rerender,
  wrongPrompt,
];

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
