import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { AuditError, messageOf } from '../core/errors.ts';
import { removeAbandoned } from '../core/temporary-folder.ts';

/** A browser that can be started. */
export interface FoundChromium {
  /** `variable`: PARALLAX_CHROMIUM; `installed`: found on this machine; `package`: unpacked from @sparticuz/chromium. */
  readonly source: 'variable' | 'installed' | 'package';
  readonly path: string;
  /** Environment variables for the browser alone (library and font folders of the packaged one). */
  readonly environment: Readonly<Record<string, string>>;
}

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome', 'microsoft-edge'];
const PLACES = [
  '/usr/lib/chromium/chromium',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];
/** Version of @sparticuz/chromium in package.json; names the folder it is unpacked to. */
const PACKAGED_VERSION = '147.0.0';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** First installed Chrome or Chromium: the usual names on PATH, then the usual places; null when there is none. */
export function findInstalledChromium(path = process.env['PATH'] ?? ''): string | null {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  for (const name of NAMES)
    for (const folder of folders) {
      const candidate = join(folder, name);
      if (isExecutable(candidate)) return candidate;
    }
  return PLACES.find(isExecutable) ?? null;
}

/** Where unpacked browsers are kept: this user's own cache, so that nobody else can put a program there. */
export function chromiumCacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'parallax');
}

function packagedAt(folder: string): FoundChromium {
  const library = [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH'] ?? ''].filter((part) => part !== '');
  return {
    source: 'package',
    path: join(folder, 'chromium'),
    environment: { LD_LIBRARY_PATH: library.join(':'), FONTCONFIG_PATH: join(folder, 'fonts') },
  };
}

let unpacking: Promise<FoundChromium> | undefined;

/**
 * The Chromium that npm carries, unpacked once into the user's cache folder (about 190 MB).
 *
 * The package unpacks the NSS libraries it links only when it believes it runs on AWS Lambda, and always into TMPDIR:
 * both variables are set while it is imported and unpacked, and put back. The work is done in a folder of its own and
 * renamed at the end, so a killed or concurrent unpacking is never taken for a finished one.
 *
 * @throws AuditError when the package cannot be unpacked here.
 */
export function packagedChromium(cache = chromiumCacheFolder()): Promise<FoundChromium> {
  unpacking ??= unpack(cache).finally(() => {
    unpacking = undefined;
  });
  return unpacking;
}

async function unpack(cache: string): Promise<FoundChromium> {
  const folder = join(cache, `chromium-${PACKAGED_VERSION}`);
  if (isExecutable(join(folder, 'chromium')) && existsSync(join(folder, 'al2023', 'lib'))) return packagedAt(folder);
  const variables = ['TMPDIR', 'AWS_EXECUTION_ENV', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'HOME'] as const;
  const before = variables.map((name) => [name, process.env[name]] as const);
  let partial: string | undefined;
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    removeAbandoned(cache, 'unpacking');
    partial = await mkdtemp(join(cache, `unpacking-${process.pid}-`));
    process.env['TMPDIR'] = partial;
    process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs20.x';
    const { default: chromium } = await import('@sparticuz/chromium');
    const program = await chromium.executablePath();
    if (program !== join(partial, 'chromium')) throw new Error(`it went to "${program}" instead of "${partial}"`);
    try {
      renameSync(partial, folder);
    } catch (error) {
      // Another process finished first, or an incomplete folder stands in the way.
      if (!existsSync(join(folder, 'chromium')) || !existsSync(join(folder, 'al2023', 'lib'))) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(partial, folder);
      } else if (!(error instanceof Error)) throw error;
    }
    return packagedAt(folder);
  } catch (error) {
    throw new AuditError(`Chromium: cannot unpack the one in @sparticuz/chromium: ${messageOf(error)}`, {
      code: 'ENVIRONMENT',
      hint: 'Install Chrome or Chromium (Debian: apt-get install chromium), or set PARALLAX_CHROMIUM to its path.',
      cause: error,
    });
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    if (partial !== undefined) await rm(partial, { recursive: true, force: true });
  }
}

/**
 * The browser to use: PARALLAX_CHROMIUM, else an installed Chrome or Chromium, else the one npm carries.
 *
 * @throws AuditError when PARALLAX_CHROMIUM names no program, or nothing can be found or unpacked.
 */
export async function findChromium(): Promise<FoundChromium> {
  const chosen = process.env['PARALLAX_CHROMIUM'];
  if (chosen !== undefined && chosen !== '') {
    if (chosen === 'package') return packagedChromium();
    if (!isExecutable(chosen))
      throw new AuditError(
        `PARALLAX_CHROMIUM: no program at "${chosen}"; expected the path of a Chrome or Chromium, or "package"`,
        {
          code: 'ENVIRONMENT',
        },
      );
    return { source: 'variable', path: chosen, environment: {} };
  }
  const installed = findInstalledChromium();
  if (installed !== null) return { source: 'installed', path: installed, environment: {} };
  return packagedChromium();
}
