import type { Card } from '../core/card.ts';
import { describeCard } from './describe-card.ts';
import type { DescribedSection, DescribedTable } from './described.ts';
import { escapeHtml } from './escape-text.ts';

/**
 * A card as an HTML fragment (no styles, no scripts): one `article.card` an evaluator, with the anchor
 * `card-<position>`, every text escaped. `folded` puts contract and evidence into parts that open.
 */
export function renderCardHtml(card: Card, folded = false): string {
  const part = (title: string, kind: string, content: string) =>
    folded
      ? `<details class="more ${kind}"><summary>${title}</summary>${content}</details>`
      : `<section class="${kind}"><h4>${title}</h4>${content}</section>`;
  return card.evaluators
    .map((entry, index) => {
      const described = describeCard(card, entry);
      return `<article class="card" id="card-${index}">
<header><h3>${escapeHtml(described.evaluator)}</h3><p class="card-id"><code>${described.cardId}</code>${card.draft ? ' <strong class="draft-mark">DRAFT</strong>' : ''}</p>
<p class="digest">Contract SHA-256 <code>${described.digest}</code></p></header>
${part('Contract', 'contract', described.contract.map(section).join(''))}
${part('Evidence', 'evidence', described.evidence.map(section).join(''))}
</article>`;
    })
    .join('\n');
}

function section(content: DescribedSection): string {
  const status =
    content.status === 'measured'
      ? ''
      : ` <span class="status status-${content.status}">${content.status === 'not-run' ? 'not run' : 'withheld'}</span>`;
  const facts =
    content.facts.length === 0
      ? ''
      : `<dl>${content.facts.map(([name, text]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(text)}</dd></div>`).join('')}</dl>`;
  return `<section class="card-section"><h5>${escapeHtml(content.title)}${status}</h5>${content.sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('')}${facts}${content.tables.map(htmlTable).join('')}</section>`;
}

/** A described table as HTML, inside a region that scrolls on a narrow screen. */
export function htmlTable({ head, numeric, rows }: DescribedTable): string {
  const cells = (row: readonly string[], tag: 'td' | 'th') =>
    row
      .map((text, index) => {
        const align = numeric[index] ? ' class="num"' : '';
        const scope = tag === 'th' ? ' scope="col"' : '';
        return `<${tag}${align}${scope}>${escapeHtml(text)}</${tag}>`;
      })
      .join('');
  return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells(row, 'td')}</tr>`)
    .join('')}</tbody></table></div>`;
}
