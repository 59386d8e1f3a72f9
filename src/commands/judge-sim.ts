import type { Command } from 'commander';
import { parseFaults } from '../evaluators/judge-sim/faults.ts';
import { startJudgeSim } from '../evaluators/judge-sim/start-judge-sim.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './options.ts';

/** `parallax judge-sim`: a local judge, on loopback only, that fails on request. */
export function registerJudgeSim(program: Command, { print, signal }: CommandContext): void {
  program
    .command('judge-sim')
    .description('run a local hosted-judge simulator with configurable faults (loopback only)')
    .option('--port <n>', 'port; 0 picks a free one', wholeNumber(0), 8765)
    .option('--faults <list>', 'none, default, or fault=share,...', 'none')
    .option('--seed <n>', 'seed of faults and noise', wholeNumber(0), 0)
    .option('--hang <ms>', 'how long a hanging request is held', wholeNumber(1), 600_000)
    .action(async (flags: { port: number; faults: string; seed: number; hang: number }) => {
      const sim = await startJudgeSim({
        port: flags.port,
        faults: parseFaults(flags.faults),
        seed: flags.seed,
        hang: flags.hang,
      });
      print(`judge-sim at ${sim.url} (OpenAI: ${sim.url}/v1); stop it with Ctrl+C`);
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      print(JSON.stringify(sim.stats()));
      await sim.close();
    });
}
