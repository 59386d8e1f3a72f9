import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { caption, expandGrammar } from '../../src/captions/expand.ts';
import { readGrammar } from '../../src/captions/grammar.ts';
import type { Random } from '../../src/core/random.ts';
import { readRubric } from '../../src/evaluators/judge/read-rubric.ts';
import { planCounts } from '../../src/protocol/plan-counts.ts';
import { loadAudit } from '../../src/sweep/load-audit.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';
import { type FuzzInput, type FuzzKind, verdictOf } from './fuzz-kind.ts';
import { mutateJson, mutateText, textBytes } from './mutate.ts';

const root = join(import.meta.dirname, '..', '..');

/** YAML that has no business in a file. */
const SNIPPETS = [
  '\na: &a [*a, *a]\n',
  '\nx: &x [1,1,1,1,1,1,1,1,1]\ny: &y [*x,*x,*x,*x,*x,*x,*x,*x,*x]\nz: &z [*y,*y,*y,*y,*y,*y,*y,*y,*y]\nw: [*z,*z,*z,*z,*z,*z,*z]\n',
  '\n<<: {seed: 1}\n',
  '\n? [a, b]\n: c\n',
  '\nkey: !!js/function "function () {}"\n',
  '\nkey: !!binary "////"\n',
  `\nkey: ${'['.repeat(300)}${']'.repeat(300)}\n`,
  '\n---\nseed: 2\n',
  '\n\tseed: 2\n',
  '\n"__proto__": {polluted: true}\n',
  '\nkey: 2001-01-01T00:00:00Z\n',
  '\n%YAML 3.0\n',
];

/** One damaged version of a YAML text: its value changed, its text changed, or YAML of the nastier sort put in. */
function mutateYaml(text: string, random: Random): string {
  switch (random.integer(4)) {
    case 0:
      return mutateText(text, random);
    case 1: {
      const lines = text.split('\n');
      lines.splice(random.integer(lines.length + 1), 0, random.pick(SNIPPETS));
      return lines.join('\n');
    }
    default: {
      const json = mutateJson(JSON.stringify(parse(text)), random);
      try {
        return stringify(JSON.parse(json));
      } catch {
        return json;
      }
    }
  }
}

function yamlKind(
  name: string,
  file: string,
  texts: (folder: string) => Promise<readonly string[]>,
  read: (path: string) => unknown,
): FuzzKind {
  return {
    name,
    async prepare(folder) {
      const good = await texts(folder);
      return {
        make: (random): FuzzInput => ({ name: file, bytes: textBytes(mutateYaml(random.pick(good), random), random) }),
        async check(input) {
          const path = join(folder, input.name);
          writeFileSync(path, input.bytes);
          const verdict = await verdictOf(() => read(path));
          if ((Object.prototype as Record<string, unknown>)['polluted'] !== undefined)
            throw new Error('the prototype of all objects was changed');
          return verdict;
        },
      };
    },
  };
}

const GRAMMARS = ['grammars/reference.yaml'];
const RUBRICS = ['direct-0-100', 'pairwise', 'free-text-0-100'];

/** Grammars, rubrics and audit files. */
export const TEXT_KINDS: readonly FuzzKind[] = [
  yamlKind(
    'grammar',
    'grammar.yaml',
    async () => GRAMMARS.map((path) => readFileSync(join(root, path), 'utf8')),
    (path) => {
      for (const template of expandGrammar(readGrammar(path))) {
        if (template.text.split('{prompt}').length !== 2)
          throw new Error(`template ${template.id} has not one {prompt}`);
        caption(template, 'a {prompt} room');
      }
    },
  ),
  yamlKind(
    'rubric',
    'rubric.yaml',
    async () => RUBRICS.map((name) => readFileSync(join(root, 'grammars', 'rubrics', `${name}.yaml`), 'utf8')),
    (path) => readRubric(path),
  ),
  yamlKind(
    'audit file',
    'audit.yaml',
    async (folder) => {
      mkdirSync(folder, { recursive: true });
      const more = `probes: [keep-half, {name: scrambled, repeats: 2}]
declared: {prompts: 5, generators: 3}
`;
      const file = await writeTinyAudit(folder, {
        generators: ['a', 'b'],
        prompts: ['p1', 'p2'],
        pitches: [90, 45],
        red: () => 100,
        more,
      });
      const tiny = readFileSync(file, 'utf8');
      return [
        tiny,
        tiny,
        `${tiny.replace('design: one-at-a-time\n', '')}`.replace(
          '  - {id: planted',
          '  - {id: two, kind: ensemble, of: planted, over: views, members: ["45/0", "90/0"]}\n  - {id: planted',
        ),
      ];
    },
    async (path) => {
      const { plan } = await loadAudit(path, { withoutScenes: true });
      planCounts(plan);
    },
  ),
];
