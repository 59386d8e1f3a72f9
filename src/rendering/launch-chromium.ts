import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { AuditError, messageOf } from '../core/errors.ts';
import { temporaryFolder } from '../core/temporary-folder.ts';
import { type FoundChromium, findChromium } from './find-chromium.ts';

/** A running browser of ours and its profile folder. */
export interface RunningChromium {
  readonly found: FoundChromium;
  readonly browser: Browser;
  /** Ends the browser (kill, if it does not answer within two seconds) and removes its folder. */
  close(): Promise<void>;
}

/** Arguments every browser of ours gets; PARALLAX_CHROMIUM_ARGS (spaces between) are appended and win. */
export function chromiumArguments(): string[] {
  const extra = (process.env['PARALLAX_CHROMIUM_ARGS'] ?? '').split(/\s+/).filter((argument) => argument !== '');
  return [
    // Software GL by default: pictures must not depend on whose graphics card drew them.
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    '--no-sandbox',
    '--no-zygote',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-pings',
    '--disable-dev-shm-usage',
    '--disable-quic',
    '--disable-sync',
    '--disable-extensions',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication',
    '--force-color-profile=srgb',
    '--mute-audio',
    // Nothing but loopback can be resolved, whatever a page asks for.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--proxy-server=direct://',
    ...extra,
  ];
}

/** Longest folder in which Chromium's singleton socket still fits into a Unix socket address. */
const LONGEST_SOCKET_FOLDER = 58;

/** Where a socket's address is short enough whatever TMPDIR says. */
const SHORT_PARENT = '/tmp';

/**
 * Chromium leaves its singleton's folder in TMPDIR when it is killed: in a folder of ours it goes with that. It lies inside the
 * profile, or, where a long TMPDIR leaves no room for a socket's address, beside it under a short one.
 */
async function socketFolder(profile: string): Promise<{ path: string | null; remove(): Promise<void> }> {
  const nothing = { path: null, remove: () => Promise.resolve() };
  if (process.platform === 'win32') return nothing;
  const path = join(profile, 't');
  if (path.length <= LONGEST_SOCKET_FOLDER) {
    await mkdir(path);
    return { ...nothing, path };
  }
  // A system without /tmp keeps Chromium's own choice.
  return await temporaryFolder('parallax-socket', SHORT_PARENT).catch(() => nothing);
}

/**
 * Starts a browser that dies with us: it is driven over a pipe, and Chromium ends when its pipe closes, kill -9 included.
 *
 * @throws AuditError when it does not start, naming the program and what to do.
 */
export async function launchChromium(found?: FoundChromium): Promise<RunningChromium> {
  const chosen = found ?? (await findChromium());
  const profile = await temporaryFolder('parallax-chromium');
  const socket = await socketFolder(profile.path);
  const removeFolders = async (): Promise<void> => {
    await profile.remove();
    await socket.remove();
  };
  let browser: Browser;
  try {
    // Loaded when a browser is wanted: it is a sixth of a second that most commands need not spend.
    const { default: puppeteer } = await import('puppeteer-core');
    browser = await puppeteer.launch({
      executablePath: chosen.path,
      headless: chosen.source === 'package' ? 'shell' : true,
      pipe: true,
      userDataDir: profile.path,
      args: chromiumArguments(),
      env: { ...process.env, ...chosen.environment, ...(socket.path === null ? {} : { TMPDIR: socket.path }) },
      // Ctrl+C belongs to the caller, who finishes the picture in hand.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      protocolTimeout: 0,
      timeout: 60_000,
      defaultViewport: { width: 320, height: 240 },
    });
  } catch (error) {
    await removeFolders();
    throw new AuditError(`Chromium: "${chosen.path}" does not start: ${messageOf(error, 300)}`, {
      code: 'ENVIRONMENT',
      hint: 'Install Chrome or Chromium (Debian: apt-get install chromium), or set PARALLAX_CHROMIUM to its path.',
      cause: error,
    });
  }
  return {
    found: chosen,
    browser,
    async close() {
      const child = browser.process();
      const ended = new Promise<void>((resolve) => {
        if (child === null || child.exitCode !== null || child.signalCode !== null) resolve();
        else child.once('exit', () => resolve());
      });
      const grace = timer(2000);
      await Promise.race([browser.close().catch(() => undefined), grace.done]);
      grace.cancel();
      if (child !== null && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
      const patience = timer(2000);
      await Promise.race([ended, patience.done]);
      patience.cancel();
      await removeFolders();
    },
  };
}

function timer(milliseconds: number): { done: Promise<void>; cancel(): void } {
  let handle: NodeJS.Timeout | undefined;
  const done = new Promise<void>((resolve) => {
    handle = setTimeout(resolve, milliseconds);
  });
  return { done, cancel: () => clearTimeout(handle) };
}

/** Puppeteer starts the browser as leader of its own process group; helpers go with it. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
