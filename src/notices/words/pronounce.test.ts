import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../../resources/language.ts';
import { spoken, spokenDigits, spokenNumber } from './pronounce.ts';

const cases: readonly (readonly [text: string, spoken: string])[] = [
  ['db-1 disk 98% > 90%', 'db dash 1 disk 98 percent greater than 90 percent'],
  ['Disk full on <db-1>', 'Disk full on db dash 1'],
  ['Acknowledged: INC-42.', 'Acknowledged: I N C, 42.'],
  ['There is no INC-1', 'There is no I N C, 1'],
  ['ZINC-42 and inc-42', 'ZINC dash 42 and inc dash 42'],
  [
    'HTTPServer latencyHigh 1.5ms >= 1 s',
    'HTTP Server latency High 1.5 milliseconds at least 1 second',
  ],
  ['KubePodCrashLooping', 'Kube Pod Crash Looping'],
  ['pod api-7d9f8b6c5d crashed', 'pod api crashed'],
  ['550e8400-e29b-41d4-a716-446655440000 failed', 'failed'],
  ['trace 0x7ffe12 and 1795240800000', 'trace and'],
  ['deadbeef and facade', 'deadbeef and facade'],
  ['see https://grafana.example.com/d/1?x=1 now', 'see now'],
  ['www.example.com is down', 'is down'],
  ['node.example.com is down', 'node dot example dot com is down'],
  ['3 GB/s and 12 req/min', '3 gigabytes per second and 12 requests per minute'],
  ['for 5m, 1 h, 250us', 'for 5 minutes, 1 hour, 250 microseconds'],
  ['-5 °C', 'minus 5 degrees Celsius'],
  ['a < b <= c != d', 'a less than b at most c is not d'],
  ['ready -> failed', 'ready to failed'],
  ['foo=bar & co', 'foo equals bar and co'],
  ['a_b_c [prod] (x) *|~', 'a b c prod x'],
  ['read-only on /var/log', 'read only on slash var slash log'],
  ['since 2026-11-28 09:00', 'since 28 November 2026 09:00'],
  ['5xx rate', '5xx rate'],
  ["can't reach it!!!", "can't reach it!"],
  ['\u202eevil\u0007 \ud800', 'evil'],
  ['', ''],
];

for (const [text, expected] of cases)
  test(`"${text}" is read as "${expected}"`, () => assert.equal(spoken(text), expected));

const inLanguages: readonly (readonly [Language, text: string, spoken: string])[] = [
  ['de', 'db-1 disk 98.5% > 90%', 'db Strich 1 disk 98,5 Prozent größer als 90 Prozent'],
  ['fr', 'db-1 disk 98.5% > 90%', 'db tiret 1 disk 98,5 pour cent supérieur à 90 pour cent'],
  ['es', 'db-1 disk 98.5% > 90%', 'db guion 1 disk 98,5 por ciento mayor que 90 por ciento'],
  ['de', '3 GB/s & 1 h', '3 Gigabyte pro Sekunde und 1 Stunde'],
  ['fr', '3 GB/s & 1 h', '3 gigaoctets par seconde et 1 heure'],
  ['es', '3 GB/s & 1 h', '3 gigabytes por segundo y 1 hora'],
  ['de', 'since 2026-11-28 09:00', 'since 28. November 2026 09:00'],
  ['fr', 'since 2026-11-28 09:00', 'since 28 novembre 2026 09:00'],
  ['es', 'since 2026-11-28 09:00', 'since 28 de noviembre de 2026 09:00'],
  ['de', 'Bestätigt: INC-42.', 'Bestätigt: I N C, 42.'],
];
for (const [language, text, expected] of inLanguages)
  test(`"${text}" is read in ${language} as "${expected}"`, () =>
    assert.equal(spoken(text, language), expected));

test('a number is read by the voice in other languages, and digit by digit from a million on', () => {
  assert.deepEqual(
    [spokenNumber(342, 'de'), spokenNumber(1_234_567, 'fr')],
    ['342', '1, 2, 3, 4, 5, 6, 7'],
  );
});

for (const [number, expected] of [
  [7, 'seven'],
  [13, 'thirteen'],
  [40, 'forty'],
  [42, 'forty-two'],
  [100, 'one hundred'],
  [342, 'three hundred forty-two'],
  [1_001, 'one thousand one'],
  [12_345, 'twelve thousand three hundred forty-five'],
  [999_999, 'nine hundred ninety-nine thousand nine hundred ninety-nine'],
  [1_234_567, '1, 2, 3, 4, 5, 6, 7'],
] as const)
  test(`${number} is read as "${expected}"`, () => assert.equal(spokenNumber(number), expected));

test('a code is read digit by digit', () => {
  assert.equal(spokenDigits('042137'), '0, 4, 2, 1, 3, 7');
});
