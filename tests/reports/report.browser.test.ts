import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visibleText } from '../../src/cards/escape-text.ts';
import { formatEstimate } from '../../src/cards/format-number.ts';
import { launchChromium, type RunningChromium } from '../../src/rendering/launch-chromium.ts';
import { writeReport } from '../../src/reports/write-report.ts';
import { type ResultsFixture, resultsFixture } from '../cards/fixture.ts';
import {
  alive,
  attribute,
  choose,
  drawn,
  highlight,
  inView,
  links,
  lowContrast,
  marksOf,
  openAll,
  overflow,
  shownText,
  styleOf,
  tab,
  type Watched,
  wakeAll,
  watch,
} from './page-checks.mjs';

let chromium: RunningChromium;
let fixture: ResultsFixture;
let hostile: ResultsFixture;
let address: string;
beforeAll(async () => {
  fixture = await resultsFixture({ prompts: 20, templates: 40, images: true });
  hostile = await resultsFixture({
    generators: [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '\u202e\u05d0\u05d1',
      "x=cmd|'/c calc'!A0",
    ],
  });
  await writeReport(hostile.folder);
  address = pathToFileURL(await writeReport(fixture.folder)).href;
  chromium = await launchChromium();
});
afterAll(async () => {
  await chromium?.close();
  fixture?.remove();
  hostile?.remove();
});

async function open(width: number, scheme: 'light' | 'dark', url = address): Promise<{ page: Page; watched: Watched }> {
  const page = await chromium.browser.newPage();
  const watched = watch(page);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.goto(url);
  return { page, watched };
}
for (const width of [375, 1440])
  for (const scheme of ['light', 'dark'] as const)
    test(`${width} px, ${scheme}: nothing leaves the file, fits the window, and can be read`, async () => {
      const { page, watched } = await open(width, scheme);
      await openAll(page);
      expect(await overflow(page)).toEqual({ by: expect.toSatisfy((by: number) => by <= 0), elements: [] });
      expect(await lowContrast(page)).toEqual([]);
      expect(watched).toEqual({ errors: [], requests: [] });
      await page.close();
    });

test('every link leads somewhere: an anchor of the page or a file beside it', async () => {
  const { page } = await open(1440, 'light');
  const found = await links(page);
  const folder = dirname(fileURLToPath(address));
  const anchors = new Set(found.anchors);
  const dead = found.links.filter((link) => {
    const url = new URL(link);
    if (url.href.split('#')[0] === address) return !anchors.has(decodeURIComponent(url.hash.slice(1)));
    return !existsSync(fileURLToPath(url)) || !fileURLToPath(url).startsWith(folder);
  });
  expect(found.links.length).toBeGreaterThan(100);
  expect([...new Set(dead)]).toEqual([]);
  await page.close();
});

test('a number leads to its row: the folded table opens and the row is in view', async () => {
  const { page } = await open(1440, 'light');
  await page.click('a.n[href="#e-evaluators-0-peakRho"]');
  await expect(inView(page, 'e-evaluators-0-peakRho')).resolves.toBeUndefined();
  await page.close();
});

test('keyboard: the skip link comes first, focus follows the page, and is visible', async () => {
  const { page } = await open(1440, 'light');
  const stops: Awaited<ReturnType<typeof tab>>[] = [];
  for (let step = 0; step < 40; step += 1) stops.push(await tab(page));
  expect(stops[0]?.text).toBe('Skip to the content');
  expect(stops.map(({ order }) => order)).toEqual(stops.map(({ order }) => order).sort((a, b) => a - b));
  expect(stops.filter(({ outline }) => outline === 'none')).toEqual([]);
  await page.close();
});

test('the theme button changes the colours, and says what it will do', async () => {
  const { page } = await open(1440, 'light');
  const before = await styleOf(page, 'body', 'backgroundColor');
  expect(await shownText(page, '[data-theme-button]')).toBe('Dark');
  await page.click('[data-theme-button]');
  expect(await shownText(page, '[data-theme-button]')).toBe('Light');
  expect(await styleOf(page, 'body', 'backgroundColor')).not.toBe(before);
  expect(await lowContrast(page)).toEqual([]);
  await page.close();
});

test('a chart comes to life under the pointer, under a policy that forbids eval', async () => {
  const { page, watched } = await open(1440, 'light');
  await openAll(page);
  const drawing = await page.$('.draw.wide[data-chart^="fig-ranks-"]');
  await drawing?.scrollIntoView();
  await drawing?.hover();
  await alive(page, drawing);
  await expect(highlight(page, drawing)).resolves.toBeUndefined();
  expect(watched).toEqual({ errors: [], requests: [] });
  await page.close();
});

