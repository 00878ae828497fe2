import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, count, days, type Limit, MIB, milliseconds, seconds } from './limit.ts';
import { formatValue, limitsTables } from './table.ts';

test('a limit is shown as people say it', () => {
  const shown = (limit: (value: number, of: string, beyond: string) => Limit, value: number) =>
    formatValue(limit(value, '', ''));
  assert.deepEqual(
    [
      shown(count, 10_000),
      shown(bytes, 16_384),
      shown(bytes, 128 * MIB),
      shown(milliseconds, 250),
      shown(milliseconds, 660_000),
      shown(seconds, 60),
      shown(seconds, 86_400),
      shown(days, 14),
    ],
    ['10,000', '16 KiB', '128 MiB', '250 ms', '11 min', '1 min', '24 h', '14 days'],
  );
});

test('every row says what is limited and what happens beyond, and breaks no table', () => {
  const rows = limitsTables()
    .split('\n')
    .filter((line) => line.startsWith('| '));
  assert.ok(rows.length > 10);
  for (const row of rows) assert.match(row, /^\| [^|]*\S \| [^|]*\S \| [^|]*\S \|$/);
});
