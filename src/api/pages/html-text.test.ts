import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textOfHtml } from './html-text.ts';

test('only what a person would see is kept', () => {
  const cases = [
    { given: '<p>one</p><p>two</p>', want: 'one\n\ntwo' },
    { given: 'a<br>b<br/>c', want: 'a\nb\nc' },
    { given: '<td>a</td><td>b</td>', want: 'a b' },
    { given: '<b>bo</b>ld\n  and   thin', want: 'bold and thin' },
    { given: '<script>alert("<p>")</script>x<style>p{}</style>', want: 'x' },
    { given: '<!-- <p>no</p> -->yes', want: 'yes' },
    { given: '<head><title>no</title></head>yes', want: 'yes' },
    {
      given: 'a &lt;b&gt; &amp;amp; &#65;&#x42; &euro; &unknown; &#0;',
      want: 'a <b> &amp; AB € &unknown; \ufffd',
    },
    { given: '5 < 6 and 7 > 6', want: '5 < 6 and 7 > 6' },
    { given: 'cut <a href="x', want: 'cut' },
    { given: '<script>never closed', want: '' },
  ];
  for (const { given, want } of cases) assert.equal(textOfHtml(given), want, given);
});

test('whatever it is given, it answers with text', () => {
  const piece = fc.constantFrom('<', '>', '&', '&#', ';', '<!--', '-->', '<p', '</', 'script', 'a');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      assert.ok(textOfHtml(pieces.join('')).isWellFormed());
    }),
  );
});