test('a mark says what it is under the pointer', async () => {
  const { page } = await open(1440, 'light');
  const mark = await page.$('#fig-dispersion .draw.wide .mark-rect path[aria-label]');
  await mark?.scrollIntoView();
  await mark?.hover();
  expect(await shownText(page, '.tip')).toBe(await attribute(page, mark, 'aria-label'));
  await page.close();
});

for (const [kind, width] of [
  ['wide', 1440],
  ['narrow', 375],
] as const)
  test(`every ${kind} chart comes to life as it was drawn: same size, same words, same marks`, async () => {
    const { page, watched } = await open(width, 'light');
    await openAll(page);
    const before = await drawn(page, kind);
    await wakeAll(page, kind);
    expect(await drawn(page, kind)).toEqual(before);
    expect(Object.keys(before).length).toBeGreaterThan(10);
    expect(await overflow(page)).toEqual({ by: expect.toSatisfy((by: number) => by <= 0), elements: [] });
    expect(watched).toEqual({ errors: [], requests: [] });
    await page.close();
  });

test('choosing above a chart leaves what was chosen, and all again', async () => {
  const { page, watched } = await open(1440, 'light');
  const [first] = fixture.manifest.generators;
  const pairs = fixture.estimates.evaluators[0]!.envelopes;
  await choose(page, 'fig-margins-0', first as string);
  const kept = await marksOf(page, 'fig-margins-0', 'wide', pairs.filter(({ pair }) => pair.includes(first!)).length);
  expect(kept.filter((words) => !words.split(':')[0]!.includes(first as string))).toEqual([]);
  await choose(page, 'fig-margins-0', 'all');
  await marksOf(page, 'fig-margins-0', 'wide', pairs.length);
  expect(watched).toEqual({ errors: [], requests: [] });
  await page.close();
});

test('arrow keys move over the marks of a chart, Enter leads to the estimate', async () => {
  const { page } = await open(1440, 'light');
  await page.focus('#fig-peak-rho .draw.wide');
  const words = `pocket: peak rho ${formatEstimate(fixture.estimates.evaluators[0]!.peakRho)}, ${fixture.estimates.evaluators[0]!.peakRho.factor}\nestimate /evaluators/0/peakRho`;
  await page.keyboard.press('ArrowRight');
  expect(await shownText(page, '.tip')).toBe(words);
  expect(await shownText(page, '.said')).toBe(words);
  await page.keyboard.press('End');
  expect(await shownText(page, '.said')).not.toBe(words);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(inView(page, 'e-evaluators-0-peakRho')).resolves.toBeUndefined();
  await page.close();
});

test('hostile labels run nothing and stay within the window', async () => {
  const { page, watched } = await open(375, 'light', pathToFileURL(join(hostile.folder, 'report.html')).href);
  await openAll(page);
  expect(await page.$$eval('img[src="x"]', (images) => images.length)).toBe(0);
  expect((await overflow(page)).by).toBeLessThanOrEqual(0);
  const before = await drawn(page, 'narrow');
  await wakeAll(page, 'narrow');
  expect(await drawn(page, 'narrow')).toEqual(before);
  for (const generator of hostile.manifest.generators) await choose(page, 'fig-margins-0', visibleText(generator));
  await marksOf(page, 'fig-margins-0', 'narrow', 3);
  expect(watched).toEqual({ errors: [], requests: [] });
  await page.close();
});

test('on paper: no navigation, black on white, nothing cut off', async () => {
  const { page } = await open(1440, 'dark');
  await page.emulateMediaType('print');
  expect(await styleOf(page, 'nav.contents', 'display')).toBe('none');
  expect(await styleOf(page, 'body', 'color')).toBe('rgb(0, 0, 0)');
  const pdf = await page.pdf({ format: 'A4' });
  expect(Buffer.from(pdf.subarray(0, 4)).toString()).toBe('%PDF');
  await page.close();
});

test('without scripts everything can still be read', async () => {
  const page = await chromium.browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(address);
  const text = await page.$eval('main', (main) => main.textContent ?? '');
  expect(text).toContain('Does the score move when only the configuration changes?');
  expect(await page.$$eval('.draw.wide svg', (drawings) => drawings.length)).toBeGreaterThan(5);
  await page.close();
});

test('the card page stands alone too', async () => {
  const { page, watched } = await open(375, 'dark', pathToFileURL(join(fixture.folder, 'card.html')).href);
  expect((await overflow(page)).by).toBeLessThanOrEqual(0);
  expect(await lowContrast(page)).toEqual([]);
  expect(watched).toEqual({ errors: [], requests: [] });
  await page.close();
});
