import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTelegramHtml, readTelegramText } from './telegram-html.ts';

for (const [html, expected] of [
  ['<b>a', `Can't find end tag corresponding to start tag "b"`],
  ['ä</b>', 'Unexpected end tag at byte offset 2'],
  ['<b>a</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ['<db-1>', 'Unclosed start tag at byte offset 0'],
  ['a <x>', 'Unsupported start tag "x" at byte offset 2'],
  ['1 < 2', 'Unclosed start tag at byte offset 2'],
] as const)
  test(`Telegram refuses ${html}`, () => {
    assert.equal(readTelegramHtml(html), expected);
  });

test('Telegram reads tags, entities and links, and trims', () => {
  assert.deepEqual(
    readTelegramHtml(
      ' <b>a &lt;&#39;&amp;amp;&nbsp;</b>\n<a href="https://x.example/?a&amp;b">🔥</a> ',
    ),
    {
      text: `a <'&amp;&nbsp;\n🔥`,
      entities: [
        { type: 'bold', offset: 0, length: 15 },
        { type: 'text_link', offset: 16, length: 2, url: 'https://x.example/?a&b' },
      ],
    },
  );
});

test('a link to what has no public name is its text alone', () => {
  assert.deepEqual(readTelegramHtml('<a href="http://localhost/">x</a>'), {
    text: 'x',
    entities: [],
  });
});

test('mentions and commands are seen unless they stand in code or a link', () => {
  const html =
    '@ada /start <code>@ada /start</code> <pre>@ada</pre> <a href="https://x.example">@ada</a>';
  const read = readTelegramHtml(html);
  assert.ok(typeof read !== 'string');
  assert.deepEqual(
    read.entities.filter(({ offset }) => offset < 12),
    [
      { type: 'mention', offset: 0, length: 4 },
      { type: 'bot_command', offset: 5, length: 6 },
    ],
  );
  assert.equal(read.entities.length, 5);
  assert.deepEqual(readTelegramText('a@b <b> and/or @\u200bada').entities, []);
});
