import { createRequire } from 'node:module';
import { runtimeVersions } from './onnx-session.ts';

interface Backend {
  readonly name: string;
  readonly bundled: boolean;
}

/** Execution providers the installed onnxruntime can use, and what to do to get a GPU one. */
export async function listProviders(): Promise<{ version: string; providers: string[]; advice: string }> {
  const { onnxruntime } = runtimeVersions();
  const require = createRequire(import.meta.url);
  const inner = createRequire(require.resolve('@huggingface/transformers'));
  const { listSupportedBackends } = inner('onnxruntime-node') as { listSupportedBackends?: () => Backend[] };
  const providers = (listSupportedBackends?.() ?? [{ name: 'cpu', bundled: true }])
    .filter(({ bundled }) => bundled)
    .map(({ name }) => name);
  const gpu = providers.some((name) => name === 'cuda' || name === 'dml' || name === 'coreml');
  return {
    version: onnxruntime,
    providers,
    advice: gpu
      ? ''
      : 'For CUDA on Linux x64, remove "onnxruntime-node-install=skip" from .npmrc and run `npm rebuild onnxruntime-node`, which fetches the CUDA provider; then set device: cuda.',
  };
}
