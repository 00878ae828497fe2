import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dialed,
  prefixPattern,
  reasonAgainstNewNumber,
  reasonAgainstNumber,
} from './phone-prefixes.ts';

const numbers: readonly (readonly [
  number: string,
  allowed: readonly string[],
  reason: RegExp | null,
])[] = [
  ['+4915112345678', ['+49'], null],
  ['+4915112345678', ['+33', '+4915'], null],
  ['+4915112345678', ['+33', '+4917'], /no prefix that an admin/],
  ['+4915112345678', [], /no prefix that an admin/],
  ['+12125550123', ['+1'], null],
  ['+14165550123', ['+1'], null],
  ['+18765550123', ['+1'], /\+1876/],
  ['+18765550123', ['+1', '+18'], /\+1876/],
  ['+18765550123', ['+1', '+1876'], null],
  ['+18765550123', ['+1876'], null],
  ['+18095550123', ['+1', '+1876'], /\+1809/],
  ['+19005550123', ['+1'], /\+1900/],
  ['+12125550123', ['+1876'], /no prefix that an admin/],
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

const premium: readonly (readonly [number: string, allowed: readonly string[], RegExp | null])[] = [
  ['+4915112345678', ['+49'], null],
  ['+4990012345678', ['+49'], /\+49900, a premium-rate prefix that \+49 does not include/],
  ['+4990012345678', ['+49', '+4990'], /that \+4990 does not include/],
  ['+4990012345678', ['+49', '+49900'], null],
  ['+4990012345678', ['+499001'], null],
  ['+491805123456', ['+49'], /allow \+49180 separately/],
  ['+491806123456', ['+49'], /allow \+49180 separately/],
  ['+491806123456', ['+49', '+491806'], null],
  ['+449012345678', ['+44'], /\+449/],
  ['+447700900123', ['+44'], null],
  ['+33891234567', ['+33'], /\+3389/],
  ['+33612345678', ['+33'], null],
  ['+39899123456', ['+39'], /\+3989/],
  ['+393471234567', ['+39'], null],
  ['+19005550123', ['+1'], /\+1900/],
  ['+19005550123', ['+1900'], null],
  ['+41791234567', ['+41'], null],
  ['+41900123456', ['+41'], /\+41900/],
  ['+4990012345678', [], /no prefix that an admin/],
];
for (const [number, allowed, reason] of premium)
  test(`${number}, not proved yet, with ${allowed.join(' ') || 'nothing'} allowed`, () => {
    const actual = reasonAgainstNewNumber(number, allowed);
    if (reason === null) assert.equal(actual, null);
    else assert.match(actual ?? '', reason);
  });

test('a premium number that was proved before stays', () =>
  assert.equal(reasonAgainstNumber('+4990012345678', ['+49']), null));

test('what is never called cannot be allowed', () => {
  const pattern = new RegExp(prefixPattern, 'u');
  for (const prefix of ['+49', '+1', '+8', '+88', '+1876', '+971'])
    assert.match(prefix, pattern, prefix);
  for (const prefix of ['+', '49', '+0', '+881', '+8829', '+979', '+49 151'])
    assert.doesNotMatch(prefix, pattern, prefix);
});

test('a number is dialed as it is from abroad, however people write it', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['+49 (0)151 23456789', '+4915123456789'],
    ['+44 (0)20 7946 0000', '+442079460000'],
    ['+41 (0) 44 668 18 00', '+41446681800'],
    ['+39 (0)6 1234 5678', '+390612345678'],
    ['+1 (212) 555-0100', '+12125550100'],
    ['0049-30-123456', '+4930123456'],
    ['tel:+33.1.23.45.67.89', '+33123456789'],
    ['＋49 30 123456', '+4930123456'],
    ['+49\u00a030\u2013123456', '+4930123456'],
    ['+4930123456', '+4930123456'],
    ['+49 (0) 30 / 123 456-7', '+49301234567'],
    ['+49 [0]30 1234567', '+49301234567'],
    ['\u202a+48 22\u00a0123\u201145\u201167\u202c', '+48221234567'],
    [' +39 06 1234567 ', '+39061234567'],
  ];
  for (const [written, number] of cases) assert.equal(dialed(written), number, written);
  for (const other of [
    '030 123456',
    '+49 30 123456 ext. 7',
    '+49',
    'tel',
    '+44 20 CALL ME',
    '++49 30 123456',
    '',
  ])
    assert.equal(dialed(other), other);
});
