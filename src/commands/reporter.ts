import pc from 'picocolors';
import type { Log, OnProgress, Progress } from '../core/log.ts';

export type LogMode = 'auto' | 'plain' | 'json' | 'quiet';

/** Logs and progress on stderr: a redrawn line on a terminal, a line now and then elsewhere, JSON lines for machines. */
export interface Reporter {
  readonly log: Log;
  readonly onProgress: OnProgress;
  /** Finishes the line in hand. */
  end(): void;
}

/** What the reporter needs of its surroundings; the clock is monotonic milliseconds. */
export interface ReporterStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const PLAIN_EVERY = 15_000;
const REDRAW_EVERY = 100;

interface Stage {
  readonly started: number;
  readonly first: number;
  printed: number;
}

export function createReporter(
  stream: ReporterStream,
  mode: LogMode,
  now: () => number = () => performance.now(),
): Reporter {
  const live =
    mode === 'auto' &&
    stream.isTTY === true &&
    (stream.columns ?? 0) > 20 &&
    !process.env['CI'] &&
    process.env['TERM'] !== 'dumb';
  const stages = new Map<string, Stage>();
  let lineOpen = false;
  const clear = () => {
    if (lineOpen) stream.write('\r\u001b[K');
    lineOpen = false;
  };
  const say = (level: 'debug' | 'info' | 'warn', message: string) => {
    if (mode === 'quiet' && level !== 'warn') return;
    if (mode === 'json') {
      stream.write(`${JSON.stringify({ level, message })}\n`);
      return;
    }
    if (level === 'debug') return;
    clear();
    stream.write(level === 'warn' ? `${live ? pc.yellow('warning') : 'warning'}: ${message}\n` : `${message}\n`);
  };

  const onProgress: OnProgress = (progress) => {
    if (mode === 'quiet' || progress.total === 0) return;
    const time = now();
    let stage = stages.get(progress.stage);
    if (stage === undefined) {
      stage = { started: time, first: progress.done, printed: Number.NEGATIVE_INFINITY };
      stages.set(progress.stage, stage);
    }
    const finished = progress.done >= progress.total;
    if (!finished && time - stage.printed < (live ? REDRAW_EVERY : PLAIN_EVERY)) return;
    // A stage that ends within a moment of starting is not worth a line of its own in a log.
    if (
      !live &&
      stage.printed === Number.NEGATIVE_INFINITY &&
      !finished &&
      progress.done > 0 &&
      time - stage.started < PLAIN_EVERY
    )
      return;
    stage.printed = time;
    if (mode === 'json') {
      stream.write(`${JSON.stringify({ level: 'progress', ...progress })}\n`);
    } else {
      const text = progressLine(progress, time - stage.started, progress.done - stage.first);
      if (live) {
        stream.write(`\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}`);
        lineOpen = true;
        if (finished) {
          stream.write('\n');
          lineOpen = false;
        }
      } else stream.write(`${text}\n`);
    }
    if (finished) stages.delete(progress.stage);
  };

  return {
    log: { debug: (m) => say('debug', m), info: (m) => say('info', m), warn: (m) => say('warn', m) },
    onProgress,
    end: () => {
      if (lineOpen) stream.write('\n');
      lineOpen = false;
    },
  };
}

/** `render  120/384  31%  9.4/s  28 s left  1 failed` */
export function progressLine({ stage, done, total, failed }: Progress, milliseconds: number, measured: number): string {
  const rate = milliseconds > 0 ? (measured * 1000) / milliseconds : 0;
  const parts = [stage, `${done}/${total}`, `${Math.floor((100 * done) / total)}%`];
  if (rate > 0) parts.push(`${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`);
  if (rate > 0 && done < total) parts.push(`${duration((total - done) / rate)} left`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join('  ');
}

/** Seconds as `45 s`, `12 min`, `3.2 h`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
