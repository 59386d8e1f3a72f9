import type { Command } from 'commander';
import { registerAnalyze } from './analyze.ts';
import { registerCard } from './card.ts';
import type { CommandContext } from './context.ts';
import { registerDoctor } from './doctor.ts';
import { registerImport } from './import.ts';
import { registerMerge } from './merge.ts';
import { registerPlan } from './plan.ts';
import { registerRender } from './render.ts';
import { registerReport } from './report.ts';
import { registerRun } from './run.ts';
import { registerScore } from './score.ts';
import { registerValidate } from './validate.ts';
import { registerVerify } from './verify.ts';

/** Every verb of the command line, in the order of its help. */
export function registerCommands(program: Command, context: CommandContext): void {
  for (const register of [
    registerValidate,
    registerPlan,
    registerImport,
    registerRender,
    registerScore,
    registerAnalyze,
    registerCard,
    registerReport,
    registerRun,
    registerVerify,
    registerMerge,
    registerDoctor,
  ])
    register(program, context);
}
