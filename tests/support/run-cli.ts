import { runCli } from '../../src/cli.ts';

/** Runs a command line in this process and returns what it printed. */
export async function cli(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  const code = await runCli(
    argv,
    { stdout: { write: (text) => (stdout += text) }, stderr: { write: (text: string) => (stderr += text) } },
    new AbortController().signal,
  );
  return { code, stdout, stderr };
}
