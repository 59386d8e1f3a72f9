import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { caption, expandGrammar } from '../../src/captions/expand.ts';
import { type Grammar, readGrammar } from '../../src/captions/grammar.ts';

const reference = () => expandGrammar(readGrammar(join(import.meta.dirname, '../../grammars/reference.yaml')));

describe('the reference grammar', () => {
  test('has 337 distinct templates: 28 openings x 3 connectives x 4 frames and the raw prompt', () => {
    const templates = reference();
    expect(templates).toHaveLength(337);
    expect(new Set(templates.map((template) => template.text)).size).toBe(337);
    expect(new Set(templates.map((template) => template.id)).size).toBe(337);
    const openings = templates.filter(({ slots }) => slots?.['connective'] === 'of' && slots['frame'] === 'none');
    expect(openings).toHaveLength(28);
    expect(templates.filter(({ slots }) => slots !== null && 'viewpoint' in slots)).toHaveLength(240);
    expect(templates.filter(({ slots }) => slots === null).map(({ id }) => id)).toEqual(['raw']);
  });

  test('contains the published wordings and keeps their slot choices', () => {
    const byText = new Map(reference().map((template) => [template.text, template]));
    expect(byText.get('a top-down view of {prompt}')).toEqual({
      id: 'a-top-down-view-of',
      text: 'a top-down view of {prompt}',
      slots: { article: 'indefinite', viewpoint: 'top-down', noun: 'view', connective: 'of', frame: 'none' },
    });
    expect(byText.get('a top-down rendering of a virtual scene: {prompt}')?.slots?.['frame']).toBe('virtual-scene');
  });

  test('writes "an" only before "image" without a viewpoint', () => {
    const withAn = reference().filter(({ text }) => text.startsWith('an '));
    expect(withAn).toHaveLength(12);
    expect(withAn.every(({ slots }) => slots?.['noun'] === 'image' && !('viewpoint' in slots))).toBe(true);
  });

  test('never yields the noun "view" without a viewpoint', () => {
    expect(reference().filter(({ slots }) => slots?.['noun'] === 'view' && !('viewpoint' in slots))).toEqual([]);
  });

  test('is stable: two expansions are equal', () => {
    expect(reference()).toEqual(reference());
  });
});

test('a caption holds the prompt letter for letter, replacement patterns included', () => {
  const template = { id: 'x', text: 'a view of {prompt}', slots: null };
  expect(caption(template, "a bed, $& and $1 'quotes'")).toBe("a view of a bed, $& and $1 'quotes'");
});

describe('malformed grammars', () => {
  const grammar = (branch: Partial<Grammar['branches'][number]>): Grammar => ({
    schema: 'parallax/grammar@1',
    name: 'g',
    raw: false,
    branches: [{ name: 'b', form: '{noun} of {prompt}', slots: { noun: { photo: 'photo' } }, ...branch }],
  });
  test.each([
    ['no prompt', { form: '{noun} of' }, 'exactly one {prompt}'],
    ['two prompts', { form: '{noun} {prompt} {prompt}' }, 'exactly one {prompt}'],
    ['unknown slot', { form: '{nuon} {prompt}' }, 'unknown slot "nuon"'],
    ['unused slot', { form: 'of {prompt}' }, 'is unused or used twice'],
    [
      'equal wordings',
      { slots: { noun: { photo: 'photo', foto: 'photo' } } },
      'two paths give the template id "photo-of"',
    ],
  ])('%s', (_, branch, message) => {
    expect(() => expandGrammar(grammar(branch))).toThrow(message);
  });
});
