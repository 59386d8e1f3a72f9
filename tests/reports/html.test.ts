import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, name, names, scriptJson, trusted } from '../../src/reports/html.ts';

test('values are escaped, markup is kept, lists are joined, nothing is nothing', () => {
  const part = html`<b>${'<i>'}</b>`;
  expect(html`<p title="${'a"b'}">${part}${[1, '&', null, undefined, false]}${trusted('<hr>')}</p>`.text).toBe(
    '<p title="a&quot;b"><b>&lt;i&gt;</b>1&amp;<hr></p>',
  );
});

test('names are isolated and separated', () => {
  expect(names(['a', '<b>']).text).toBe('<bdi>a</bdi>, <bdi>&lt;b&gt;</bdi>');
});

test('no text becomes markup, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inside = name(text).text.slice('<bdi>'.length, -'</bdi>'.length);
      return !/[<>"']/.test(inside) && !/&(?!amp;|lt;|gt;|quot;|#39;)/.test(inside);
    }),
  );
});

test('JSON in a script element cannot end it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      const json = scriptJson({ value, text: `${text}</script><!--\u2028` });
      return (
        !/<|\u2028|\u2029/.test(json) &&
        JSON.stringify(JSON.parse(json)) === JSON.stringify({ value, text: `${text}</script><!--\u2028` })
      );
    }),
  );
});
