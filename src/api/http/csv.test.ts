import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

const rows: readonly (readonly [Parameters<typeof csvLine>[0], string])[] = [
  [['a', 1, true, null, undefined], 'a,1,true,,'],
  [['say "hi"', 'a, b', 'two\nlines'], '"say ""hi""","a, b","two\nlines"'],
  [['=1+1', '+49', '-1', '@sum', '\tx', '\rx'], `'=1+1,'+49,'-1,'@sum,'\tx,"'\rx"`],
  [['=HYPERLINK("https://evil.test")'], `"'=HYPERLINK(""https://evil.test"")"`],
  [[-1, 'a-b', '…5678'], '-1,a-b,…5678'],
];

for (const [cells, line] of rows)
  test(`a line of CSV is what spreadsheets read, and runs nothing: ${JSON.stringify(cells)}`, () =>
    assert.equal(csvLine(cells), `${line}\r\n`));
