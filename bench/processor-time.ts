import { readdirSync, readFileSync } from 'node:fs';

/** What this process and everything it started have used and hold. */
export interface ProcessFamily {
  /** Processor seconds, over all processes that still run and those that were waited for. */
  readonly cpu: number;
  /** Resident memory of this process, bytes. */
  readonly own: number;
  /** Anonymous resident memory of the children (a browser, Blender), bytes. */
  readonly children: number;
}

/** Clock ticks a second on Linux, whatever the kernel was built with. */
const TICKS = 100;

/** Reads /proc; on other systems only this process is seen. */
export function processFamily(): ProcessFamily {
  const own = process.memoryUsage().rss;
  const processes = new Map<number, { parent: number; cpu: number }>();
  try {
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
        processes.set(Number(name), { parent: Number(fields[1]), cpu: ticks / TICKS });
      } catch {
        // It ended in between.
      }
    }
  } catch {
    const { user, system } = process.cpuUsage();
    return { cpu: (user + system) / 1e6, own, children: 0 };
  }
  const isKin = (pid: number): boolean => {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  let cpu = 0;
  let children = 0;
  for (const [pid, { cpu: used }] of processes) {
    if (!isKin(pid)) continue;
    cpu += used;
    if (pid !== process.pid) children += anonymous(pid);
  }
  return { cpu, own, children };
}

function anonymous(pid: number): number {
  try {
    return 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Wall and processor seconds of a piece of work; the processor seconds do not suffer from others on the machine. */
export async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value; wall: number; cpu: number }> {
  const before = processFamily().cpu;
  const started = performance.now();
  const value = await work();
  return { value, wall: (performance.now() - started) / 1000, cpu: processFamily().cpu - before };
}
