import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cell, tableText } from './table.ts';

const headings = ['ONE', 'TWO', 'THREE'];

function render(rows: readonly (readonly Cell[])[], change: object = {}) {
  const { overflow = 'cut', ...terminal }: { overflow?: 'cut' | 'wrap' } = change;
  return tableText(
    { headings, rows, overflow },
    {
      write() {},
      writeError() {},
      zone: 'UTC',
      columns: null,
      hasColours: false,
      ...terminal,
    },
  ).split('\n');
}

test('columns are as wide as what is in them, and nothing is cut in a pipe', () => {
  assert.deepEqual(render([['a', 'long word', 'x'.repeat(200)]]), [
    'ONE  TWO        THREE',
    `a    long word  ${'x'.repeat(200)}`,
    '',
  ]);
});

test('on a terminal the widest columns give way, as far as its width', () => {
  assert.deepEqual(render([['a', 'b', 'words without an end']], { columns: 20 }), [
    'ONE  TWO  THREE',
    'a    b    words wit…',
    '',
  ]);
  assert.deepEqual(render([['a', '支付支付支付', 'end']], { columns: 18 }), [
    'ONE  TWO       THREE',
    'a    支付支…   end',
    '',
  ]);
});

test('a story goes on below', () => {
  const rows = [['a', 'b', 'one two three four']];
  assert.deepEqual(render(rows, { columns: 20, overflow: 'wrap' }), [
    'ONE  TWO  THREE',
    'a    b    one two',
    '          three four',
    '',
  ]);
});

test('only our own colours reach the terminal, and no line breaks', () => {
  const cell = { text: 'a\u001b[2J\n\u202eb', colour: 'red' } as const;
  const [, line] = render([[cell, '', '']], { hasColours: true });
  assert.equal(line, '\u001b[31ma \\u{202e}b\u001b[39m');
});
