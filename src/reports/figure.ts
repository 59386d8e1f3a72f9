import type { TopLevelSpec } from 'vega-lite';
import type { DescribedTable } from '../cards/described.ts';
import { htmlTable } from '../cards/render-card-html.ts';
import { drawChart } from './draw-chart.ts';
import { type Html, html, trusted } from './html.ts';

/** Widths every chart is drawn at: beside the text of a wide page, and across a phone. */
export const FIGURE_WIDTHS = { wide: 720, narrow: 335 } as const;

/** A chart with the words above it and the table behind it. */
export interface Figure {
  /** Anchor, unique in the page. */
  readonly id: string;
  readonly title: string;
  /** How to read it. */
  readonly text: string;
  readonly chart: (width: number) => TopLevelSpec;
  readonly table: DescribedTable;
  /** Comes to life in the browser (highlighting by pointer); the drawing stays for everybody else. */
  readonly live?: boolean;
}

/** Rows a table behind a chart shows; the rest is in the CSV beside the report. */
const TABLE_ROWS = 400;

/** The figure's markup: two drawings of one specification, of which the style shows one, and a table that opens. */
export async function drawFigure(figure: Figure): Promise<Html> {
  const wide = await drawChart(figure.chart(FIGURE_WIDTHS.wide));
  const narrow = await drawChart(figure.chart(FIGURE_WIDTHS.narrow));
  const left = figure.table.rows.length - TABLE_ROWS;
  const shown = { ...figure.table, rows: figure.table.rows.slice(0, TABLE_ROWS) };
  return html`<figure id="${figure.id}"><figcaption><strong>${figure.title}</strong><span>${figure.text}</span></figcaption>
<div class="draw wide" data-chart="${figure.live === true ? figure.id : ''}">${trusted(wide.svg)}</div><div class="draw narrow">${trusted(narrow.svg)}</div>
${figure.live === true ? trusted(`<script type="application/json" data-spec="${figure.id}">${scriptJson(wide.vega)}</script>`) : null}<details><summary>Table of this chart</summary>${trusted(htmlTable(shown))}${left > 0 ? html`<p class="note">${left} more rows are in estimates.csv.</p>` : null}</details></figure>`;
}

/** JSON inside a script element: nothing in it can end the element or start a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
