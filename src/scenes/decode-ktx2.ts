import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import vm from 'node:vm';

/** The part of the Basis Universal transcoder's interface that is used here. */
interface BasisModule {
  initializeBasis(): void;
  KTX2File: new (
    bytes: Uint8Array,
  ) => {
    isValid(): boolean;
    getWidth(): number;
    getHeight(): number;
    startTranscoding(): boolean;
    getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
    transcodeImage(
      target: Uint8Array,
      level: number,
      layer: number,
      face: number,
      format: number,
      unused: number,
      channelsA: number,
      channelsB: number,
    ): boolean;
    close(): void;
    delete(): void;
  };
}

type BasisFactory = (options: { wasmBinary: Uint8Array }) => Promise<BasisModule>;

/** Transcoder target "RGBA32": four bytes a pixel. */
const RGBA32 = 13;

let shared: Promise<BasisModule> | undefined;

/**
 * Pixels of a KTX2 texture with Basis Universal content (ETC1S or UASTC, as HSSD assets have it), first level, straight
 * RGBA. The transcoder is the one that three.js carries.
 *
 * @throws Error when the texture is damaged or not of that kind
 */
export async function decodeKtx2(bytes: Uint8Array): Promise<{ width: number; height: number; data: Uint8Array }> {
  shared ??= load();
  const basis = await shared;
  // The transcoder copies with the constructor of what it is given, which must not be Buffer.
  const file = new basis.KTX2File(new Uint8Array(bytes));
  try {
    if (!file.isValid()) throw new Error('not a KTX2 texture of Basis Universal kind');
    const width = file.getWidth();
    const height = file.getHeight();
    if (width < 1 || height < 1 || width > 16_384 || height > 16_384)
      throw new Error(`damaged KTX2 texture (size ${width} x ${height})`);
    if (!file.startTranscoding()) throw new Error('damaged KTX2 texture');
    const data = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, RGBA32));
    if (data.length !== width * height * 4 || !file.transcodeImage(data, 0, 0, 0, RGBA32, 0, -1, -1))
      throw new Error('damaged KTX2 texture');
    return { width, height, data };
  } finally {
    file.close();
    file.delete();
  }
}

async function load(): Promise<BasisModule> {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('three/examples/jsm/libs/basis/basis_transcoder.js'));
  const [source, wasm] = await Promise.all([
    readFile(join(folder, 'basis_transcoder.js'), 'utf8'),
    readFile(join(folder, 'basis_transcoder.wasm')),
  ]);
  // The transcoder is a classic script in a package of ES modules, so it cannot be imported: it runs as a function.
  // Without `process` and `Buffer` it takes itself for a plain shell and leaves Node's handlers of uncaught errors alone.
  const wrapper = vm.runInThisContext(
    `(function (process, Buffer) { ${source}\n; return BASIS; })`,
  ) as () => BasisFactory;
  const factory = wrapper();
  const module = await factory({ wasmBinary: wasm });
  module.initializeBasis();
  // An Emscripten module may be "thenable"; hand over a plain holder of the parts in use.
  return { initializeBasis: module.initializeBasis, KTX2File: module.KTX2File };
}
