import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutIn, encodingOf, inGsm7, isGsm7, lengthIn, segmentsOf } from './gsm7.ts';

const mapped: readonly (readonly [text: string, mapped: string])[] = [
  ['“Disk full” – it’s 5 → 3…', '"Disk full" - it\'s 5 -> 3...'],
  ['à ä é ß Ñ €', 'à ä é ß Ñ €'],
  ['garçon, être, Łódź, Œuvre', 'garcon, etre, Lodz, OEuvre'],
  ['a\u00a0b', 'a b'],
  ['e\u0301', 'é'],
  ['½ ² ™ © ① ﬁ Ａ', '1/2 2 TM (c) 1 fi A'],
  ['🔥 down 🇩🇪 1️⃣', ' down 🇩🇪 1'],
  ['👩‍💻', ''],
  ['磁盘已满', '磁盘已满'],
  ['Диск', 'Диск'],
];

for (const [text, expected] of mapped)
  test(`"${text}" is sent as "${expected}"`, () => assert.equal(inGsm7(text), expected));

const counted: readonly (readonly [name: string, text: string, segments: number])[] = [
  ['nothing', '', 1],
  ['160 of GSM-7', 'a'.repeat(160), 1],
  ['161 of GSM-7', 'a'.repeat(161), 2],
  ['306 of GSM-7', 'a'.repeat(306), 2],
  ['307 of GSM-7', 'a'.repeat(307), 3],
  ['80 that take two', '€'.repeat(80), 1],
  ['81 that take two', '€'.repeat(81), 2],
  ['154 that take two, none divided', '€'.repeat(153), 3],
  ['70 of UCS-2', '漢'.repeat(70), 1],
  ['71 of UCS-2', '漢'.repeat(71), 2],
  ['one other character in GSM-7', `${'a'.repeat(70)}漢`, 2],
  ['35 emoji', '🔥'.repeat(35), 1],
  ['36 emoji', '🔥'.repeat(36), 2],
];

for (const [name, text, segments] of counted)
  test(`${name}: ${segments}`, () => assert.equal(segmentsOf(text), segments));

test('a text is cut to a length, at a character, and says so', () => {
  const gsm = encodingOf('a');
  assert.equal(cutIn(gsm, 'abcdefgh', 8), 'abcdefgh');
  assert.equal(cutIn(gsm, 'abcd efgh', 8), 'abcd...');
  assert.equal(cutIn(gsm, '€€€€', 7), '€€...');
  assert.equal(cutIn(gsm, 'abcd', 3), '');
  const ucs = encodingOf('漢');
  assert.equal(cutIn(ucs, '🔥🔥🔥', 5), '🔥🔥…');
  assert.equal(lengthIn(ucs, '🔥🔥…'), 5);
  assert.ok(!isGsm7('ç'));
});
