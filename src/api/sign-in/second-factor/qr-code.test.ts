import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { qrCode, qrPath } from './qr-code.ts';

/** Each was read back by another program. */
const read = [
  [1, '0f9515f59e9959a2'],
  [60, '3075b19de6c3b9a8'],
  [150, 'a9ba414b03a5994f'],
  [330, '8824dff37aa885b7'],
] as const;

const textOf = (length: number) =>
  Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 7 + length) % 90))).join(
    '',
  );

test('codes are those that another program has read', () => {
  for (const [length, hash] of read) assert.equal(hashOf(textOf(length)), hash, `${length}`);
});

test('a path has all dark modules, within a quiet zone', () => {
  const { size, path } = qrPath('otpauth://totp/Pager');
  const rows = qrCode('otpauth://totp/Pager');
  assert.equal(size, rows.length + 8);
  const widths = [...path.matchAll(/h(\d+)v1/g)].map(([, width]) => Number(width));
  assert.equal(
    widths.reduce((sum, width) => sum + width, 0),
    rows.flat().filter(Boolean).length,
  );
});

test('what no code can hold is refused', () => {
  assert.throws(() => qrCode('x'.repeat(400)), /too long/);
});

const hashOf = (text: string) =>
  createHash('sha256')
    .update(
      qrCode(text)
        .map((row) => row.map(Number).join(''))
        .join('\n'),
    )
    .digest('hex')
    .slice(0, 16);
