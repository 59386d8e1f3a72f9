import type { Command } from 'commander';
import { registerAgree } from './agree.ts';
import { registerAnalyze } from './analyze.ts';
import { registerCard } from './card.ts';
import { registerCite } from './cite.ts';
import { registerCompare } from './compare.ts';
import type { CommandContext } from './context.ts';
import { registerDiff } from './diff.ts';
import { registerDoctor } from './doctor.ts';
import { registerExport } from './export.ts';
import { registerField } from './field.ts';
import { registerImport } from './import.ts';
import { registerIngest } from './ingest.ts';
import { registerInit } from './init.ts';
import { registerJudgeSim } from './judge-sim.ts';
import { registerMerge } from './merge.ts';
import { registerPlan } from './plan.ts';
import { registerRender } from './render.ts';
import { registerReport } from './report.ts';
import { registerRetry } from './retry.ts';
import { registerRun } from './run.ts';
import { registerScore } from './score.ts';
import { registerSelftest } from './selftest.ts';
import { registerSummary } from './summary.ts';
import { registerValidate } from './validate.ts';
import { registerVerify } from './verify.ts';
import { registerView } from './view.ts';

/** Every verb of the command line, in the order of its help. */
export function registerCommands(program: Command, context: CommandContext): void {
  for (const register of [
    registerInit,
    registerValidate,
    registerPlan,
    registerImport,
    registerView,
    registerRender,
    registerScore,
    registerAnalyze,
    registerCard,
    registerReport,
    registerRun,
    registerRetry,
    registerVerify,
    registerSummary,
    registerCite,
    registerDiff,
    registerCompare,
    registerAgree,
    registerExport,
    registerIngest,
    registerMerge,
    registerField,
    registerJudgeSim,
    registerSelftest,
    registerDoctor,
  ])
    register(program, context);
}
