import type { Card } from '../core/card.ts';
import { escapeHtml } from './escape-text.ts';
import { renderCardHtml, STACK_STYLE } from './render-card-html.ts';

const STYLE = `:root{color-scheme:light dark;--paper:#fdfdfc;--ink:#1b1d21;--ink-2:#565b64;--line:#dcdad4;--warn:#8a4b00}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e9e8e4;--ink-2:#a9adb4;--line:#33383e;--warn:#f0c078}}
*{box-sizing:border-box}body{margin:0 auto;max-width:52rem;padding:2rem 1.1rem 4rem;background:var(--paper);color:var(--ink);font:16px/1.55 ui-sans-serif,system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
h1{font-size:1.7rem;line-height:1.2;letter-spacing:-.015em}h3{font-size:1.3rem;margin:2.5rem 0 .2rem}h4{margin:1.6rem 0 .4rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}h5{font-size:.95rem;margin:1.2rem 0 .3rem}
p{margin:.5rem 0}code{font:.88em ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}.digest,dt{color:var(--ink-2);font-size:.88rem}
dl>div{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.2rem 1rem;padding:.28rem 0;border-bottom:1px solid var(--line)}dd{margin:0;overflow-wrap:anywhere}@media (max-width:32rem){dl>div{grid-template-columns:1fr}}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line)}th{color:var(--ink-2);font-weight:550}.num{text-align:right;white-space:nowrap}
.status{font-size:.78rem;border:1px solid var(--ink-2);border-radius:1rem;padding:.05rem .5rem;font-weight:550;color:var(--ink-2)}.status-withheld,.draft-mark,.draft{color:var(--warn);border-color:var(--warn)}
${STACK_STYLE}
@media print{body{max-width:none;padding:0;font-size:10pt}.scroll{overflow:visible}}`;

/** The card as a page of its own: no script, no picture, nothing asked of any network. */
export function renderCardPage(card: Card): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${card.draft ? 'DRAFT: ' : ''}${escapeHtml(card.audit.name)} - Evaluator Configuration Card</title><style>${STYLE}</style></head>
<body><main><h1>Evaluator Configuration Card: <bdi>${escapeHtml(card.audit.name)}</bdi></h1>
${card.draft ? '<p class="draft"><strong>DRAFT: made from a partial run. No number here is final.</strong></p>' : ''}
<p>${card.data.generators.length} generators, ${card.data.prompts} prompts, ${card.data.scenes} frozen scenes. Evidence SHA-256 <code>${card.evidenceHash}</code>.</p>
${renderCardHtml(card)}
</main></body></html>
`;
}
