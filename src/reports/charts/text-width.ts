/** Classes of letters and their widths in font sizes, first match first; the page measures by the same table. */
export const LETTER_WIDTHS: readonly (readonly [string, number])[] = [
  ["[iljtfr.,:;'|!()[\\] \\-·]", 0.38],
  ['[mwMW@%−+<>=~]', 0.88],
  ['[A-Z&]', 0.7],
  ['[\\u2e80-\\u{10ffff}]', 1],
  ['[^]', 0.61],
];

const CLASSES = LETTER_WIDTHS.map(([letters, width]) => [new RegExp(letters, 'u'), width] as const);

/**
 * Width of a text in px at a font size, close to the sans-serif faces of common systems and a little on the wide side, so
 * that a label is rarely cut although the server has no font to measure with.
 */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const mark of text) width += CLASSES.find(([letters]) => letters.test(mark))?.[1] ?? 0;
  return width * fontSize;
}
