// npm run bench:stats [-- --quick]: the published family, timed beside numpy, and a whole analysis of a 2.3-million-row table.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionsFromTable } from '../src/statistics/analysis-options.ts';
import { analyze } from '../src/statistics/analyze.ts';
import { contrastMatrix } from '../src/statistics/contrast-matrix.ts';
import { familyMaxima } from '../src/statistics/family-maxima.ts';
import { drawResamples } from '../src/statistics/prompt-bootstrap.ts';
import { quantileSorted } from '../src/statistics/quantile.ts';
import type { ScoreCube } from '../src/statistics/score-cube.ts';
import { readScoreTable } from '../src/statistics/score-table.ts';
import { RENDER_LEVELS, simulatedCube, simulatedFamily, TEMPLATES } from './stats-data.ts';

const quick = process.argv.includes('--quick');
const size = { evaluators: quick ? 3 : 19, generators: 6, prompts: 50 };
const resampleCount = quick ? 1000 : 10_000;
const shares = { render: 0.7, slot: 0.2, own: 0.1 };
const folder = mkdtempSync(join(tmpdir(), 'parallax-bench-'));
const promptIds = Array.from({ length: size.prompts }, (_, index) => `p${String(index).padStart(2, '0')}`);
const lines: string[] = [];
const say = (line: string) => {
  lines.push(line);
  process.stdout.write(`${line}\n`);
};
const seconds = (from: number) => (performance.now() - from) / 1000;

async function bands(cubes: readonly ScoreCube[]): Promise<void> {
  let start = performance.now();
  const matrix = contrastMatrix(cubes, cubes.map(simulatedFamily), size.prompts);
  say(
    `family          ${matrix.count} contrasts x ${size.prompts} prompts x ${resampleCount} resamples, prepared in ${seconds(start).toFixed(1)} s`,
  );
  const resamples = drawResamples(1, promptIds, resampleCount);
  const timed = async (which: 'both' | 'published') => {
    start = performance.now();
    const maxima = await familyMaxima(matrix, resamples, { workers: 2, bands: which });
    return { maxima, time: seconds(start) };
  };
  const published = await timed('published');
  const both = await timed('both');
  const point = (maxima: Float64Array) => quantileSorted(Float64Array.from(maxima).sort(), 0.95);
  say(
    `parallax        published ${published.time.toFixed(2)} s, both bands ${both.time.toFixed(2)} s (${(both.time / published.time).toFixed(2)}x)`,
  );
  say(
    `                computed exactly: ${((100 * both.maxima.computed) / (matrix.count * resampleCount)).toFixed(2)}% of the contrasts`,
  );
  const files = [join(folder, 'weights.f64'), join(folder, 'directions.f64')];
  writeFileSync(files[0]!, new Uint8Array(resamples.bootstrap.data.buffer));
  writeFileSync(files[1]!, new Uint8Array(matrix.directions.buffer));
  try {
    const script = join(import.meta.dirname, 'stats-numpy.py');
    const answer = execFileSync('/usr/bin/python3', [script, ...files, String(size.prompts)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const numpy = JSON.parse(answer) as Record<'published' | 'studentised' | 'cPublished' | 'cStudentised', number>;
    say(
      `numpy           published ${numpy.published.toFixed(2)} s, studentised ${numpy.studentised.toFixed(2)} s, both ${(numpy.published + numpy.studentised).toFixed(2)} s`,
    );
    const off = Math.max(
      Math.abs(point(both.maxima.published) - numpy.cPublished),
      Math.abs(point(both.maxima.studentised) - numpy.cStudentised),
    );
    say(`agreement       95% points of the maxima differ by ${off.toExponential(1)}`);
    if (!(off < 1e-9)) process.exitCode = 1;
  } catch {
    say('numpy           not installed (/usr/bin/python3 with numpy); no comparison');
  }
}

/** Writes the cubes as one score table of six columns. */
async function writeTable(path: string, cubes: readonly ScoreCube[]): Promise<void> {
  const stream = createWriteStream(path);
  stream.write('evaluator,generator,prompt,factor,level,score\n');
  for (const cube of cubes)
    for (const row of cube.distinctRows) {
      const [factor, level] = nameOf(row);
      let text = '';
      for (let g = 0; g < cube.generators; g += 1)
        for (let p = 0; p < cube.prompts; p += 1)
          text += `${cube.evaluator},g${g},${promptIds[p]},${factor},${level},${cube.scores[(row * cube.generators + g) * cube.prompts + p]}\n`;
      if (!stream.write(text)) await once(stream, 'drain');
    }
  stream.end();
  await once(stream, 'close');
}

/** Factor and level of a simulated row. */
function nameOf(row: number): [string, string] {
  if (row === 0) return ['', ''];
  let rest = row - 1;
  const names = ['resolution', 'focal', 'lighting', 'background', 'pitch', 'yaw'];
  for (const [index, count] of RENDER_LEVELS.entries()) {
    if (rest < count) return [names[index]!, `l${rest}`];
    rest -= count;
  }
  return ['template', `t${String(rest % TEMPLATES).padStart(3, '0')}`];
}

try {
  const cubes = Array.from({ length: size.evaluators }, (_, index) => simulatedCube(index, size, shares));
  await bands(cubes);
  const path = join(folder, 'scores.csv');
  const control = simulatedCube(99, size, shares);
  await writeTable(path, [...cubes, { ...control, evaluator: 'control' }]);
  let start = performance.now();
  const table = await readScoreTable(path);
  const reading = seconds(start);
  start = performance.now();
  const options = optionsFromTable(table, { seed: 1, c0: {}, quality: ['control'], resamples: resampleCount });
  const estimates = await analyze(table, options);
  const analysis = seconds(start);
  say(
    `table           ${table.rows} rows, ${(statSync(path).size / 1e6).toFixed(0)} MB: read in ${reading.toFixed(1)} s, analysed in ${analysis.toFixed(1)} s`,
  );
  say(`                ${estimates.family.contrasts} contrasts, c = ${estimates.family.criticalValue?.toFixed(3)}`);
  say(`memory          ${(process.resourceUsage().maxRSS / 1e6).toFixed(2)} GB at most`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
