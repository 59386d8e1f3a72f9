import type { CaptionProbe } from './probe.ts';

/** A control: the scene keeps its picture and takes the caption of another prompt, drawn at random. */
export const wrongPrompt: CaptionProbe = {
  name: 'wrong-prompt',
  kind: 'caption',
  control: true,
  expectation: 'lowers the score of any evaluator that reads the caption: the picture no longer matches its words',
  choose: (prompt, random, { prompts }) => {
    const others = prompts.filter((id) => id !== prompt);
    if (others.length === 0) return { status: 'skipped', reason: 'the audit has no other prompt' };
    return random.pick(others);
  },
};
