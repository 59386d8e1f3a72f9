import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeEvidence } from '../../src/cards/describe-evidence.ts';
import { readCard } from '../../src/cards/read-results.ts';
import type { Evidence } from '../../src/core/card.ts';

const { card } = readCard(join(import.meta.dirname, '../fixtures/cards/card.json'));

test('the card says which prompts each probe was tried on, why, and how it was set', () => {
  const evidence = card.evaluators[0]?.evidence as Evidence;
  if (evidence.probes.status !== 'measured') throw new Error('the fixture measured its probes');
  const all = { annotated: false, prompts: 12, of: 12 };
  const declared = [
    {
      probe: 'scrambled',
      choices: { supported: 'fall' },
      applies: { about: ['relations'], annotated: true, prompts: 7, of: 12 },
    },
    { probe: 'keep-half', choices: {}, applies: { about: ['objects', 'counts'], ...all } },
    { probe: 'mirrored', choices: {}, applies: { about: null, ...all } },
    { probe: 'old', choices: {}, applies: null },
  ];
  const probes = { ...evidence.probes, value: { ...evidence.probes.value, declared } };
  const section = describeEvidence(card, { ...evidence, probes }).find(({ title }) => title === 'Probes');
  expect(section?.tables[1]?.rows).toEqual([
    ['scrambled', '7 of 12 prompts: those that specify relations', 'supported: fall'],
    ['keep-half', 'all 12 prompts: none is annotated with objects or counts', '–'],
    ['mirrored', 'all 12 prompts', '–'],
    ['old', 'not recorded', '–'],
  ]);
});
