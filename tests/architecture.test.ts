import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Imports go one way (design section 2): each folder may import itself and the folders named here. */
const LAYERS: Record<string, readonly string[]> = {
  core: [],
  scenes: ['core'],
  captions: ['core'],
  statistics: ['core'],
  probes: ['core', 'scenes', 'captions'],
  protocol: ['core', 'scenes', 'captions'],
  evaluators: ['core', 'scenes', 'captions'],
  rendering: ['core', 'scenes'],
  sweep: ['core', 'scenes', 'captions', 'statistics', 'probes', 'protocol', 'evaluators', 'rendering'],
  cards: ['core', 'statistics', 'captions', 'protocol', 'sweep'],
  reports: ['core', 'statistics', 'cards', 'protocol', 'captions', 'sweep'],
  commands: [
    'core',
    'scenes',
    'captions',
    'statistics',
    'probes',
    'protocol',
    'evaluators',
    'rendering',
    'sweep',
    'cards',
    'reports',
  ],
};

const root = join(import.meta.dirname, '..', 'src');

function violations(folder: string, allowed: readonly string[]): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const file = join(entry.parentPath, entry.name);
    const depth = file.slice(root.length + 1).split('/').length - 1;
    for (const match of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.\.?\/[^']+)'/g)) {
      const parts = (match[1] as string).split('/');
      const ups = parts.filter((part) => part === '..').length;
      if (ups < depth) continue;
      const target = parts[ups] as string;
      if (target !== folder && !allowed.includes(target))
        found.push(`${file.slice(root.length + 1)} imports ${match[1]}`);
    }
  }
  return found;
}

test('imports go one way', () => {
  const found = Object.entries(LAYERS).flatMap(([folder, allowed]) => violations(folder, allowed));
  expect(found).toEqual([]);
});

test('every folder of src has its place in the order', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  expect(folders.filter((folder) => !(folder in LAYERS))).toEqual([]);
});
