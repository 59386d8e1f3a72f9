import type { ConfigurationLedger, Judging } from '../core/judging-estimates.ts';
import { OUTCOME_STATUSES } from '../core/outcome.ts';
import type { DescribedSection } from './described.ts';
import { formatCount, formatEstimate, formatNumber, plural } from './format-number.ts';

/** Configurations a card lists at most; card.json holds all. */
const LISTED = 40;
const PERCENT = { percent: true } as const;

/** The ledger of every configuration with failures, what is settled, sampled templates and pairs, in words. */
export function describeJudging({
  configurations,
  settled,
  sample,
  pairwise,
}: Judging): Pick<DescribedSection, 'sentences' | 'facts' | 'tables'> {
  const failing = configurations.filter((row) => row.scored < row.planned);
  const share = (row: ConfigurationLedger) => (row.planned - row.scored) / row.planned;
  const shares = configurations.map(share);
  const ledger =
    failing.length === 0
      ? `Every outcome of all ${plural(configurations.length, 'configuration')} is scored.`
      : `Without a score: ${formatNumber(Math.min(...shares), PERCENT)} to ${formatNumber(Math.max(...shares), PERCENT)} of a configuration; ${formatCount(failing.length)} of ${plural(configurations.length, 'configuration')} ${failing.length === 1 ? 'has' : 'have'} failures.`;
  const rows = failing
    .slice(0, LISTED)
    .map((row) => [
      row.factor === '' ? 'default' : `${row.factor} ${row.level}`,
      formatCount(row.planned),
      ...OUTCOME_STATUSES.map((status) => formatCount(row[status])),
      formatNumber(share(row), PERCENT),
    ]);
  return {
    sentences: [
      ledger,
      ...settled.statements.map((statement) => `${statement.charAt(0).toUpperCase()}${statement.slice(1)}.`),
      ...(sample === null
        ? []
        : [
            `${sample.drawn} of ${sample.of} templates were drawn. Estimated: ${sample.estimated.join('; ')}. No longer to be said: ${sample.lost.join('; ')}.`,
          ]),
    ],
    facts: [
      ...(sample === null
        ? []
        : [
            ...sample.generators.map(({ generator, mean }): [string, string] => [
              `${generator}, mean over all templates`,
              formatEstimate(mean),
            ]),
            ['template rho over all templates', formatEstimate(sample.rho)] as [string, string],
          ]),
      ...(pairwise === null
        ? []
        : ([
            ['same answer in both orders', formatEstimate(pairwise.consistent, PERCENT)],
            ['answers for the picture shown first', formatEstimate(pairwise.firstShown, PERCENT)],
          ] as [string, string][])),
    ],
    tables:
      rows.length === 0
        ? []
        : [
            {
              head: ['Configuration', 'Planned', ...OUTCOME_STATUSES, 'Without a score'],
              numeric: [false, true, ...OUTCOME_STATUSES.map(() => true), true],
              rows,
            },
          ],
  };
}
