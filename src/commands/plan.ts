import type { Command } from 'commander';
import { prettyJson } from '../core/json.ts';
import type { JudgeCost } from '../evaluators/judge/estimate-judge-cost.ts';
import { readPrices } from '../evaluators/judge/prices.ts';
import { type PlanCounts, planCounts } from '../protocol/plan-counts.ts';
import { loadAudit } from '../sweep/load-audit.ts';
import { type PlanTimes, planTimes } from '../sweep/plan-times.ts';
import type { CommandContext } from './context.ts';
import { costText, judgeCosts, type Thrift, thriftOf } from './judge-costs.ts';
import { wholeNumber } from './options.ts';
import { duration } from './reporter.ts';
import { addRunOptions, loadOptionsOf, type RunFlags, storeOf } from './run-options.ts';

/** `parallax plan`: counts what an audit would take; spends nothing. */
export function registerPlan(program: Command, { print }: CommandContext): void {
  addRunOptions(program.command('plan').description('count what an audit will take, before anything is spent'))
    .argument('<audit>', 'audit file')
    .option('--thrift <n>', 'what sampling about n templates by slot would save', wholeNumber(2))
    .option('--json', 'print JSON')
    .action(async (file: string, flags: RunFlags & { json?: boolean; thrift?: number }, command: Command) => {
      const { audit, plan } = await loadAudit(file, { ...loadOptionsOf(flags), withoutScenes: true });
      const counts = planCounts(plan);
      const times = await planTimes(counts, storeOf(command, flags));
      const prices = flags.prices === undefined ? undefined : readPrices(flags.prices);
      const costs = judgeCosts(plan, counts, prices);
      const thrift = thriftOf(plan, flags.thrift, prices);
      const perEvaluator = counts.perEvaluator.map((row) => {
        const cost = costs.get(row.evaluator);
        return {
          ...row,
          seconds: times.evaluators.get(row.evaluator) ?? 'unknown',
          price: cost === undefined ? 0 : (cost.price ?? 'unknown'),
          ...(cost === undefined ? {} : { judge: cost }),
        };
      });
      print(
        flags.json === true
          ? prettyJson({ ...counts, renderSeconds: times.render ?? 'unknown', perEvaluator, thrift, done: times.held })
          : planText(audit.shown, counts, times, costs, thrift),
      );
    });
}

function planText(
  shown: string,
  counts: PlanCounts,
  times: PlanTimes,
  costs: ReadonlyMap<string, JudgeCost>,
  thrift: Thrift | null,
): string {
  const scenes = counts.generators * counts.prompts;
  const seconds = (value: number | null | undefined) =>
    value === null || value === undefined ? 'time unknown' : `about ${duration(value)}`;
  const lines = [
    `${shown}`,
    `  ${counts.generators} generators x ${counts.prompts} prompts = ${scenes} scenes`,
    `  ${counts.templates} caption templates; ${counts.sharedLevels} shared levels + c0 = ${counts.configurations} shared configurations, ${counts.distinctConfigurations} distinct`,
    `  searched family: ${counts.contrasts} contrasts (${counts.distinctContrasts} distinct)`,
    `  a scene: ${counts.perScene.renders} renders, ${counts.perScene.composites} pictures, ${counts.perScene.probes} probes`,
    `  all scenes: ${scenes * (counts.perScene.renders + counts.perScene.probes)} renders, ${seconds(times.render)}`,
  ];
  for (const { evaluator, kind, imagePasses, captionPasses, requests } of counts.perEvaluator) {
    const work =
      kind === 'scores' || kind === 'ensemble'
        ? 'nothing to run'
        : requests > 0
          ? `${requests} requests`
          : `${imagePasses} images, ${captionPasses} captions`;
    lines.push(
      `  ${evaluator} (${kind}): ${work}${work === 'nothing to run' ? '' : `, ${seconds(times.evaluators.get(evaluator))}`}`,
    );
    const cost = costs.get(evaluator);
    if (cost !== undefined) lines.push(`    ${costText(cost)}`);
  }
  if (times.held !== null)
    lines.push(
      `  the store holds ${times.held['renders']} renders, ${times.held['embeddings']} embeddings, ${times.held['outcomes']} outcomes; work found there is not repeated`,
    );
  if (thrift !== null) {
    lines.push(
      `  ${thrift.used ? 'sampled: ' : ''}with ${thrift.templates} of ${thrift.of} templates (factors.template.levels: {sample: ${thrift.asked}}):`,
    );
    for (const cost of thrift.judges) lines.push(`    ${cost.evaluator}: ${costText(cost)}`);
    lines.push(`  with all ${thrift.of} templates (factors.template.levels: all):`);
    for (const cost of thrift.without) lines.push(`    ${cost.evaluator}: ${costText(cost)}`);
    lines.push(`  what ${thrift.templates} of ${thrift.of} templates can and cannot say:`);
    for (const sentence of [...thrift.estimated, ...thrift.lost]) lines.push(`    ${sentence}`);
  }
  return lines.join('\n');
}
