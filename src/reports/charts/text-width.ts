/**
 * Width of a text in px at a font size, close to the sans-serif faces of common systems and a little on the wide side, so
 * that a label is rarely cut although the server has no font to measure with.
 */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const mark of text) width += advance(mark);
  return width * fontSize;
}

function advance(mark: string): number {
  if (/[iljtfr.,:;'|!()[\] \-·]/.test(mark)) return 0.38;
  if (/[mwMW@%−+<>=~]/.test(mark)) return 0.88;
  if (/[A-Z&]/.test(mark)) return 0.7;
  if (mark.codePointAt(0) !== undefined && (mark.codePointAt(0) as number) >= 0x2e80) return 1;
  return 0.61;
}
