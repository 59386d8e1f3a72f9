import type { TopLevelSpec } from 'vega-lite';
import { expect, test } from 'vitest';
import { type DispersionCell, dispersionHeatmap } from '../../src/reports/charts/dispersion-heatmap.ts';
import { logTicks } from '../../src/reports/charts/log-ticks.ts';
import { marginEnvelopes } from '../../src/reports/charts/margin-envelopes.ts';
import { peakRho } from '../../src/reports/charts/peak-rho.ts';
import { textWidth } from '../../src/reports/charts/text-width.ts';
import { drawChart } from '../../src/reports/draw-chart.ts';

const cells: DispersionCell[] = [
  {
    evaluator: '<script>alert(1)</script>',
    factor: 'pitch',
    dispersion: 0.3,
    shown: '30%',
    described: 'first, pitch: 30%',
    href: '#e-1',
  },
  {
    evaluator: 'second',
    factor: 'pitch',
    dispersion: null,
    shown: '–',
    described: 'second, pitch: withheld',
    href: '',
  },
];
const heatmap = (width: number) => dispersionHeatmap(cells, ['<script>alert(1)</script>', 'second'], ['pitch'], width);

test('a drawing repeats byte for byte, whatever was drawn before', async () => {
  const first = JSON.stringify(await drawChart(heatmap(400)));
  await drawChart(marginEnvelopes([], 300));
  expect(JSON.stringify(await drawChart(heatmap(400)))).toBe(first);
});

test('labels stay text, cells carry their words, and a withheld cell is empty paper', async () => {
  const { svg } = await drawChart(heatmap(400));
  expect(svg).not.toContain('<script');
  expect(svg).toContain('aria-label="first, pitch: 30%"');
  expect(svg.match(/<a [^>]*>/g)).toEqual(['<a xlink:href="#e-1">']);
  expect(svg).toMatch(/aria-label="second, pitch: withheld"[^>]*fill="var\(--panel\)"/);
  expect(svg).toMatch(/aria-label="first, pitch: 30%"[^>]*fill="var\(--s4\)"/);
});

test('colours are custom properties of the page only', async () => {
  const { svg } = await drawChart(heatmap(400));
  const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/g)].map((match) => match[1]);
  expect(colours.filter((colour) => !/^(none|transparent|var\(--[\w-]+\))$/.test(colour as string))).toEqual([]);
});

test('a chart that asks for data elsewhere is refused', async () => {
  const spec: TopLevelSpec = { data: { url: 'https://example.org/x.json' }, mark: 'bar', encoding: {} };
  await expect(drawChart(spec)).rejects.toThrow('expected data inside the specification');
});

test('the width asked for holds axes and legend', async () => {
  const rows = [
    {
      pair: 'a − b',
      generators: ['a', 'b'] as const,
      min: -1,
      max: 2,
      baseline: 0.5,
      lower: 0.1,
      upper: 0.9,
      strict: 'touches zero' as const,
      described: '',
      href: '',
    },
  ];
  for (const width of [335, 720]) {
    const { svg } = await drawChart(marginEnvelopes(rows, width));
    expect(Math.abs(Number(/width="(\d+)"/.exec(svg)?.[1]) - width)).toBeLessThanOrEqual(2);
  }
});

test('an unbounded interval is drawn to the edge, an empty chart draws', async () => {
  const row = { evaluator: 'a', rho: 3, lower: 0.2, upper: null, unbounded: true, described: 'a', href: '' };
  await expect(drawChart(peakRho([row], 335))).resolves.toHaveProperty('svg');
  await expect(drawChart(peakRho([], 335))).resolves.toHaveProperty('svg');
});

test('logarithmic ticks are 1, 2, 5 or powers of ten', () => {
  expect(logTicks(0.4, 6)).toEqual([0.5, 1, 2, 5]);
  expect(logTicks(0.05, 5000)).toEqual([0.1, 1, 10, 100, 1000]);
});

test('wide letters are wider than narrow ones, and length counts', () => {
  expect(textWidth('MMM', 12)).toBeGreaterThan(textWidth('iii', 12));
  expect(textWidth('', 12)).toBe(0);
  expect(textWidth('客厅', 10)).toBe(20);
});
