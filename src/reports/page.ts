import { createHash } from 'node:crypto';
import { escapeHtml } from '../cards/escape-text.ts';
import { html, name, trusted } from './html.ts';
import { liveScripts } from './live-scripts.ts';
import { REPORT_STYLE } from './report-style.ts';
import type { ReportSection } from './sections/section.ts';

/** What a page is made of. */
export interface Page {
  readonly title: string;
  readonly eyebrow: string;
  readonly draft: boolean;
  /** What is a draft, where it is not the whole page. */
  readonly draftOf?: string;
  readonly sections: readonly ReportSection[];
  readonly footer: string;
}

/**
 * A whole page. Its policy allows its own scripts, named by hash, and pictures inside the file: nothing in it can ask a
 * network for anything, and no label can run as a script.
 */
export function renderPage(page: Page): string {
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<div class="page"><nav class="contents" aria-label="Contents"><details open><summary>Contents</summary><ol>${page.sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}</ol></details></nav>
<main id="main"><header class="top">${page.draft ? html`<p class="draft">DRAFT: made from a partial run${page.draftOf === undefined ? '' : `, ${page.draftOf}`}. Planned outcomes are still missing; no number ${page.draftOf === undefined ? 'here' : 'of it'} is final.</p>` : null}<p class="eyebrow">${page.eyebrow}</p><h1>${name(page.title)}</h1><div class="toolbar"><button type="button" data-theme-button hidden>Dark</button></div></header>
${page.sections.map((section) => html`<section id="${section.id}"><h2>${section.title}</h2>${section.body}</section>`)}
<footer><p>${page.footer}</p></footer></main></div>`.text;
  const scripts = liveScripts(body.includes('data-spec='));
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`).join(' ');
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${hashes}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="referrer" content="no-referrer">
<title>${page.draft ? 'DRAFT: ' : ''}${escapeHtml(page.title)} - ${escapeHtml(page.eyebrow)}</title><style>${trusted(REPORT_STYLE).text}</style></head>
<body>${body}
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body></html>
`;
}
