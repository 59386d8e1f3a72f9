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

/** Letters of a row beyond which a table is wider than a phone. */
const PHONE_LETTERS = 44;

/**
 * A described table as HTML. On a phone a table that is too wide becomes one block a row (`stack`), each cell with the
 * head of its column beside it; a narrower one stays a table, inside a region that scrolls.
 */
export function htmlTable({ head, numeric, rows }: DescribedTable): string {
  const widths = head.map((text, column) =>
    Math.min(
      24,
      rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), text.length),
    ),
  );
  const stacked = head.length > 2 && widths.reduce((sum, width) => sum + width + 2, 0) > PHONE_LETTERS;
  const align = (column: number) => (numeric[column] ? ' class="num"' : '');
  const headCells = head.map((text, column) => `<th${align(column)} scope="col">${escapeHtml(text)}</th>`).join('');
  const bodyRows = rows.map((row) => {
    const cells = row.map((text, column) => {
      const label = stacked ? ` data-h="${escapeHtml(head[column] ?? '')}"` : '';
      return `<td${align(column)}${label}>${escapeHtml(text)}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table${stacked ? ' class="stack"' : ''}><thead><tr>${headCells}</tr></thead><tbody>${bodyRows.join('')}</tbody></table></div>`;
}

/** Style of tables that become blocks on a phone; for every page that holds one. */
export const STACK_STYLE = `@media screen and (max-width:32rem){table.stack,table.stack tbody,table.stack tr{display:block}
table.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table.stack tr{border-bottom:1px solid var(--line-2,var(--line));padding:.45rem 0}
table.stack td,table.stack th{display:grid;grid-template-columns:minmax(0,8.5rem) minmax(0,1fr);gap:.6rem;border:0;padding:.1rem 0;text-align:left;white-space:normal;overflow-wrap:anywhere}
table.stack td::before,table.stack tbody th::before{content:attr(data-h);color:var(--ink-2);font-weight:400}}`;
