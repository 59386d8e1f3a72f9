import Papa from 'papaparse';
import type { Scene } from '../core/scene.ts';
import { describeObjects } from '../scenes/policies/describe-objects.ts';

/** What `init` knows when it writes an audit file; paths are relative to that file. */
export interface AuditAnswers {
  readonly name: string;
  readonly scenes: string;
  readonly pictures: string | null;
  readonly prompts: string;
  readonly generators: readonly string[];
  readonly evaluator: 'pocket' | 'clip' | 'command' | 'scores' | 'judge';
  readonly grammar: string;
  readonly example: string;
}

const text = (value: string) => JSON.stringify(value);

const EVALUATOR_LINES: Record<AuditAnswers['evaluator'], (answers: AuditAnswers) => string> = {
  pocket: () => `  # The embedded demonstration model: good for trying things out, not for a paper.
  - { id: pocket, kind: dual-encoder, model: pocket }`,
  clip: () => `  # A CLIP or SigLIP checkpoint: a local folder in Hugging Face layout (onnx/), or a hub id with a pinned revision.
  - { id: clip, kind: dual-encoder, model: Xenova/clip-vit-base-patch32, dtype: fp32, scale: cosine100 }`,
  command: ({
    example,
  }) => `  # Any program that speaks JSON lines (docs/evaluators.md). This one is the shipped example: replace it by yours.
  - { id: mine, kind: command, run: [python3, ${text(example)}], role: alignment }`,
  scores: () => `  # A score table made elsewhere: evaluator,generator,prompt,factor,level,score
  - { id: mine, kind: scores, file: scores.csv }`,
  judge: () => `  # A hosted judge; the key comes from the environment variable named here and is written nowhere.
  - { id: judge, kind: judge, provider: openai, model: gpt-4o-2024-11-20, keyFrom: OPENAI_API_KEY, rubric: direct-0-100 }`,
};

/** A commented audit file that validates. */
export function auditText(answers: AuditAnswers): string {
  const { name, scenes, pictures, prompts, generators, evaluator, grammar } = answers;
  return `schema: parallax/audit@1
name: ${name}
# Every random draw (bootstrap, probes) follows from this number; 0 is a seed like any other.
seed: 7
# Frozen scenes (parallax import) and their prompts; paths are relative to this file.
scenes: ${text(scenes)}
prompts: ${text(prompts)}
generators: [${generators.map(text).join(', ')}]
${
  pictures === null
    ? `# How pictures are made. light: own keeps each environment map's brightness, normalised evens it out.
renderer: { name: chromium, margin: 0.05, wallsBlockLight: true, light: own }`
    : `# Pictures made elsewhere, in the file names of the published harness:
# <generator>/<prompt>/render_{res}_{focal}[_{r}_{g}_{b}]_{pitch}_{yaw}_{map}.png
renderer: { name: files, folder: ${text(pictures)} }`
}
# Caption templates: every path of this grammar.
grammar: ${text(grammar)}
evaluators:
${EVALUATOR_LINES[evaluator](answers)}
# c0, the default configuration. Every factor below is moved away from it alone.
default:
  resolution: 512
  focal: 50
  lighting: city
  background: grey-255
  pitch: 90
  yaw: 0
  template: a-top-down-view-of
factors:
  resolution: [224, 336, 512]
  focal: [24, 50, 100]
  lighting: [city, forest, studio, sunset, night]
  background: [grey-0, grey-128, grey-255]
  pitch: [30, 45, 60, 90]
  # Swept at pitch 45: seen from above, yaw only turns the picture.
  yaw: { levels: [0, 90, 180, 270], at: { pitch: 45 } }
  template: { levels: all }
# Damaged scenes a good evaluator should notice. Scenes without objects skip those that need them.
probes: [keep-half, biggest-only, scrambled, worst-objects]
statistics: { resamples: 10000, level: 0.95, band: studentised, family: audit, maxMissing: 0.05 }
results: results/${name}
`;
}

/** prompts.csv for scenes that came without prompts: one line a prompt id, its text written from the objects' labels. */
export function promptsText(scenes: readonly Scene[]): string {
  const rows = new Map<string, string>();
  for (const { prompt, rooms, objects } of scenes)
    if (!rows.has(prompt))
      rows.set(
        prompt,
        objects.length === 0
          ? prompt.replace(/[-_]+/g, ' ')
          : describeObjects(
              rooms[0]?.type ?? 'room',
              objects.map(({ label }) => label),
            ),
      );
  const data = [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, words]) => [id, words, 'written from object labels']);
  return `${Papa.unparse({ fields: ['id', 'text', 'source'], data }, { newline: '\n' })}\n`;
}
