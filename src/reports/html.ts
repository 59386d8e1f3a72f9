import { escapeHtml } from '../cards/escape-text.ts';

/** Markup that is safe to insert as it stands: made by `html`, or declared safe by `trusted`. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** What a template may hold: text and numbers are escaped, markup is kept, lists are joined, null and false are nothing. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[];

/**
 * Template tag that escapes every value which is not already markup, in content and in quoted attributes alike.
 *
 * @example
 * html`<p title="${label}">${label}</p>`; // a label `<script>` stays a label
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlPart[]): Html {
  let text = parts[0] as string;
  for (let index = 0; index < values.length; index += 1) text += markup(values[index]) + (parts[index + 1] as string);
  return new Html(text);
}

/** Markup made by our own code (an SVG of Vega, a rendered card), to be inserted unescaped. */
export function trusted(text: string): Html {
  return new Html(text);
}

/** An untrusted name: isolated, so that its writing direction cannot move what stands beside it. */
export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Names separated by commas. */
export function names(items: readonly string[]): Html {
  return html`${items.map((item, index) => [index === 0 ? '' : ', ', name(item)])}`;
}

function markup(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return part.map(markup).join('');
}

/** JSON inside a script element: nothing in it can end the element or start a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
