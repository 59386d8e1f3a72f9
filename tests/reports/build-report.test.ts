import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import { buildReport, type Report } from '../../src/reports/build-report.ts';
import { writeReport } from '../../src/reports/write-report.ts';
import { type ResultsFixture, resultsFixture } from '../cards/fixture.ts';

/** Text of a page as a reader gets it: no style, no script, no drawing, entities resolved. */
function textOf(html: string): string {
  return html
    .replace(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

/** Anchors that links lead to without there being such an anchor. */
function deadAnchors(html: string): string[] {
  const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]));
  return [...html.matchAll(/href="#([^"]+)"/g)].map((match) => match[1] as string).filter((id) => !ids.has(id));
}

function expectSound(html: string): void {
  expect(deadAnchors(html)).toEqual([]);
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(textOf(html)).not.toMatch(/\bundefined\b(?!:)|\bNaN\b|\[object |\bInfinity\b/);
  expect(html).toContain("default-src 'none'");
}

describe('an ordinary audit', () => {
  let fixture: ResultsFixture;
  let report: Report;
  beforeAll(async () => {
    fixture = await resultsFixture({
      prompts: 20,
      templates: 8,
      images: true,
      generators: ['functional', 'grid', 'sparse'],
    });
    report = await buildReport(fixture.folder);
  }, 60_000);
  afterAll(() => fixture.remove());

  test('every part is there, in order, and links resolve', () => {
    expect([...report.html.matchAll(/<section id="([\w-]+)">/g)].map((match) => match[1])).toEqual([
      'audited',
      'answers',
      'pictures',
      'movement',
      'winners',
      'margins',
      'reversals',
      'inflation',
      'wording',
      'light',
      'probes',
      'ledger',
      'notes',
      'cards',
      'estimates',
    ]);
    expectSound(report.html);
  });

  test('the headline numbers are those of the estimates, and lead to their rows', () => {
    const pocket = fixture.estimates.evaluators[0]!;
    const value = pocket.peakRho.value as number;
    const anchor = /<a class="n" href="#(e-evaluators-0-peakRho)">([\d,.]+) \[/.exec(report.html);
    expect(anchor?.[2]).toBe(value.toFixed(2));
    expect(report.html).toContain('<tr id="e-evaluators-0-peakRho">');
    expect(textOf(report.html)).toContain(`${pocket.strictPairs} of 3 pairs keep their order`);
  });

  test('scores stand under the pictures, and the pictures are in the file', () => {
    const strip = /<h4>pitch<\/h4>[\s\S]*?<\/ul>/.exec(report.html)?.[0] as string;
    expect(strip.match(/<img src="data:image\/webp;base64,/g)).toHaveLength(7);
    const row = readFileSync(join(fixture.folder, 'raw/pocket.csv'), 'utf8')
      .split('\n')
      .find((line) => line.startsWith('pocket,functional,p01,pitch,45,'));
    expect(textOf(strip)).toContain(Number(row?.split(',')[5]).toFixed(1));
  });

  test('the same folder gives the same bytes', async () => {
    // Hashes, because two pages that differ would fill the screen.
    expect(sha256((await buildReport(fixture.folder)).html)).toBe(sha256(report.html));
  });

  test('the file is well under 5 MB without its pictures', () => {
    expect(report.html.replace(/data:image\/[^"]+/g, '').length).toBeLessThan(3_000_000);
  });
});

test('a report that is current is left alone, a changed input makes it again', async () => {
  const own = await resultsFixture({ images: true, generators: ['one', 'two'] });
  try {
    const path = await writeReport(own.folder);
    const first = readFileSync(path, 'utf8');
    expect(first).toContain('<section id="pictures">');
    writeFileSync(path, first.replace('<h1>', '<h1 class="mine">'));
    await writeReport(own.folder);
    expect(readFileSync(path, 'utf8')).toContain('<h1 class="mine">');
    rmSync(join(own.folder, 'images/index.json'));
    await writeReport(own.folder);
    expect(readFileSync(path, 'utf8')).not.toMatch(/<h1 class="mine">|<section id="pictures">/);
    expect(existsSync(join(own.folder, 'estimates.csv'))).toBe(true);
  } finally {
    own.remove();
  }
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "it's {{ value }} $" + '{7*7}',
  'غرفة نوم',
];

test('hostile labels stay labels', async () => {
  const fixture = await resultsFixture({ generators: HOSTILE, prompts: 4 });
  try {
    const { html, assets } = await buildReport(fixture.folder);
    expectSound(html);
    const rest = html
      .replace(/<script>[\s\S]*?<\/script>/g, '')
      .replace(/<script type="application\/json"[^>]*>[\s\S]*?<\/script>/g, '');
    expect(rest).not.toMatch(/<script|<img src=x/);
    for (const label of HOSTILE) expect(textOf(html)).toContain(label);
    expect(assets['estimates.csv']).not.toMatch(/(^|,)=/m);
  } finally {
    fixture.remove();
  }
});

test('fifty generators: charts name some, say so, and the page stays under 5 MB', async () => {
  const fixture = await resultsFixture({
    generators: Array.from({ length: 50 }, (_, index) => `generator-${String(index + 1).padStart(2, '0')}`),
    prompts: 3,
    templates: 3,
    resamples: 100,
  });
  try {
    const { html } = await buildReport(fixture.folder);
    expectSound(html);
    expect(html.length).toBeLessThan(5_000_000);
    expect(textOf(html)).toContain('Shown: the 30 pairs closest at the default');
  } finally {
    fixture.remove();
  }
});

test('four hundred templates are counted by rank, not drawn as paths', async () => {
  const fixture = await resultsFixture({ templates: 'all', prompts: 3, generators: ['one', 'two', 'three'] });
  try {
    const { html } = await buildReport(fixture.folder);
    expectSound(html);
    expect(html.length).toBeLessThan(5_000_000);
    expect(textOf(html)).toContain('template: how many levels give which rank');
    expect(textOf(html)).toContain('over 337 levels');
  } finally {
    fixture.remove();
  }
});

test('one generator: nothing is ranked or compared, and the report says so', async () => {
  const fixture = await resultsFixture({ generators: ['alone'] });
  try {
    const { html } = await buildReport(fixture.folder);
    expectSound(html);
    expect(textOf(html)).toContain('There is one generator, so nothing is ranked.');
    expect(textOf(html)).toContain('There is no pair of generators to compare.');
  } finally {
    fixture.remove();
  }
});

test('all failed: no number is shown where none was measured', async () => {
  const fixture = await resultsFixture({ failing: 1 });
  try {
    const { html } = await buildReport(fixture.folder);
    expectSound(html);
    expect(textOf(html)).toMatch(/pocket : withheld, none of \d+ planned outcomes was scored/);
    expect(textOf(html)).toContain('No evaluator of this audit has estimates to report.');
    expect(html).not.toContain('<li><div><h3>');
  } finally {
    fixture.remove();
  }
});

test('some failed: withheld, with the ledger saying where', async () => {
  const fixture = await resultsFixture({ failing: 0.2 });
  try {
    const text = textOf((await buildReport(fixture.folder)).html);
    expect(text).toMatch(/pocket : withheld, \d+ of \d+ cells/);
    expect(text).toContain('Where scores are missing');
  } finally {
    fixture.remove();
  }
});

test('one factor failed: that factor is withheld, the rest is shown', async () => {
  const fixture = await resultsFixture({ failing: 0.5, failingIn: 'lighting', prompts: 20 });
  try {
    const { html } = await buildReport(fixture.folder);
    expectSound(html);
    const text = textOf(html);
    expect(text).toMatch(/pocket : withheld in part\. dispersion and rho of lighting: \d+ of \d+ cells/);
    expect(text).toContain('partly withheld');
    expect(text).toMatch(/Most for pocket : peak rho [\d.]+/);
    expect(html).toContain('aria-label="pocket, lighting: withheld: ');
  } finally {
    fixture.remove();
  }
});

test('no probes, no grammar, a draft: each said', async () => {
  const fixture = await resultsFixture({ probes: false, templates: 1, draft: true });
  try {
    const { html } = await buildReport(fixture.folder);
    expectSound(html);
    expect(textOf(html)).toContain('DRAFT: made from a partial run.');
    expect(html).toContain('<title>DRAFT: ');
    expect(textOf(html)).toContain('Not run: this audit has no probes');
  } finally {
    fixture.remove();
  }
});

test('fewer than twenty prompts: nothing is called confirmed', async () => {
  const fixture = await resultsFixture({ prompts: 6 });
  try {
    const text = textOf((await buildReport(fixture.folder)).html);
    expect(text).toContain('No reversal is called confirmed');
    expect(text).not.toMatch(/[1-9]\d* reversals? (is|are) confirmed/);
  } finally {
    fixture.remove();
  }
});

test('a picture that is missing is left out and named', async () => {
  const fixture = await resultsFixture({ images: true, generators: ['one', 'two'] });
  try {
    rmSync(join(fixture.folder, 'images/one/p01/pitch-45.jpg'));
    const text = textOf((await buildReport(fixture.folder)).html);
    expect(text).toContain('Picture left out: images/one/p01/pitch-45.jpg');
  } finally {
    fixture.remove();
  }
});

test('a picture path that leaves the folder is refused', async () => {
  const fixture = await resultsFixture({ images: true, generators: ['one', 'two'] });
  try {
    const index = join(fixture.folder, 'images/index.json');
    writeFileSync(index, readFileSync(index, 'utf8').replace('images/one/p01/pitch-45.jpg', '../../../../etc/passwd'));
    await expect(buildReport(fixture.folder)).rejects.toThrow('leaves');
  } finally {
    fixture.remove();
  }
});
