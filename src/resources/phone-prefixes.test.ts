import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefixPattern, reasonAgainstNumber } from './phone-prefixes.ts';

const numbers: readonly (readonly [
  number: string,
  allowed: readonly string[],
  reason: RegExp | null,
])[] = [
  ['+4915112345678', ['+49'], null],
  ['+4915112345678', ['+33', '+4915'], null],
  ['+4915112345678', ['+33', '+4917'], /none of the prefixes/],
  ['+4915112345678', [], /none of the prefixes/],
  ['+12125550123', ['+1'], null],
  ['+14165550123', ['+1'], null],
  ['+18765550123', ['+1'], /\+1876/],
  ['+18765550123', ['+1', '+18'], /\+1876/],
  ['+18765550123', ['+1', '+1876'], null],
  ['+18765550123', ['+1876'], null],
  ['+18095550123', ['+1', '+1876'], /\+1809/],
  ['+19005550123', ['+1'], /\+1900/],
  ['+12125550123', ['+1876'], /none of the prefixes/],
  ['+1212555012', ['+1'], /ten digits/],
  ['+121255501234', ['+1212'], /ten digits/],
  ['+88161234567', ['+8', '+88'], /\+881/],
  ['+882161234567', ['+882'], /\+882/],
  ['+883510001234', ['+8'], /\+883/],
  ['+979112345678', ['+9'], /\+979/],
  ['+97012345678', ['+97'], null],
];
for (const [number, allowed, reason] of numbers)
  test(`${number} with ${allowed.join(' ') || 'nothing'} allowed: ${reason ?? 'it may'}`, () => {
    const actual = reasonAgainstNumber(number, allowed);
    if (reason === null) assert.equal(actual, null);
    else assert.match(actual ?? '', reason);
  });

test('what is never called cannot be allowed', () => {
  const pattern = new RegExp(prefixPattern, 'u');
  for (const prefix of ['+49', '+1', '+8', '+88', '+1876', '+971'])
    assert.match(prefix, pattern, prefix);
  for (const prefix of ['+', '49', '+0', '+881', '+8829', '+979', '+49 151'])
    assert.doesNotMatch(prefix, pattern, prefix);
});
