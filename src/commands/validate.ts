import type { Command } from 'commander';
import { AuditError } from '../core/errors.ts';
import { prettyJson } from '../core/json.ts';
import { auditJsonSchema } from '../protocol/audit-file.ts';
import { planCounts } from '../protocol/plan-counts.ts';
import { loadAudit } from '../sweep/load-audit.ts';
import type { CommandContext } from './context.ts';

/** `parallax validate`: reads an audit and everything it names; spends nothing. */
export function registerValidate(program: Command, { print }: CommandContext): void {
  program
    .command('validate')
    .description('check an audit file and everything it names, before anything is spent')
    .argument('[audit]', 'audit file')
    .option('--json-schema', 'print the JSON Schema of audit files instead')
    .action(async (file: string | undefined, options: { jsonSchema?: boolean }) => {
      if (options.jsonSchema === true) {
        print(prettyJson(auditJsonSchema()));
        return;
      }
      if (file === undefined) throw usage();
      const { audit, plan, scenes } = await loadAudit(file, { withoutScenes: true });
      const counts = planCounts(plan);
      print(
        [
          `${audit.shown}: valid`,
          `  ${scenes.scenes.length} scenes of ${plan.generators.length} generators, ${plan.prompts.length} prompts, ${plan.templates.length} caption templates`,
          `  ${counts.evaluators} evaluators, ${plan.factors.length} factors, ${counts.configurations} shared configurations (${counts.distinctConfigurations} distinct)`,
          ...(scenes.scenes.length === 0 ? ['  no scenes yet: `plan` counts with the declared numbers'] : []),
        ].join('\n'),
      );
    });
}

function usage(): Error {
  return new AuditError('validate: missing audit file; expected `parallax validate <audit.yaml>`', { code: 'USAGE' });
}
