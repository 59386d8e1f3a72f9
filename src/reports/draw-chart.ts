import * as vega from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { sha256 } from '../core/hash.ts';
import { textWidth } from './charts/text-width.ts';

/** Colours are custom properties of the page, so one drawing serves light and dark. */
export const CHART_CONFIG = {
  background: 'transparent',
  font: 'inherit',
  padding: 2,
  view: { stroke: null },
  axis: {
    labelColor: 'var(--ink-2)',
    titleColor: 'var(--ink-2)',
    titleFontWeight: 500,
    titleFontSize: 12,
    labelFontSize: 12,
    gridColor: 'var(--line)',
    domainColor: 'var(--line-2)',
    tickColor: 'var(--line-2)',
    labelLimit: 180,
  },
  legend: {
    labelColor: 'var(--ink)',
    titleColor: 'var(--ink-2)',
    titleFontWeight: 500,
    labelFontSize: 12,
    labelLimit: 160,
    orient: 'top',
  },
  header: { labelColor: 'var(--ink)', labelFontSize: 12, labelFontWeight: 600, titleColor: 'var(--ink-2)' },
  text: { color: 'var(--ink)', fontSize: 12 },
  rule: { color: 'var(--ink-2)' },
} as const;

/** Categorical colours, distinct under the common colour-vision deficiencies and at least 3:1 against the page. */
export const CATEGORY_COLOURS = Array.from({ length: 8 }, (_, index) => `var(--c${index})`);

interface Measured {
  readonly fontSize?: number;
  readonly limit?: number;
}

// Without a canvas Vega takes every letter for a wide one, and cuts labels that would fit. The table of metrics is part of
// its exports but not of its types.
const { textMetrics } = vega as unknown as { textMetrics: { width: (item: Measured, text: unknown) => number } };
textMetrics.width = (item, text) => {
  const width = text === null || text === undefined ? 0 : textWidth(String(text), item.fontSize ?? 11);
  return item.limit !== undefined && item.limit > 0 ? Math.min(width, item.limit) : width;
};

/** A drawn chart: the SVG, and the Vega specification a browser may bring to life. */
export interface Drawing {
  readonly svg: string;
  readonly vega: vega.Spec;
}

/**
 * Draws a Vega-Lite chart on the server. Nothing is ever fetched: data must stand in the specification.
 * The same specification gives the same bytes, whatever was drawn before.
 *
 * @throws RangeError when a chart names data elsewhere.
 */
export async function drawChart(spec: TopLevelSpec): Promise<Drawing> {
  const compiled = compile({ ...spec, config: { ...CHART_CONFIG, ...spec.config } } as TopLevelSpec, {
    logger: vega.logger(vega.Error),
  }).spec;
  const asked: string[] = [];
  const loader = vega.loader();
  loader.load = async (uri: string) => {
    asked.push(uri);
    return '[]';
  };
  const view = new vega.View(vega.parse(compiled), { renderer: 'none', loader, logger: vega.logger(vega.Error) });
  const svg = await view.toSVG();
  view.finalize();
  if (asked.length > 0)
    throw new RangeError(`drawChart: a chart asked for "${asked.join(', ')}"; expected data inside the specification`);
  // Vega numbers its clip paths through the life of the process; name them by content so that drawings repeat.
  const prefix = sha256(JSON.stringify(compiled)).slice(0, 8);
  const ids = new Map<string, string>();
  const named = svg.replace(/(id="|url\(#)([A-Za-z_]+\d+)/g, (_, before: string, id: string) => {
    if (!ids.has(id)) ids.set(id, `v${prefix}-${ids.size}`);
    return `${before}${ids.get(id)}`;
  });
  return { svg: named.replace(/ (?:d|transform)="[^"]*"/g, rounded), vega: compiled };
}

/** Coordinates to a hundredth of a pixel: nobody sees the rest, and a page of many charts is smaller. */
function rounded(attribute: string): string {
  return attribute.replace(/-?\d+\.\d{3,}(?:e[-+]?\d+)?/g, (number) => String(Math.round(Number(number) * 100) / 100));
}
