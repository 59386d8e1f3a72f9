// A planted evaluator: the score is the picture's mean red channel plus, for each word of the caption's opening, a known amount.
// It speaks the command protocol (docs/evaluators.md). Waits PLANTED_DELAY_MS before each answer, so that a test can kill the run.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import sharp from 'sharp';

const WORDS = { photo: 2, image: 4, rendering: 8 };
const delay = Number(process.env.PLANTED_DELAY_MS ?? 0);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === 'hello')
    say({
      type: 'hello',
      protocol: 1,
      name: 'planted',
      version: '1',
      batch: 4,
      scale: { name: 'red-plus-words', min: null, max: null },
      reads: { image: true, caption: true, scene: false },
    });
  else if (message.type === 'close') break;
  else
    for (const { id, images, caption } of message.requests) {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      const { channels } = await sharp(readFileSync(images[0].path)).stats();
      const words = caption.split(/[ :]/).reduce((sum, word) => sum + (WORDS[word] ?? 0), 0);
      if (caption.includes('unanswerable')) say({ id, status: 'refused', reason: 'the caption asks not to be scored' });
      else say({ id, status: 'scored', value: channels[0].mean + words });
    }
}
