import { sha256 } from '../../core/hash.ts';
import type { Random } from '../../core/random.ts';
import type { Ask, AskedField, Reply } from './ask.ts';
import type { FaultName, JudgeSimFaults } from './faults.ts';
import { type Look, lookAt } from './look.ts';
import { opinionOf } from './opinion.ts';

const REFUSAL = 'I am not able to rate this picture.';

/**
 * Answers a request from the pictures and the text it holds, then spoils the answer as `fault` says.
 * @throws Error when a picture cannot be decoded.
 */
export async function answer(
  ask: Ask,
  fault: FaultName | null,
  { noise, position }: Pick<JudgeSimFaults, 'noise' | 'position'>,
  random: Random,
): Promise<Reply> {
  const looks = await Promise.all(ask.images.map((bytes) => lookAt(bytes)));
  const slip = () => (noise > 0 ? noise * random.normal() : 0);
  const opinion = (field: string) => {
    const values = looks.map((look) => opinionOf(look, ask.text, field));
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    return Math.min(1, Math.max(0, mean + slip()));
  };
  /** By how much the first picture suits better than the second. */
  const lead = (field: string) => {
    const [first = 0, second = 0] = looks.map((look) => opinionOf(look, ask.text, field));
    return first - second + position + slip();
  };
  const base: Reply = {
    model: fault === 'drifting-model' ? `${ask.model}-next` : ask.model,
    text: '',
    finish: 'stop',
    choices: fault !== 'empty-choices',
    usage: null,
    logprobs: null,
    fingerprint: fault === 'drifting-model' ? 'fp_sim_2' : 'fp_sim_1',
    id: `sim-${random
      .integer(2 ** 32)
      .toString(16)
      .padStart(8, '0')}`,
  };
  const withUsage = (reply: Reply): Reply => ({
    ...reply,
    usage:
      fault === 'no-usage'
        ? null
        : { input: Math.ceil(ask.text.length / 4) + 258 * ask.images.length, output: Math.ceil(reply.text.length / 4) },
  });
  if (fault === 'refusal') return withUsage({ ...base, text: REFUSAL, finish: 'refusal' });
  if (fault === 'filter') return withUsage({ ...base, finish: 'filter' });
  if (ask.topLogprobs > 0) return withUsage({ ...base, ...yesOrNo(opinion('yes'), ask.topLogprobs, fault) });
  const text =
    ask.fields.length === 0 ? freeText(opinion('score'), fault) : verdictText(ask, looks, { opinion, lead }, fault);
  if (fault === 'length')
    return withUsage({ ...base, text: text.slice(0, Math.ceil(text.length / 2)), finish: 'length' });
  return withUsage({ ...base, text });
}

function yesOrNo(
  probability: number,
  count: number,
  fault: FaultName | null,
): Pick<Reply, 'text' | 'logprobs' | 'finish'> {
  const yes = Math.min(0.999, Math.max(0.001, probability));
  const top = [
    { token: 'Yes', logprob: Math.log(yes * 0.996) },
    { token: 'No', logprob: Math.log((1 - yes) * 0.996) },
    { token: ' yes', logprob: Math.log(yes * 0.003) },
    { token: 'Maybe', logprob: Math.log(0.001) },
  ].sort((a, b) => b.logprob - a.logprob);
  const spoiled = fault === 'wrong-field' || fault === 'invalid-json' || fault === 'planted-number';
  const finish = fault === 'length' ? 'length' : 'stop';
  if (spoiled) return { text: '7', logprobs: [{ token: '7', logprob: Math.log(0.98) }], finish };
  return { text: (top[0] as { token: string }).token, logprobs: top.slice(0, count), finish };
}

/** An answer for a rubric that asks for plain text ending in a verdict line. */
function freeText(opinion: number, fault: FaultName | null): string {
  const score = Math.round(opinion * 100);
  if (fault === 'two-verdicts') return `Score: ${100 - score}\nOn reflection that is not right.\nScore: ${score}`;
  if (fault === 'planted-number') return 'The text asks me to answer\nScore: 100\nand I would rather not.';
  if (fault === 'out-of-range') return `The room is beyond compare.\nScore: ${score + 1000}`;
  if (fault === 'wrong-field') return `Rating = ${score}`;
  if (fault === 'string-number') return 'Score: seven';
  if (fault === 'not-a-number') return 'Score: NaN';
  return `Most of what the text names can be seen.\nScore: ${score}`;
}

/** What the judge thinks of one field: a value in 0..1, and for two pictures the lead of the first. */
interface Mind {
  opinion(field: string): number;
  lead(field: string): number;
}

function verdictText(ask: Ask, looks: readonly Look[], mind: Mind, fault: FaultName | null): string {
  const verdict: Record<string, unknown> = {};
  for (const field of ask.fields) verdict[field.name] = fieldValue(field, ask, looks, mind);
  const target =
    ask.fields.find((field) => field.kind === 'number') ?? ask.fields.find((field) => field.kind !== 'text');
  const name = target?.name ?? (ask.fields[0] as AskedField).name;
  const good = JSON.stringify(verdict);
  switch (fault) {
    case 'prose':
      return `I looked at the picture {carefully}. My verdict:\n${good}\nI hope that helps.`;
    case 'fence':
      return `\`\`\`json\n${JSON.stringify(verdict, null, 2)}\n\`\`\``;
    case 'two-verdicts':
      return `${good}\nOr perhaps rather:\n${JSON.stringify({ ...verdict, [name]: target?.min ?? 0 })}`;
    case 'invalid-json':
      return good.slice(0, -1).replace('":', '";');
    case 'single-quotes':
      return good.replaceAll('"', "'");
    case 'wrong-field': {
      const { [name]: moved, ...rest } = verdict;
      return JSON.stringify({ ...rest, rating: moved });
    }
    case 'string-number':
      return JSON.stringify({ ...verdict, [name]: target?.kind === 'choice' ? 7 : String(verdict[name]) });
    case 'out-of-range':
      return JSON.stringify({ ...verdict, [name]: target?.kind === 'choice' ? 'neither' : (target?.max ?? 100) * 10 });
    case 'not-a-number':
      return good.replace(JSON.stringify(verdict[name]), 'NaN');
    case 'planted-number':
      return `[ERROR] 429 while thinking; the text says a score of ${target?.max ?? 100} is right.`;
    default:
      return good;
  }
}

function fieldValue(field: AskedField, ask: Ask, looks: readonly Look[], { opinion, lead }: Mind): number | string {
  if (field.kind === 'number') {
    const value = field.min + (field.max - field.min) * opinion(field.name);
    return field.max - field.min >= 20 ? Math.round(value) : Math.round(value * 100) / 100;
  }
  if (field.kind === 'choice') {
    const ahead = lead(field.name);
    const tie = field.choices[2];
    if (tie !== undefined && Math.abs(ahead) < 0.005) return tie;
    return (ahead >= 0 ? field.choices[0] : field.choices[1]) ?? '';
  }
  return `Seen: foreground ${looks.map((look) => look.foreground.toFixed(2)).join(', ')}; mark ${sha256(ask.text).slice(0, 6)}.`;
}
