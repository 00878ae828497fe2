import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textOfHtml } from './html-text.ts';

test('only what a person would see is kept', () => {
  const cases = [
    { html: '<p>one</p><p>two</p>', want: 'one\n\ntwo' },
    { html: 'a<br>b<br/>c', want: 'a\nb\nc' },
    { html: '<td>a</td><td>b</td>', want: 'a b' },
    { html: '<b>bo</b>ld\n  and   thin', want: 'bold and thin' },
    { html: '<script>alert("<p>")</script>x<style>p{}</style>', want: 'x' },
    { html: '<!-- <p>no</p> -->yes', want: 'yes' },
    { html: '<head><title>no</title></head>yes', want: 'yes' },
    {
      html: 'a &lt;b&gt; &amp;amp; &#65;&#x42; &euro; &unknown; &#0;',
      want: 'a <b> &amp; AB € &unknown; \ufffd',
    },
    { html: '5 < 6 and 7 > 6', want: '5 < 6 and 7 > 6' },
    { html: 'cut <a href="x', want: 'cut' },
    { html: '<script>never closed', want: '' },
  ];
  for (const { html, want } of cases) assert.equal(textOfHtml(html), want, html);
});

test('whatever it is given, it answers with text', () => {
  const piece = fc.constantFrom('<', '>', '&', '&#', ';', '<!--', '-->', '<p', '</', 'script', 'a');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      assert.ok(textOfHtml(pieces.join('')).isWellFormed());
    }),
  );
});
