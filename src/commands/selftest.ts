import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { analyzeResults } from '../cards/analyze-results.ts';
import { AuditError } from '../core/errors.ts';
import { prettyJson } from '../core/json.ts';
import { temporaryFolder } from '../core/temporary-folder.ts';
import { writeSelftestAudit } from '../sweep/selftest-audit.ts';
import { checkSelftest, PLANTED_TRAITS, type SelftestRow } from '../sweep/selftest-checks.ts';
import type { CommandContext } from './context.ts';
import { sweepAudit } from './work.ts';

interface SelftestFlags {
  readonly keep?: string;
  readonly json?: boolean;
}

/** `parallax selftest`: evaluators with known behaviour go through the whole pipeline; the audit must say what was planted. */
export function registerSelftest(program: Command, context: CommandContext): void {
  program
    .command('selftest')
    .description('audit evaluators of known behaviour and compare what the audit finds with what was planted')
    .option('--keep <folder>', 'write audit, scenes and results to this folder and keep them')
    .option('--json', 'print the table as JSON')
    .action(async (flags: SelftestFlags, command: Command) => {
      const temporary = flags.keep === undefined ? await temporaryFolder('parallax-selftest') : null;
      const folder = temporary?.path ?? resolve(flags.keep ?? '');
      try {
        const file = await writeSelftestAudit(folder);
        const { loaded } = await sweepAudit(file, { store: join(folder, 'store.duckdb') }, command, context, 'export');
        const rows = checkSelftest(await analyzeResults(loaded.audit.results));
        context.print(flags.json === true ? prettyJson({ schema: 'parallax/selftest@1', rows }) : tableText(rows));
        const failed = rows.filter(({ passed }) => !passed).length;
        if (failed > 0)
          throw new AuditError(`selftest: ${failed} of ${rows.length} claims failed; expected what was planted`, {
            code: 'ENVIRONMENT',
            hint: 'do not trust audits made by this installation; run `parallax doctor`',
          });
      } finally {
        await temporary?.remove();
      }
    });
}

/** Columns of the first cell; longer claims go on in the next line. */
const CLAIM_WIDTH = 66;

/** One block an evaluator: its trait and verdict, then what was planted, what the audit found, pass or FAIL. */
function tableText(rows: readonly SelftestRow[]): string {
  const found = Math.max('the audit found'.length, ...rows.map((row) => row.found.length));
  const line = (first: string, second: string, third: string) =>
    `${first.padEnd(CLAIM_WIDTH + 2)}  ${second.padEnd(found)}  ${third}`.trimEnd();
  const lines = [line('planted', 'the audit found', '')];
  for (const [evaluator, trait] of Object.entries(PLANTED_TRAITS)) {
    const own = rows.filter((row) => row.evaluator === evaluator);
    const passed = own.filter((row) => row.passed).length;
    const verdict = passed === own.length ? 'pass' : 'FAIL';
    lines.push(line(`${evaluator}: ${trait}`, `${passed} of ${own.length} claims hold`, verdict));
    for (const row of own) {
      const [first = '', ...rest] = wrapped(row.planted, CLAIM_WIDTH);
      lines.push(line(`  ${first}`, row.found, row.passed ? 'pass' : 'FAIL'), ...rest.map((part) => `    ${part}`));
    }
  }
  return lines.join('\n');
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width - 2) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
