import { expect, test } from 'vitest';
import { namedByFolders } from '../../src/scenes/folder-names.ts';

const named = (...names: string[]) =>
  namedByFolders(names.map((name) => ({ path: `/x/${name}`, name, generator: null, prompt: null }))).map(
    ({ generator, prompt }) => [generator, prompt],
  );

test('names that differ say enough', () => {
  expect(named('alpha/a.glb', 'beta/b.glb')).toEqual([
    [null, null],
    [null, null],
  ]);
});

test('names that repeat across folders: the first folder is the generator', () => {
  expect(named('alpha/bedroom.glb', 'alpha/den.glb', 'beta/deep/bedroom.glb', 'top.glb')).toEqual([
    ['alpha', 'bedroom'],
    ['alpha', 'den'],
    ['beta', 'bedroom'],
    [null, null],
  ]);
});

test('names that repeat within a generator take the folders between', () => {
  expect(named('alpha/1/bedroom.glb', 'alpha/2/bedroom.glb', 'alpha/2/den.glb')).toEqual([
    ['alpha', '1-bedroom'],
    ['alpha', '2-bedroom'],
    ['alpha', 'den'],
  ]);
});

test('one name everywhere says nothing: folders are prompts, or generators and prompts', () => {
  expect(named('s1/scene.glb', 's2/scene.glb')).toEqual([
    [null, 's1'],
    [null, 's2'],
  ]);
  expect(named('alpha/p1/scene.glb', 'alpha/p2/scene.glb', 'beta/p1/scene.glb')).toEqual([
    ['alpha', 'p1'],
    ['alpha', 'p2'],
    ['beta', 'p1'],
  ]);
});

test('other formats keep their own names', () => {
  expect(named('s1/layout.json', 's2/layout.json')).toEqual([
    [null, null],
    [null, null],
  ]);
});
