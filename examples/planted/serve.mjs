// The command protocol (docs/evaluators.md) for the planted evaluators: a greeting, then one answer a request.
import { createInterface } from 'node:readline';

/** Answers every request with `score(request)`: a number, or a promise of one; an error is a failed outcome with its reason. */
export async function serve({ name, scale }, score) {
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  const describe = { name: scale.name, min: scale.min ?? null, max: scale.max ?? null };
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.type === 'hello')
      say({
        type: 'hello',
        protocol: 1,
        name,
        version: '1',
        batch: 16,
        scale: describe,
        // Whatever a program looks at, it is given everything: the audit has to find out what moves it.
        reads: { image: true, caption: true, scene: true },
      });
    else if (message.type === 'close') break;
    else
      for (const request of message.requests) {
        try {
          say({ id: request.id, status: 'scored', value: await score(request) });
        } catch (error) {
          say({ id: request.id, status: 'failed', reason: String(error?.message ?? error).slice(0, 300) });
        }
      }
  }
}
