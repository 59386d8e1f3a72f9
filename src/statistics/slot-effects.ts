import type { SlotEffects } from '../core/estimates.ts';
import { compareText } from '../core/json.ts';
import { exactMean } from './exact-sum.ts';

/** Mean score of one caption template and its path through the grammar (null for the raw prompt, which is left out). */
export interface TemplateScore {
  readonly template: string;
  readonly mean: number;
  readonly slots: Readonly<Record<string, string>> | null;
}

/** Choice of a slot a path does not have. */
const ABSENT = 'none';
const ARTICLE = 'article';
const VIEWPOINT = 'viewpoint';
const NOUN = 'noun';

/**
 * Effects of the slots of a caption grammar. A slot is measured on the captions whose other slots hold only choices that occur
 * with every choice of this slot, so that all choices see the same wordings: viewpoint over the shared nouns (96 captions
 * each in the reference grammar), noun where a viewpoint is present (48), frame (84), connective (112).
 * The article is measured where there is no viewpoint, and again within each noun (`an` occurs only with `image`).
 *
 * The slot mean is the unweighted mean of its choice means. `noise` is what counts as float noise in a mean.
 */
export function slotEffects(scores: readonly TemplateScore[], noise: number): SlotEffects[] {
  const paths = scores.flatMap(({ mean, slots }) => (slots === null ? [] : [{ mean, slots }]));
  const slots = [...new Set(paths.flatMap((path) => Object.keys(path.slots)))].sort(compareText);
  const choiceOf = (path: { slots: Readonly<Record<string, string>> }, slot: string) => path.slots[slot] ?? ABSENT;
  const effects: SlotEffects[] = [];
  for (const slot of slots) {
    if (slot === ARTICLE && slots.includes(NOUN)) {
      const plain = paths.filter((path) => choiceOf(path, VIEWPOINT) === ABSENT);
      const over = slots.includes(VIEWPOINT) ? 'captions without a viewpoint' : 'all captions';
      effects.push(...effectOf(slot, over, plain, choiceOf, noise));
      const nouns = [...new Set(plain.map((path) => choiceOf(path, NOUN)))].sort(compareText);
      for (const noun of nouns) {
        const within = plain.filter((path) => choiceOf(path, NOUN) === noun);
        effects.push(...effectOf(slot, `${over}, noun "${noun}"`, within, choiceOf, noise));
      }
      continue;
    }
    const { kept, over } = balanced(paths, slot, slots, choiceOf);
    effects.push(...effectOf(slot, over, kept, choiceOf, noise));
  }
  return effects;
}

type Path = { readonly mean: number; readonly slots: Readonly<Record<string, string>> };
type ChoiceOf = (path: Path, slot: string) => string;

/** Keeps the paths whose other slots hold choices that occur with every choice of `slot`. */
function balanced(paths: readonly Path[], slot: string, slots: readonly string[], choiceOf: ChoiceOf) {
  const choices = [...new Set(paths.map((path) => choiceOf(path, slot)))];
  const dropped: string[] = [];
  let kept = [...paths];
  for (const other of slots) {
    if (other === slot) continue;
    for (const value of [...new Set(paths.map((path) => choiceOf(path, other)))].sort(compareText)) {
      const seen = new Set(paths.filter((path) => choiceOf(path, other) === value).map((path) => choiceOf(path, slot)));
      if (seen.size === choices.length) continue;
      dropped.push(`${other} "${value}"`);
      kept = kept.filter((path) => choiceOf(path, other) !== value);
    }
  }
  return { kept, over: dropped.length === 0 ? 'all captions' : `captions without ${dropped.join(', ')}` };
}

function effectOf(
  slot: string,
  over: string,
  paths: readonly Path[],
  choiceOf: ChoiceOf,
  noise: number,
): SlotEffects[] {
  const choices = [...new Set(paths.map((path) => choiceOf(path, slot)))].sort(compareText);
  if (choices.length < 2) return [];
  const groups = choices.map((choice) => {
    const means = paths.filter((path) => choiceOf(path, slot) === choice).map(({ mean }) => mean);
    return { choice, captions: means.length, mean: exactMean(means) };
  });
  const centre = exactMean(groups.map(({ mean }) => mean));
  const snap = (difference: number) => (Math.abs(difference) <= noise ? 0 : difference);
  const means = groups.map(({ mean }) => mean);
  return [
    {
      slot,
      over,
      choices: groups.map((group) => ({
        ...group,
        shiftPercent: centre > 0 ? (100 * snap(group.mean - centre)) / centre : null,
      })),
      dispersion: centre > 0 ? snap(Math.max(...means) - Math.min(...means)) / centre : null,
    },
  ];
}

/** Shifts averaged over evaluators, for slots measured alike in all of them. */
export function averageSlots(all: readonly (readonly SlotEffects[])[]): Omit<SlotEffects, 'dispersion'>[] {
  const first = all[0];
  if (first === undefined) return [];
  return first.flatMap((effect) => {
    const same = all.flatMap((list) =>
      list.filter((other) => other.slot === effect.slot && other.over === effect.over),
    );
    if (same.length !== all.length) return [];
    return [
      {
        slot: effect.slot,
        over: effect.over,
        choices: effect.choices.map(({ choice, captions }) => {
          const own = same.map((other) => other.choices.find((item) => item.choice === choice));
          const shifts = own.map((item) => item?.shiftPercent ?? Number.NaN);
          return {
            choice,
            captions,
            mean: exactMean(own.map((item) => item?.mean ?? Number.NaN)),
            shiftPercent: shifts.some(Number.isNaN) ? null : exactMean(shifts),
          };
        }),
      },
    ];
  });
}
