// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach a reader's screen
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Untrusted text made visible: control characters, zero-width characters and marks that change the direction of what
 * follows are shown as their code point, so a label cannot reorder or hide its neighbours.
 */
export function visibleText(text: string): string {
  return text.replace(
    INVISIBLE,
    (mark) => `⟨U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}

/** Text as HTML content or attribute value. */
export function escapeHtml(text: string): string {
  return visibleText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Text inside a Markdown paragraph or table cell: nothing in it becomes markup, HTML or a cell border. */
export function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_{}[\]#|~]/g, (mark) => `\\${mark}`);
}

const LATEX: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  '−': '$-$',
  '–': '--',
  '…': '\\ldots{}',
  '≈': '$\\approx$',
  '×': '$\\times$',
  '⟨': '$\\langle$',
  '⟩': '$\\rangle$',
};

/** Text inside a LaTeX document: no character of it is a command. */
export function escapeLatex(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\{}$&#%_^~<>|"−–…≈×⟨⟩]/g, (mark) => LATEX[mark] ?? mark);
}
