import type { Card, CardEvaluator, Contract } from '../core/card.ts';
import type { Json } from '../core/json.ts';
import { flattenJson } from './flatten-json.ts';
import { formatCount, formatNumber, plural } from './format-number.ts';

/**
 * A methods section made from the contracts and the evidence, ready to be edited: every clause states something the card
 * holds, and nothing is said about what was not run.
 */
export function methodsText(card: Card): string {
  const paragraphs = [
    data(card),
    ...groupByView(card).map((group) => view(group)),
    evaluators(card),
    search(card),
    probes(card),
    statistics(card),
  ];
  const draft = card.draft ? 'DRAFT: made from a partial run.\n\n' : '';
  return `${draft}${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function data(card: Card): string {
  const { data: counts } = card;
  const sources = Object.entries(counts.sources).filter(([source]) => source !== '');
  const from =
    sources.length === 0
      ? ''
      : ` (${sources.map(([source, count]) => `${formatCount(count)} from ${source}`).join(', ')})`;
  const proxies =
    counts.proxies === 0
      ? ''
      : ` ${formatCount(counts.proxies)} of their ${formatCount(counts.objects)} objects were stand-ins of the same label and size.`;
  return `We audited ${plural(card.evaluators.length, 'evaluator')} on ${plural(counts.scenes, 'frozen scene')} of ${plural(counts.generators.length, 'generator')} (${counts.generators.join(', ')}) for ${plural(counts.prompts, 'prompt')}${from}.${proxies} The scenes did not change; each configuration below changed how they were rendered, captioned or scored.`;
}

/** Evaluators that share renderer and view are described together. */
function groupByView(card: Card): CardEvaluator[][] {
  const groups = new Map<string, CardEvaluator[]>();
  for (const entry of card.evaluators) {
    if (entry.contract.view === null) continue;
    const key = JSON.stringify([entry.contract.renderer, entry.contract.view]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
}

function view(group: readonly CardEvaluator[]): string {
  const contract = group[0]?.contract as Contract;
  const at = contract.view ?? {};
  const part = (factor: string, text: (level: string) => string) =>
    at[factor] === undefined ? [] : [text(at[factor])];
  const settings = [
    ...part('resolution', (level) => `${level} x ${level} pixels`),
    ...part('focal', (level) => `a ${level} mm lens (36 mm sensor)`),
    ...part('pitch', (level) => `a pitch of ${level} degrees${level === '90' ? ' (top-down)' : ''}`),
    ...part('yaw', (level) => `a yaw of ${level} degrees`),
    ...part('lighting', (level) => `the ${level} environment map`),
    ...part('background', (level) => `a ${level} background`),
  ];
  // The files of the environment maps and their hashes would bury the rest: they stand on the card.
  const leaves = flattenJson(contract.renderer as Json, 200).filter(([name]) => !/^maps\b/.test(name));
  const named = leaves.find(([name]) => name === 'name' || name === 'renderer')?.[1];
  const rest = leaves
    .filter(([name, text]) => name !== 'name' && name !== 'renderer' && !/^[0-9a-f]{64}$/.test(text))
    .map(([name, text]) => `${name} ${text}`)
    .join(', ');
  const renderer = `${named === undefined ? '' : ` by the ${named} renderer`}${rest === '' ? '' : ` (${rest})`}`;
  return `Images for ${group.map((entry) => entry.evaluator).join(', ')} were rendered${renderer}, by default at ${list(settings)}. Hashes of the environment maps stand on the card.`;
}

function evaluators(card: Card): string {
  return card.evaluators
    .map((entry) => {
      const { evaluator, caption } = entry.contract;
      const limits =
        evaluator.scale.min === null && evaluator.scale.max === null
          ? ''
          : `, ${evaluator.scale.min ?? 'no lower limit'} to ${evaluator.scale.max ?? 'no upper limit'}`;
      const wording =
        caption?.template === null || caption === null ? '' : ` The default caption was “${caption.template}”.`;
      const coverage = entry.evidence.tokenCoverage;
      const cut =
        coverage.status === 'measured' && coverage.value.truncated > 0
          ? ` Its text encoder reads ${coverage.value.context} tokens; ${formatCount(coverage.value.truncated)} of ${plural(coverage.value.captions, 'caption')} were longer, and ${formatNumber(coverage.value.meanShare, { percent: true })} of a caption was read on average.`
          : '';
      return `${entry.evaluator} (${evaluator.kind}, ${evaluator.role}) scored on the scale ${evaluator.scale.name}${limits}; its configuration is fixed by card ${entry.cardId}.${wording}${cut}`;
    })
    .join(' ');
}

function search(card: Card): string {
  const factors = new Map<string, string>();
  for (const entry of card.evaluators)
    for (const factor of entry.contract.configurations.factors) {
      const count = factor.levels === null ? 'the levels of each prompt' : plural(factor.levels.length, 'level');
      const base =
        factor.at === null
          ? ''
          : ` at ${Object.entries(factor.at)
              .map(([name, level]) => `${name} ${level}`)
              .join(', ')}`;
      factors.set(factor.factor, `${factor.factor} (${count}${base})`);
    }
  if (factors.size === 0) return '';
  const designs = [...new Set(card.evaluators.map((entry) => entry.contract.configurations.design))].join(', ');
  return `The design (${designs}) moved ${list([...factors.values()])}.`;
}

/** The probes that were run, once each: what they do is the same for every evaluator. */
function probes(card: Card): string {
  const names = new Set<string>();
  for (const { evidence } of card.evaluators)
    if (evidence.probes.status === 'measured')
      for (const { probe, control } of evidence.probes.value.probes)
        names.add(control ? `${probe} (a control)` : probe);
  if (names.size === 0) return '';
  return `To see whether scores notice content, each scene was also degraded (${[...names].join(', ')}) and scored at the default configuration against its original; discrimination is the share of pairs in which the degraded scene scores lower, ties counting a half.`;
}

function statistics(card: Card): string {
  const { statistics: made } = card;
  const confirmed = card.evaluators.some(
    (entry) =>
      entry.evidence.reversals.status === 'measured' && entry.evidence.reversals.value.unconfirmedBecause === null,
  );
  const band =
    made.criticalValue === null || made.contrasts === 0
      ? ''
      : ` Reversals were searched over ${plural(made.contrasts, 'contrast')} with a ${made.band === 'published' ? 'fixed-standard-error (approximate)' : 'studentised'} simultaneous bootstrap band (critical value ${formatNumber(made.criticalValue)})${confirmed ? '' : '; none is called confirmed'}.`;
  const gates = ` Estimates were withheld where more than ${formatNumber(made.maxMissing, { percent: true })} of the outcomes were missing; a failed measurement was never turned into a number.`;
  const ids = card.evaluators.map((entry) => entry.cardId).join(', ');
  return `Intervals are ${formatNumber(made.level, { percent: true, digits: 0 })} ${made.interval} bootstrap intervals (${plural(made.resamples, 'resample')} of whole ${made.resampledUnit}s, seed ${made.seed}).${band}${gates} Scores are reported as (generator, score, card ID); the cards are ${ids}, the evidence hash is ${card.evidenceHash}.`;
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
