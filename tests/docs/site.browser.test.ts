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
  problems = buildDocs({ out, api: false });
  chromium = await launchChromium();
});
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
