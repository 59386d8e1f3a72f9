import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agree } from '../../src/statistics/agree.ts';
import { optionsFromTable } from '../../src/statistics/analysis-options.ts';
import { analyze } from '../../src/statistics/analyze.ts';
import { readRatingTable } from '../../src/statistics/rating-table.ts';
import { readScoreTable } from '../../src/statistics/score-table.ts';
import { tifaRatings, tifaTable } from '../support/tifa-table.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-agree-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SCORES = 'evaluator,generator,prompt,factor,level,score';

async function compared(scores: readonly string[], ratings: readonly string[]) {
  const paths = [join(folder, 'scores.csv'), join(folder, 'ratings.csv')] as const;
  writeFileSync(paths[0], `${[SCORES, ...scores].join('\n')}\n`);
  writeFileSync(paths[1], `${ratings.join('\n')}\n`);
  return agree(await readScoreTable(paths[0]), await readRatingTable(paths[1]), { seed: 1, resamples: 200 });
}

describe('agreement with preferences, by hand', () => {
  // Raters r1 to r3 on two prompts; p1: 2 to 1 for a; p2: one a, one b, one tie, so no majority.
  const pairs = [
    'prompt,first,second,rater,choice',
    'p1,a,b,r1,a',
    'p1,a,b,r2,a',
    'p1,b,a,r3,b',
    'p2,a,b,r1,a',
    'p2,a,b,r2,b',
    'p2,a,b,r3,tie',
    'p3,a,b,r1,b',
    'p3,a,b,r2,b',
    'p3,a,b,r3,b',
  ];

  test('majority, individuals, ties; the configuration that scores highest need not agree best', async () => {
    const made = await compared(
      [
        // c0: a ahead on p1 and p2, b on p3.
        ...['e,a,p1,,,5', 'e,b,p1,,,4', 'e,a,p2,,,5', 'e,b,p2,,,4', 'e,a,p3,,,4', 'e,b,p3,,,5'],
        // Higher scores, but b ahead on p1, and tied on p3.
        ...['e,a,p1,f,x,8', 'e,b,p1,f,x,9', 'e,a,p2,f,x,8', 'e,b,p2,f,x,8', 'e,a,p3,f,x,8', 'e,b,p3,f,x,8'],
      ],
      pairs,
    );
    const [evaluator] = made.evaluators;
    const [c0, x] = evaluator!.configurations;
    expect(c0!.majority).toMatchObject({ value: 1, n: 2 });
    expect(c0!.individual).toMatchObject({ value: (2 + 1 + 3) / 8, n: 8 });
    expect(c0!.withTies).toMatchObject({ value: (2 + 1 + 3) / 9, n: 9 });
    // b on p1 is against two of three; the tie on p3 earns nothing against forced choices; on p2 the tie matches one vote.
    expect(x!.majority).toMatchObject({ value: 0, n: 2 });
    expect(x!.individual).toMatchObject({ value: 1 / 8, n: 8 });
    expect(x!.withTies).toMatchObject({ value: (1 + 1) / 9, n: 9 });
    expect(evaluator).toMatchObject({
      scoresHighest: { factor: 'f', level: 'x' },
      agreesBest: { factor: '', level: '' },
      same: false,
      gap: { value: 1 },
      scoreAgreementTauB: -1,
    });
    expect(made.humans.percentAgreement).toMatchObject({ value: expect.closeTo((1 / 3 + 0 + 1) / 3, 12) });
  });

  test('Fleiss kappa of the votes and the consensus order', async () => {
    const { humans } = await compared(
      ['e,a,p1,,,1', 'e,b,p1,,,2', 'e,a,p2,,,1', 'e,b,p2,,,2', 'e,a,p3,,,1', 'e,b,p3,,,2'],
      pairs,
    );
    // Votes a, tie, b: (2,0,1), (1,1,1), (0,0,3): agreement 4/9, marginals 3/9, 1/9, 5/9.
    const chance = (9 + 1 + 25) / 81;
    expect(humans.fleissKappa.value).toBeCloseTo((4 / 9 - chance) / (1 - chance), 12);
    expect(humans.consensus.map(({ generator }) => generator)).toEqual(['b', 'a']);
  });

  test.each([
    ['an unknown choice', [...pairs.slice(0, 2), 'p1,a,b,r2,c'], /^ratings\.csv:3: column choice: unknown choice "c"/],
    ['a duplicate', [...pairs.slice(0, 2), 'p1,a,b,r1,b'], /^ratings\.csv:3: .*duplicate key/],
    ['other columns', ['prompt,a,b', 'p1,1,2'], /^ratings\.csv:1: unknown columns/],
    [
      'no rating',
      ['generator,prompt,rater,rating', 'a,p1,r1,good'],
      /^ratings\.csv:2: column rating: invalid rating "good"/,
    ],
    ['no common prompt', [...pairs.slice(0, 1), 'q,a,b,r1,a'], /no prompt of scores\.csv/],
  ])('%s is one clear line', async (_, ratings, message) => {
    await expect(compared(['e,a,p1,,,1', 'e,b,p1,,,2'], ratings)).rejects.toThrow(message);
  });
});

const corpus = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'shared',
  'corpus',
  'scores',
  'tifa_human_annotations_with_scores.json',
);

describe.skipIf(!existsSync(corpus))('the published TIFA annotations', () => {
  const tables = async () => {
    const text = readFileSync(corpus, 'utf8');
    const paths = [join(folder, 'tifa.csv'), join(folder, 'tifa-ratings.csv')] as const;
    writeFileSync(paths[0], tifaTable(text));
    writeFileSync(paths[1], tifaRatings(text));
    return [await readScoreTable(paths[0]), await readRatingTable(paths[1])] as const;
  };

  test('correlations with people are those of scipy', async () => {
    const [scores, ratings] = await tables();
    const made = agree(scores, ratings, { seed: 1, resamples: 200 });
    expect([made.prompts, made.generators.length, made.ratings.raters]).toEqual([160, 5, 2]);
    const scipy = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'reference', 'tifa.json'), 'utf8')) as Record<
      string,
      { pearson: number; spearman: number; tauB: number }
    >;
    for (const { level, pearson, spearman, kendallTauB, scenes } of made.evaluators[0]!.configurations) {
      expect([level, scenes]).toEqual([level, 800]);
      expect(pearson! - scipy[level]!.pearson).toBeCloseTo(0, 10);
      expect(spearman! - scipy[level]!.spearman).toBeCloseTo(0, 10);
      expect(kendallTauB! - scipy[level]!.tauB).toBeCloseTo(0, 10);
    }
    expect(made.evaluators[0]!.scoresHighest).toEqual({ factor: 'vqa', level: 'mplug-large' });
  });

  test('the question-answering model moves a score more than the generator does', async () => {
    const [scores] = await tables();
    const estimates = await analyze(
      scores,
      optionsFromTable(scores, { seed: 3, resamples: 200, c0: { vqa: 'mplug-large' } }),
    );
    const [evaluator] = estimates.evaluators;
    expect(evaluator!.ledger).toMatchObject({ planned: 4000, scored: 4000 });
    expect(estimates.family).toMatchObject({ contrasts: 60, pairs: 10, configurations: 6 });
    expect(evaluator!.peakRho.value!).toBeGreaterThan(10);
    expect(evaluator!.winnersAll).toEqual(['stable_diffusion_v2_1']);
  });
});
