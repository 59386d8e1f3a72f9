import { formatEstimate, formatNumber, plural } from '../../cards/format-number.ts';
import { type Html, html, name } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import type { ReportSection } from './section.ts';

/** How the numbers were made and how far they can be trusted: resampling, noise floor, repeats, warnings. */
export function notes(context: ReportContext, problems: readonly string[]): ReportSection {
  const { manifest, estimates } = context;
  const items: Html[] = [
    html`Intervals: ${formatNumber(estimates.level, { percent: true, digits: 0 })} ${estimates.interval} bootstrap, ${plural(estimates.resamples, 'resample')} of whole ${estimates.resampledUnit}s (${estimates.prompts.length} prompts), seed ${estimates.seed}; one stream of resamples for generators, evaluators and configurations alike.`,
    html`${estimates.prompts.length < 20 ? html`<strong>${estimates.prompts.length} prompts are fewer than 20: nothing is called confirmed, and bootstrap intervals over so few prompts are too short.</strong>` : html`With few prompts percentile intervals are somewhat too narrow: treat a limit close to a threshold as undecided.`}`,
    html`The study this design follows published its main text and most tables; levels and several definitions are reconstructed, and the documentation says which.`,
  ];
  if (estimates.family.contrasts > 0)
    items.push(
      estimates.family.band === 'studentised'
        ? html`Simultaneous band: studentised, the standard error recomputed in every resample. On simulated data without any effect (5,000 contrasts, 50 prompts) it finds something in 5% of audits.`
        : html`Simultaneous band: the published form with a fixed standard error. It is anti-conservative: on simulated data without any effect (5,000 contrasts) it finds something in 37% of audits at 50 prompts, 96% at 20.`,
    );
  if (manifest.noiseFloor === null) items.push(html`Noise floor: not run, nothing was rendered here.`);
  else
    items.push(
      html`Noise floor: the default picture of ${plural(manifest.noiseFloor.scenes, 'scene')} rendered twice differs by at most ${formatNumber(manifest.noiseFloor.maxPixel, { digits: 0 })} of 255 in a pixel${manifest.noiseFloor.scores.map((entry) => html`; ${name(entry.evaluator)} by at most ${formatNumber(entry.maxDifference, { digits: 4 })}`)}.`,
    );
  for (const entry of estimates.evaluators)
    if (entry.repeatability !== null)
      items.push(
        html`Repeats of ${name(entry.evaluator)}: ${entry.repeatability.repeats} a cell, ICC of one repeat ${context.estimate(entry, 'repeatability/iccSingle', entry.repeatability.iccSingle)}, ${entry.repeatability.winnerChanges === null ? 'winners not compared' : `${plural(entry.repeatability.winnerChanges, 'repeat')} with another winner`}.`,
      );
  const quality = estimates.evaluators.filter((entry) => entry.role === 'quality');
  if (quality.length > 0)
    items.push(
      html`Quality controls read no caption and are left out of the counts above: ${quality.map((entry, index) => [index === 0 ? '' : ', ', name(entry.evaluator), ` (peak rho ${formatEstimate(entry.peakRho)})`])}.`,
    );
  // The first of them is said above in bold.
  const said = estimates.prompts.length < 20 ? /^only \d+ prompts: under 20/ : /$^/;
  for (const warning of estimates.warnings) if (!said.test(warning)) items.push(html`${sentence(warning)}`);
  for (const problem of problems) items.push(html`Picture left out: ${problem}`);
  return {
    id: 'notes',
    title: 'How the numbers were made',
    body: html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`,
  };
}

/** A warning as a sentence; it may begin with an evaluator's name, so its first letter stays. */
function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
