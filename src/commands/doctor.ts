import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { AuditError, messageOf } from '../core/errors.ts';
import { prettyJson } from '../core/json.ts';
import { relativePath } from '../core/paths.ts';
import { listProviders } from '../evaluators/list-providers.ts';
import { describeChromium } from '../rendering/chromium.ts';
import { ownVersion, packageRoot } from '../sweep/provenance.ts';
import type { CommandContext } from './context.ts';
import { storeOf } from './run-options.ts';

/** One thing an audit needs of the machine. */
interface Finding {
  readonly what: string;
  readonly found: string;
  /** What to do about it; empty when nothing is needed. */
  readonly advice: string;
  readonly needed: boolean;
  readonly present: boolean;
}

/** `parallax doctor`: what this machine has, and what to do about what it has not. */
export function registerDoctor(program: Command, { print }: CommandContext): void {
  program
    .command('doctor')
    .description('show the browser, GL renderer, model runtime and tools an audit will use')
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean; store?: string }, command: Command) => {
      const findings = [
        machine(),
        await chromium(),
        await runtime(),
        pocket(),
        program_('blender', ['--version'], 'only the `blender` renderer needs it: install Blender 3.4 to 4.x'),
        program_('python3', ['--version'], 'only `command` evaluators in Python need it'),
        storeFolder(storeOf(command, flags)),
      ];
      if (flags.json === true) print(prettyJson(findings));
      else
        for (const { what, found, advice } of findings)
          print(`${what.padEnd(10)} ${found}${advice === '' ? '' : `\n${' '.repeat(11)}${advice}`}`);
      const missing = findings.find(({ needed, present }) => needed && !present);
      if (missing !== undefined)
        throw new AuditError(`doctor: ${missing.what}: ${missing.found}; expected it for an audit`, {
          code: 'ENVIRONMENT',
        });
    });
}

function machine(): Finding {
  const gigabytes = (bytes: number) => (bytes / 2 ** 30).toFixed(1);
  return {
    what: 'machine',
    found: `parallax ${ownVersion()}, Node ${process.versions.node}, ${availableParallelism()} cores, ${gigabytes(freemem())} of ${gigabytes(totalmem())} GiB free, ${process.platform} ${process.arch}`,
    advice: '',
    needed: false,
    present: true,
  };
}

async function chromium(): Promise<Finding> {
  try {
    const { source, path, version, glRenderer, advice } = await describeChromium();
    return {
      what: 'chromium',
      found: `${version} (${source}: ${path}); GL: ${glRenderer ?? 'none'}`,
      advice: advice ?? '',
      needed: true,
      present: glRenderer !== null,
    };
  } catch (error) {
    return {
      what: 'chromium',
      found: messageOf(error),
      advice: 'Install Chrome or Chromium, or name one with PARALLAX_CHROMIUM=/path/to/chrome.',
      needed: true,
      present: false,
    };
  }
}

async function runtime(): Promise<Finding> {
  const { version, providers, advice } = await listProviders();
  return {
    what: 'models',
    found: `onnxruntime ${version}; providers: ${providers.join(', ')}`,
    advice,
    needed: true,
    present: true,
  };
}

function pocket(): Finding {
  const folder = join(packageRoot(), 'models', 'pocket');
  const present = existsSync(join(folder, 'onnx', 'vision_model.onnx'));
  return {
    what: 'pocket',
    found: present ? `${relativePath(folder)}: the embedded demonstration model` : `${relativePath(folder)}: missing`,
    advice: present ? '' : 'The package is incomplete: install it again.',
    needed: true,
    present,
  };
}

function program_(name: string, args: string[], advice: string): Finding {
  try {
    const text = execFileSync(name, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 });
    return { what: name, found: (text.split('\n')[0] ?? '').trim(), advice: '', needed: false, present: true };
  } catch {
    return { what: name, found: 'not found', advice, needed: false, present: false };
  }
}

function storeFolder(path: string): Finding {
  let folder = dirname(resolve(path));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return {
      what: 'store',
      found: `${relativePath(path)} (${existsSync(path) ? 'exists' : 'will be made'})`,
      advice: '',
      needed: true,
      present: true,
    };
  } catch {
    return {
      what: 'store',
      found: `${relativePath(path)}: the folder cannot be written`,
      advice: 'Name a writable place with --store PATH.',
      needed: true,
      present: false,
    };
  }
}
