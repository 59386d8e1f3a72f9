import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import { resultsFixture } from './fixture.ts';

const repository = join(import.meta.dirname, '../..');

/** Makes the card of a copy of the results with another locale, time zone, folder and working directory. */
function elsewhere(root: string, folder: string, environment: Record<string, string>) {
  const copy = mkdtempSync(join(tmpdir(), 'parallax-başka yer-'));
  try {
    cpSync(root, join(copy, 'deep/er'), { recursive: true });
    const results = join(copy, 'deep/er', relative(root, folder));
    for (const made of ['estimates.json', 'card.json', 'card.md', 'card.html', 'card.tex', 'card.bib'])
      rmSync(join(results, made), { force: true });
    const run = spawnSync(
      process.execPath,
      [join(repository, 'scripts/run-ts.mjs'), join(import.meta.dirname, 'make-card.ts'), results],
      { cwd: repository, encoding: 'utf8', env: { ...process.env, ...environment } },
    );
    expect(run.stderr.replace(/^npm warn.*$/gm, '').trim()).toBe('');
    return JSON.parse(run.stdout) as Record<string, unknown>;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

test('the same raw files give the same card in another folder, locale and time zone', async () => {
  const fixture = await resultsFixture({ generators: ['İstanbul', 'istanbul', 'Ångström', 'zebra'] });
  try {
    const here = {
      ids: fixture.card.evaluators.map(({ cardId }) => cardId),
      evidenceHash: fixture.card.evidenceHash,
      estimates: sha256(readFileSync(join(fixture.folder, 'estimates.json'))),
      card: sha256(readFileSync(join(fixture.folder, 'card.json'))),
    };
    const turkish = elsewhere(fixture.root, fixture.folder, { LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' });
    // The other process did run elsewhere: its numbers are written with a comma, half a world away.
    expect(turkish).toEqual({ ...here, timeZone: 'Pacific/Kiritimati', comma: '1,5' });
    const plain = elsewhere(fixture.root, fixture.folder, { LC_ALL: 'C', TZ: 'America/St_Johns' });
    expect(plain).toEqual({ ...here, timeZone: 'America/St_Johns', comma: '1.5' });
  } finally {
    fixture.remove();
  }
});
