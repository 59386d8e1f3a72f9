import type { TopLevelSpec } from 'vega-lite';
import type { DescribedTable } from '../cards/described.ts';
import { visibleText } from '../cards/escape-text.ts';
import { htmlTable } from '../cards/render-card-html.ts';
import { type Drawing, drawChart } from './draw-chart.ts';
import { type Html, html, scriptJson, trusted } from './html.ts';

/** Widths every chart is drawn at: beside the text of a wide page, and across a phone. */
export const FIGURE_WIDTHS = { wide: 720, narrow: 335 } as const;

/** What a reader may choose to see alone: the values of one field of the chart's data (a name, or a list of names). */
export interface Choice {
  /** Whose values they are, in words: `Generator`. */
  readonly label: string;
  readonly field: string;
  readonly values: readonly string[];
}

/** A chart with the words above it and the table behind it. */
export interface Figure {
  /** Anchor, unique in the page. */
  readonly id: string;
  readonly title: string;
  /** How to read it. */
  readonly text: string;
  readonly chart: (width: number) => TopLevelSpec;
  readonly table: DescribedTable;
  /** Shown above the chart where scripts run; choices of one value are dropped. */
  readonly choices?: readonly Choice[];
  /** `filter` leaves out what is not chosen; `fade` leaves that to the chart, which reads the parameter `chosen`. */
  readonly choosing?: 'filter' | 'fade';
}

/** Rows a table behind a chart shows; the rest is in the CSV beside the report. */
const TABLE_ROWS = 250;
/** Values a choice lists; a list of hundreds helps nobody, and the table has them all. */
const CHOICE_VALUES = 60;

/** Whether a datum holds the chosen value, in Vega's expression language; `chosen` is null or {field, value}. */
const IS_CHOSEN =
  'chosen === null || (isArray(datum[chosen.field]) ? indexof(datum[chosen.field], chosen.value) >= 0 : datum[chosen.field] === chosen.value)';

/**
 * The figure's markup: two drawings of one specification, of which the style shows one, and a table that opens. The
 * drawings need no script; where scripts run they come to life from the specifications that stand beside them.
 */
export async function drawFigure(figure: Figure): Promise<Html> {
  const choices = (figure.choices ?? [])
    .map((choice) => ({ ...choice, values: [...new Set(choice.values.map(visibleText))].slice(0, CHOICE_VALUES) }))
    .filter(({ values }) => values.length > 1);
  const filter = choices.length > 0 && figure.choosing !== 'fade';
  const spec = (width: number): TopLevelSpec => {
    const chart = figure.chart(width);
    return visible({
      ...chart,
      params: [{ name: 'chosen', value: null }, ...(chart.params ?? [])],
      transform: [...(filter ? [{ filter: IS_CHOSEN }] : []), ...(chart.transform ?? [])],
    } as TopLevelSpec);
  };
  const wide = await drawChart(spec(FIGURE_WIDTHS.wide));
  const narrow = await drawChart(spec(FIGURE_WIDTHS.narrow));
  const left = figure.table.rows.length - TABLE_ROWS;
  const shown = { ...figure.table, rows: figure.table.rows.slice(0, TABLE_ROWS) };
  return html`<figure id="${figure.id}"><figcaption><strong>${figure.title}</strong><span>${figure.text}</span></figcaption>
${choices.length === 0 ? null : chooser(figure, choices)}<div class="draw wide" data-chart="${figure.id}">${trusted(wide.svg)}</div><div class="draw narrow" data-chart="${figure.id}">${trusted(narrow.svg)}</div>
${trusted(`<script type="application/json" data-spec="${figure.id}">${scriptJson(specifications(wide, narrow))}</script>`)}<details><summary>Table of this chart</summary>${trusted(htmlTable(shown))}${left > 0 ? html`<p class="note">${left} more rows are in estimates.csv.</p>` : null}</details></figure>`;
}

/** A specification in which no label can hide or reorder what stands beside it. */
function visible(spec: TopLevelSpec): TopLevelSpec {
  return JSON.parse(JSON.stringify(spec), (_, value) => (typeof value === 'string' ? visibleText(value) : value));
}

function chooser(figure: Figure, choices: readonly Choice[]): Html {
  return html`<p class="choose" hidden><label>${figure.choosing === 'fade' ? 'Highlight' : 'Show'} <select data-choose="${figure.id}"><option value="">all</option>${choices.map(
    (choice) =>
      html`<optgroup label="${choice.label}">${choice.values.map((value) => html`<option value="${JSON.stringify({ field: choice.field, value })}">${value}</option>`)}</optgroup>`,
  )}</select></label></p>`;
}

/** Both specifications, their data once where it is the same. */
function specifications(wide: Drawing, narrow: Drawing): unknown {
  const data = JSON.stringify(wide.vega.data);
  if (data !== JSON.stringify(narrow.vega.data)) return { wide: wide.vega, narrow: narrow.vega };
  const { data: _wide, ...first } = wide.vega;
  const { data: _narrow, ...second } = narrow.vega;
  return { data: wide.vega.data, wide: first, narrow: second };
}
