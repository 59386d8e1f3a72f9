import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDocs } from '../../scripts/docs.mjs';
import { launchChromium, type RunningChromium } from '../../src/rendering/launch-chromium.ts';
import { links, lowContrast, overflow, watch } from '../reports/page-checks.mjs';

let chromium: RunningChromium;
let out: string;
let problems: string[];
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'parallax-docs-'));
  problems = buildDocs({ out });
  chromium = await launchChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  rmSync(out, { recursive: true, force: true });
});

const pages = () => readdirSync(out).filter((name) => name.endsWith('.html'));

test('no guide links to something that is not there', () => {
  expect(problems).toEqual([]);
});

test('every page: no errors, no requests elsewhere, readable at 375 and 1440 px, links resolve', async () => {
  expect(pages()).toContain('index.html');
  for (const name of pages())
    for (const [width, scheme] of [
      [375, 'dark'],
      [1440, 'light'],
    ] as const) {
      const page = await chromium.browser.newPage();
      const watched = watch(page);
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.goto(pathToFileURL(join(out, name)).href);
      const found = await links(page);
      const dead = found.links.filter((link) => {
        const url = new URL(link);
        if (url.protocol !== 'file:') return false;
        const file = fileURLToPath(url);
        if (file === join(out, name) && url.hash !== '')
          return !found.anchors.includes(decodeURIComponent(url.hash.slice(1)));
        return !existsSync(file);
      });
      expect({ name, width, dead, over: await overflow(page), low: await lowContrast(page), watched }).toEqual({
        name,
        width,
        dead: [],
        over: { by: expect.toSatisfy((by: number) => by <= 0), elements: [] },
        low: [],
        watched: { errors: [], requests: [] },
      });
      await page.close();
    }
});

test('headings of every guide are found by their words, without a server', async () => {
  const page = await chromium.browser.newPage();
  const watched = watch(page);
  await page.goto(pathToFileURL(join(out, 'index.html')).href);
  await page.type('[data-find]', 'missing outcomes');
  const hits = await page.$$eval('[data-found] a', (found) => found.map((link) => link.getAttribute('href')));
  expect(hits).toContain('statistics.html#missing-outcomes');
  await page.type('[data-find]', ' nowhere-at-all');
  expect(await page.$$eval('[data-found] li', (found) => found.map((item) => item.textContent))).toEqual([
    'No heading has these words.',
  ]);
  expect(watched).toEqual({ errors: [], requests: [] });
  await page.close();
});

test('the library reference: no errors, nothing asked of a network, and a way back to the guides', async () => {
  for (const [name, back] of [
    ['api/index.html', '../index.html'],
    ['api/classes/Random.html', '../../index.html'],
  ] as const) {
    const page = await chromium.browser.newPage();
    const watched = watch(page);
    await page.goto(pathToFileURL(join(out, name)).href);
    const found = await links(page);
    expect(found.links).toContain(pathToFileURL(join(out, name, '..', back)).href);
    const dead = found.links.filter((link) => link.startsWith('file:') && !existsSync(fileURLToPath(link)));
    expect(dead).toEqual([]);
    expect(watched).toEqual({ errors: [], requests: [] });
    await page.close();
  }
});
