import type { Card } from '../core/card.ts';
import { describeCard } from './describe-card.ts';
import type { DescribedSection } from './described.ts';
import { escapeMarkdown } from './escape-text.ts';
import { formatCount, plural } from './format-number.ts';

/** A card as Markdown (GitHub tables), one part an evaluator: contract first, then the evidence with its status. */
export function renderCardMarkdown(card: Card): string {
  const lines: string[] = [`# Evaluator Configuration Card: ${escapeMarkdown(card.audit.name)}`, ''];
  if (card.draft) lines.push('**DRAFT: made from a partial run. No number here is final.**', '');
  lines.push(
    `${plural(card.evaluators.length, 'evaluator')}, ${plural(card.data.generators.length, 'generator')}, ${plural(card.data.prompts, 'prompt')}, ${plural(card.data.scenes, 'frozen scene')} (${formatCount(card.data.objects)} objects, ${formatCount(card.data.proxies)} of them stand-ins).`,
    '',
    `Evidence SHA-256: \`${card.evidenceHash}\``,
    '',
    '| Evaluator | Card ID |',
    '|---|---|',
    ...card.evaluators.map((entry) => `| ${escapeMarkdown(entry.evaluator)} | \`${entry.cardId}\` |`),
    '',
  );
  for (const entry of card.evaluators) {
    const described = describeCard(card, entry);
    lines.push(
      `## ${escapeMarkdown(described.evaluator)}`,
      '',
      `Card ID \`${described.cardId}\` (SHA-256 \`${described.digest}\`)`,
      '',
      '### Contract',
      '',
      ...described.contract.flatMap(section),
      '### Evidence',
      '',
      ...described.evidence.flatMap(section),
    );
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function section(content: DescribedSection): string[] {
  const lines = [`#### ${escapeMarkdown(content.title)}`, ''];
  const status = content.status === 'measured' ? '' : `*${content.status === 'not-run' ? 'Not run' : 'Withheld'}:* `;
  for (const sentence of content.sentences) lines.push(`${status}${escapeMarkdown(sentence)}`, '');
  if (content.facts.length > 0)
    lines.push(
      ...table(
        ['', ''],
        [false, false],
        content.facts.map(([name, text]) => [name, text]),
      ),
      '',
    );
  for (const { head, numeric, rows } of content.tables) lines.push(...table(head, numeric, rows), '');
  return lines;
}

function table(head: readonly string[], numeric: readonly boolean[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [line(head), `|${head.map((_, index) => (numeric[index] ? '---:' : '---')).join('|')}|`, ...rows.map(line)];
}
