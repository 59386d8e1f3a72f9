import { expect, test } from 'vitest';
import { escapeHtml, escapeLatex, escapeMarkdown, visibleText } from '../../src/cards/escape-text.ts';

const HOSTILE = '<script>alert("x")</script> & \'quote\' \u202eevil\u2066 a|b `c` $d$ \\e{f}_g^h~i #j%k';

test('HTML: no character of a label is markup, and nothing is lost', () => {
  expect(escapeHtml(HOSTILE)).toBe(
    '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;quote&#39; ⟨U+202E⟩evil⟨U+2066⟩ a|b `c` $d$ \\e{f}_g^h~i #j%k',
  );
});

test('Markdown: no character of a label is markup, HTML or a cell border', () => {
  expect(escapeMarkdown(HOSTILE)).toBe(
    '&lt;script>alert("x")&lt;/script> &amp; \'quote\' ⟨U+202E⟩evil⟨U+2066⟩ a\\|b \\`c\\` $d$ \\\\e\\{f\\}\\_g^h\\~i \\#j%k',
  );
  expect(escapeMarkdown('two\nlines')).toBe('two lines');
});

test('LaTeX: no character of a label is a command', () => {
  expect(escapeLatex(HOSTILE)).toBe(
    "\\textless{}script\\textgreater{}alert(\\textquotedbl{}x\\textquotedbl{})\\textless{}/script\\textgreater{} \\& 'quote' $\\langle$U+202E$\\rangle$evil$\\langle$U+2066$\\rangle$ a\\textbar{}b `c` \\$d\\$ \\textbackslash{}e\\{f\\}\\_g\\textasciicircum{}h\\textasciitilde{}i \\#j\\%k",
  );
});

test('text in a script that runs from right to left stays as it is', () => {
  expect(visibleText('غرفة نوم 客厅')).toBe('غرفة نوم 客厅');
});
