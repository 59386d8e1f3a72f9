import type { Contract } from '../core/card.ts';
import type { Json } from '../core/json.ts';
import type { DescribedSection } from './described.ts';
import { flattenJson, type Leaf } from './flatten-json.ts';
import { shortList } from './short-list.ts';

function facts(title: string, rows: readonly Leaf[], sentences: readonly string[] = []): DescribedSection {
  return { title, status: 'measured', sentences, facts: rows, tables: [] };
}

/** A contract in words: evaluator, picture, caption and the declared configuration set. */
export function describeContract(contract: Contract): DescribedSection[] {
  const { evaluator, caption, view, configurations } = contract;
  const scale = `${evaluator.scale.name} (${evaluator.scale.min ?? 'no lower limit'} to ${evaluator.scale.max ?? 'no upper limit'})`;
  const reads = (['image', 'caption', 'scene'] as const).filter((part) => evaluator.reads[part]).join(' and ');
  return [
    facts('Evaluator', [
      ['kind', evaluator.kind],
      ['role', evaluator.role],
      ['reads', reads],
      ['scale', scale],
      ...flattenJson(evaluator.fingerprint as Json),
      ...Object.entries(contract.parameters),
    ]),
    facts(
      'Picture',
      view === null
        ? []
        : [
            ...Object.entries(view),
            ['view aggregation', contract.aggregation],
            ...flattenJson(contract.renderer as Json),
          ],
      view === null ? ['This evaluator reads no picture.'] : [],
    ),
    facts(
      'Caption',
      caption === null
        ? []
        : [
            ['default template', caption.template ?? 'not in a grammar'],
            ...Object.entries(caption.default),
            ['grammar SHA-256', caption.grammar ?? 'none'],
          ],
      caption === null ? ['This evaluator reads no caption.'] : [],
    ),
    {
      title: 'Declared configuration set',
      status: 'measured',
      sentences: [`Design: ${configurations.design}.`],
      facts: [],
      tables: [
        {
          head: ['Factor', 'Levels', 'Default', 'Base'],
          numeric: [false, false, false, false],
          rows: configurations.factors.map((factor) => [
            factor.factor,
            factor.levels === null ? 'of each prompt' : shortList(naturally(factor.levels), 12),
            factor.default,
            factor.at === null
              ? 'c0'
              : Object.entries(factor.at)
                  .map(([name, level]) => `${name} ${level}`)
                  .join(', '),
          ]),
        },
      ],
    },
  ];
}

/** Numbers by value when every level is one; otherwise as they stand. */
function naturally(levels: readonly string[]): string[] {
  return levels.every((level) => level !== '' && Number.isFinite(Number(level)))
    ? [...levels].sort((a, b) => Number(a) - Number(b))
    : [...levels];
}
