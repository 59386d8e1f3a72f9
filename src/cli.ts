import { Command, CommanderError } from 'commander';
import { type CommandContext, DEFAULT_STORE } from './commands/context.ts';
import { registerCommands } from './commands/register.ts';
import { createReporter, type LogMode, type ReporterStream } from './commands/reporter.ts';
import { AuditError, EXIT, isAbort, messageOf } from './core/errors.ts';
import { ownVersion } from './sweep/provenance.ts';

/** Where a command line prints. */
export interface CliStreams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: ReporterStream;
}

/**
 * Runs one command line and returns its exit code: 0 done; 1 an error the user can mend; 2 wrong usage; 70 our own bug
 * (with a stack trace); 100 a gate that was asked for is not met; 130 interrupted.
 */
export async function runCli(argv: readonly string[], streams: CliStreams, signal: AbortSignal): Promise<number> {
  const mode = logModeOf(argv);
  const reporter = createReporter(streams.stderr, mode);
  const context: CommandContext = {
    print: (text) => streams.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    log: reporter.log,
    onProgress: reporter.onProgress,
    signal,
    endProgress: reporter.end,
  };
  const program = new Command('parallax')
    .description(
      'Audits evaluators of generated 3D scenes: what survives when camera, light, background and wording change.',
    )
    .version(ownVersion())
    .option('--log <mode>', 'auto, plain, json or quiet: logs and progress on stderr', 'auto')
    .option('--store <path>', 'the store that remembers renders and outcomes', DEFAULT_STORE)
    .showHelpAfterError('(parallax --help lists the commands, parallax <command> --help its options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
    });
  registerCommands(program, context);
  for (const command of program.commands)
    command
      .option('--log <mode>', 'auto, plain, json or quiet')
      .option('--store <path>', 'the store (default .parallax/store.duckdb)')
      .exitOverride()
      .configureOutput({
        writeOut: (text) => streams.stdout.write(text),
        writeErr: (text) => streams.stderr.write(text),
      });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    reporter.end();
    return EXIT.done;
  } catch (error) {
    reporter.end();
    return report(error, streams, signal, argv);
  }
}

function logModeOf(argv: readonly string[]): LogMode {
  const at = argv.indexOf('--log');
  const value = at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith('--log='))?.slice(6);
  return value === 'plain' || value === 'json' || value === 'quiet' ? value : 'auto';
}

function report(error: unknown, { stderr }: CliStreams, signal: AbortSignal, argv: readonly string[]): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (signal.aborted || isAbort(error)) {
    stderr.write(`interrupted; everything finished so far is kept. Resume with: parallax ${argv.join(' ')}\n`);
    return EXIT.interrupted;
  }
  if (error instanceof AuditError) {
    stderr.write(`parallax: ${messageOf(error, 2000)}\n`);
    if (error.hint !== undefined) stderr.write(`${error.hint}\n`);
    if (error.code === 'GATE') return EXIT.gate;
    return error.code === 'USAGE' ? EXIT.usage : EXIT.mendable;
  }
  stderr.write(`parallax: internal error; please report it with what follows\n`);
  stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT.bug;
}

/** Entry of the binary: wires the process (signals, exit code) to `runCli`. */
export async function main(argv: readonly string[]): Promise<void> {
  const controller = new AbortController();
  let interrupts = 0;
  const stop = () => {
    interrupts += 1;
    if (interrupts > 1) process.exit(EXIT.interrupted);
    process.stderr.write('\nstopping after the work in hand (press Ctrl+C again to stop at once)\n');
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // A reader that closes its end early (head, a pager) is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
  const code = await runCli(argv, { stdout: process.stdout, stderr: process.stderr }, controller.signal);
  process.exitCode = code;
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
}
