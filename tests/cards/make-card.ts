// Makes estimates and card of a results folder in a process of its own; prints what identifies the card.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeResults } from '../../src/cards/analyze-results.ts';
import { buildCard } from '../../src/cards/build-card.ts';
import { readResults } from '../../src/cards/read-results.ts';
import { writeCardFiles } from '../../src/cards/write-card-files.ts';
import { sha256 } from '../../src/core/hash.ts';

const folder = process.argv[2] as string;
await analyzeResults(folder);
const { manifest, estimates } = readResults(folder);
const card = buildCard(manifest, estimates);
writeCardFiles(folder, card);
process.stdout.write(
  JSON.stringify({
    ids: card.evaluators.map(({ cardId }) => cardId),
    evidenceHash: card.evidenceHash,
    estimates: sha256(readFileSync(join(folder, 'estimates.json'))),
    card: sha256(readFileSync(join(folder, 'card.json'))),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    comma: (1.5).toLocaleString(),
  }),
);
