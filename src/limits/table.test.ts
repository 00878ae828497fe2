import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, count, days, type Limit, MIB, milliseconds, seconds } from './limit.ts';
import { formatValue, limitsTables } from './table.ts';

test('a limit is shown as people say it', () => {
  const formatted = (limit: (value: number, of: string, beyond: string) => Limit, value: number) =>
    formatValue(limit(value, '', ''));
  assert.deepEqual(
    [
      formatted(count, 10_000),
      formatted(bytes, 16_384),
      formatted(bytes, 128 * MIB),
      formatted(milliseconds, 250),
      formatted(milliseconds, 660_000),
      formatted(seconds, 60),
      formatted(seconds, 86_400),
      formatted(days, 14),
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
