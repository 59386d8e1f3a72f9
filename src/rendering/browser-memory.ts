import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a browser, bytes. */
export interface BrowserMemory {
  /** Its own pages and data, over all its processes; shared libraries and files count nowhere. */
  readonly own: number;
  readonly processes: number;
}

/**
 * Memory of a browser and its helpers: every process of the group it leads (Puppeteer starts it as a group leader).
 * Null where the system does not tell (anything but Linux).
 */
export function browserMemory(leader: number): BrowserMemory | null {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return null;
  }
  let own = 0;
  let processes = 0;
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // "pid (program) state parent group ...": the program's name may hold spaces and brackets.
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) !== leader) continue;
      const resident = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${name}/status`, 'latin1'))?.[1];
      if (resident === undefined) continue;
      own += 1024 * Number(resident);
      processes += 1;
    } catch {
      // It ended in between.
    }
  }
  return processes === 0 ? null : { own, processes };
}
