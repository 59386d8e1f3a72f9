import { quoted } from '../../core/errors.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { type Failure, isFailure } from '../../core/outcome.ts';
import { findObjects } from './find-json.ts';
import { judgeFailure } from './reasons.ts';
import type { RubricContent, RubricField } from './rubric.ts';

/** A valid verdict: every field as the rubric declares it, nothing clamped, nothing filled in. */
export interface Verdict {
  readonly fields: Readonly<Record<string, number | string>>;
}

/**
 * Reads the verdict out of a judge's answer.
 *
 * Strict rubrics: exactly one JSON object that holds a declared field, alone or with prose or a code fence around it; two
 * are unparseable, and so is one that only repeats an object of the prompt inside prose. Free-text rubrics: the last
 * verdict object or the last line `<field>: <number>`; unparseable when that line or object stands in the prompt too,
 * because then a quotation cannot be told from a verdict.
 *
 * @param prompt All text the judge was sent (question with caption).
 */
export function readVerdict(answer: string, rubric: RubricContent, prompt: string): Verdict | Failure {
  if (answer.trim() === '') return judgeFailure('no-answer', 'the answer is empty');
  return rubric.freeText ? readFreeText(answer, rubric, prompt) : readStrict(answer, rubric, prompt);
}

function readStrict(answer: string, rubric: RubricContent, prompt: string): Verdict | Failure {
  const { objects, malformed } = findObjects(answer);
  const names = rubric.fields.map(({ name }) => name);
  const verdicts = objects.filter(({ value }) => names.some((name) => Object.hasOwn(value, name)));
  const broken =
    malformed.find(({ start }) => names.some((name) => answer.slice(start).includes(name))) ?? malformed[0];
  if (verdicts.length + malformed.length > 1)
    return judgeFailure('two-verdicts', `${verdicts.length + malformed.length} verdict objects; expected exactly one`);
  if (broken) return judgeFailure('invalid-json', `${broken.problem}; expected a JSON object`);
  const verdict = verdicts[0];
  if (verdict === undefined) {
    if (objects.length > 0)
      return judgeFailure('missing-field', `no field of ${names.join(', ')} in ${quoted(answer.trim())}`);
    return judgeFailure('no-verdict', `no JSON object in ${quoted(answer.trim())}`);
  }
  const alone = answer.slice(0, verdict.start).trim() === '' && answer.slice(verdict.end).trim() === '';
  if (!alone && standsInPrompt(verdict.value, prompt))
    return judgeFailure('quoted-verdict', 'the only verdict object stands in the prompt too');
  if (verdict.duplicateKey !== null)
    return judgeFailure('two-verdicts', `field ${quoted(verdict.duplicateKey)} stands twice`);
  return checkFields(verdict.value, rubric);
}

function standsInPrompt(value: Json, prompt: string): boolean {
  const text = canonicalJson(value);
  return findObjects(prompt).objects.some((object) => canonicalJson(object.value) === text);
}

/** Every declared field, of its type and in its range; no other field unless the rubric allows them. */
export function checkFields(value: { readonly [key: string]: Json }, rubric: RubricContent): Verdict | Failure {
  const fields: Record<string, number | string> = {};
  for (const field of rubric.fields) {
    if (!Object.hasOwn(value, field.name)) return judgeFailure('missing-field', `no field ${quoted(field.name)}`);
    const checked = checkField(value[field.name] as Json, field);
    if (isFailure(checked)) return checked;
    fields[field.name] = checked as number | string;
  }
  const extra = Object.keys(value).find((key) => !Object.hasOwn(fields, key));
  if (extra !== undefined && !rubric.extraFields)
    return judgeFailure('unknown-field', `field ${quoted(extra)}; expected only ${Object.keys(fields).join(', ')}`);
  return { fields };
}

function checkField(value: Json, field: RubricField): number | string | Failure {
  const wrong = (expected: string) =>
    judgeFailure('wrong-type', `${field.name} is ${quoted(value)}; expected ${expected}`);
  if (field.type === 'text') return typeof value === 'string' ? value : wrong('a text');
  if (field.type === 'choice') {
    if (typeof value !== 'string') return wrong('a text');
    if (field.choices.includes(value)) return value;
    return judgeFailure(
      'out-of-range',
      `${field.name} is ${quoted(value)}; expected one of ${field.choices.join(', ')}`,
    );
  }
  if (typeof value !== 'number') return wrong('a number');
  if (value >= field.min && value <= field.max) return value;
  return judgeFailure('out-of-range', `${field.name} is "${value}"; expected ${field.min} to ${field.max}`);
}

function readFreeText(answer: string, rubric: RubricContent, prompt: string): Verdict | Failure {
  const field = rubric.fields.find(({ type }) => type === 'number') as Extract<RubricField, { type: 'number' }>;
  const line = lastVerdictLine(answer, field.name);
  const object = findObjects(answer)
    .objects.filter(({ value }) => Object.hasOwn(value, field.name))
    .at(-1);
  if (line === null && object === undefined)
    return judgeFailure(
      'no-verdict',
      `no line ${quoted(`${field.name}: <number>`)} in ${quoted(answer.trim().slice(-60))}`,
    );
  if (object !== undefined && (line === null || object.start > line.at)) {
    if (standsInPrompt(object.value, prompt))
      return judgeFailure('quoted-verdict', 'the last verdict object stands in the prompt too');
    if (object.duplicateKey !== null)
      return judgeFailure('two-verdicts', `field ${quoted(object.duplicateKey)} stands twice`);
    const checked = checkField(object.value[field.name] as Json, field);
    return isFailure(checked) ? checked : { fields: { [field.name]: checked } };
  }
  const { number, of } = line as VerdictLine;
  if (promptVerdicts(prompt, field.name).includes(number))
    return judgeFailure('quoted-verdict', `"${field.name}: ${number}" stands in the prompt too`);
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(number))
    return judgeFailure('wrong-type', `${field.name} is ${quoted(number)}; expected a number`);
  if (of !== null && Number(of) !== field.max)
    return judgeFailure('out-of-range', `the verdict is out of "${of}"; expected out of ${field.max}`);
  const checked = checkField(Number(number), field);
  return isFailure(checked) ? checked : { fields: { [field.name]: checked } };
}

interface VerdictLine {
  readonly at: number;
  readonly number: string;
  /** What stands behind a slash (`70/100`), or null. */
  readonly of: string | null;
}

/** The last line that is nothing but `<name>: <value>`, Markdown emphasis and a final full stop apart. */
function lastVerdictLine(text: string, name: string): VerdictLine | null {
  const pattern = new RegExp(
    `^[ \\t>*_#-]*${name}[ \\t*_]*[:=][ \\t*_]*([^\\s/*_]+?)(?:[ \\t]*/[ \\t]*(\\d+))?[ \\t*_]*\\.?[ \\t*_]*$`,
    'i',
  );
  let at = text.length;
  for (const line of text.split('\n').reverse()) {
    at -= line.length;
    // A verdict line is short; long lines are prose, and would make the pattern slow.
    const match = line.length <= 120 ? pattern.exec(line.trimEnd()) : null;
    if (match) return { at, number: match[1] as string, of: match[2] ?? null };
    at -= 1;
  }
  return null;
}

/** Values the prompt itself puts behind the field's name, anywhere. */
function promptVerdicts(prompt: string, name: string): string[] {
  const pattern = new RegExp(`${name}[ \\t*_"']*[:=][ \\t*_"']*(-?[\\d.]*\\d)`, 'gi');
  return [...prompt.matchAll(pattern)].map((match) => match[1] as string);
}
