import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isTimeZone } from '../resources/declaration/time-zone.ts';
import { DAY, instantAt, wallAt, zoneOf } from './zone.ts';

const MINUTE = 60_000;

// As Temporal does it: slow, and with nothing remembered.
function instantByTemporal(wall: number, timezone: string): number {
  const written = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC');
  const local = written.toPlainDateTime();
  const first = local.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (first.toPlainDateTime().equals(local)) return first.epochMilliseconds;
  return (first.getTimeZoneTransition('next') ?? first).epochMilliseconds;
}

function wallByTemporal(at: number, timezone: string): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return at + zoned.offsetNanoseconds / 1e6;
}

const changing = [
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Nuuk',
  'Asia/Gaza',
];
const year = (number: number) => Temporal.Instant.from(`${number}-01-01T00:00Z`).epochMilliseconds;
const someZone = fc.oneof(
  fc.constantFrom(...changing),
  fc.constantFrom(...Intl.supportedValuesOf('timeZone'), '+05:30', 'UTC'),
);
const someMinute = fc
  .integer({ min: year(1880) / MINUTE, max: year(2100) / MINUTE })
  .map((minute) => minute * MINUTE);

/** Every change of a zone's clock in the years that matter. */
function changesOf(timezone: string): readonly number[] {
  const changes: number[] = [];
  let zoned = Temporal.Instant.from('1880-01-01T00:00Z').toZonedDateTimeISO(timezone);
  for (;;) {
    const next = zoned.getTimeZoneTransition('next');
    if (!next || next.year > 2050) return changes;
    changes.push(next.epochMilliseconds);
    zoned = next;
  }
}

test('local times are what Temporal says, in any zone and year', () => {
  fc.assert(
    fc.property(someZone, someMinute, (timezone, at) => {
      const zone = zoneOf(timezone);
      assert.equal(wallAt(zone, at), wallByTemporal(at, timezone));
      assert.equal(instantAt(zone, at), instantByTemporal(at, timezone));
    }),
    { numRuns: 20_000 },
  );
});

test('around every change of a clock, local times are what Temporal says', () => {
  for (const timezone of changing) {
    const zone = zoneOf(timezone);
    for (const change of changesOf(timezone))
      for (const minutes of [
        -1_500, -90, -61, -60, -31, -30, -1, 0, 1, 29, 30, 59, 60, 61, 1_500,
      ]) {
        const at = change + minutes * MINUTE;
        assert.equal(wallAt(zone, at), wallByTemporal(at, timezone), `${timezone} ${at}`);
        for (const wall of [wallAt(zone, at), wallAt(zone, change - 1) + 1 + minutes * MINUTE])
          assert.equal(instantAt(zone, wall), instantByTemporal(wall, timezone), timezone);
      }
  }
});

test('a later local time is never an earlier instant', () => {
  fc.assert(
    fc.property(someZone, someMinute, fc.nat({ max: 3 * 1_440 }), (timezone, wall, minutes) => {
      const zone = zoneOf(timezone);
      assert.ok(instantAt(zone, wall) <= instantAt(zone, wall + minutes * MINUTE));
    }),
    { numRuns: 5_000 },
  );
});

test('every zone that is accepted can be calculated with', () => {
  const wall = Temporal.Instant.from('2026-03-29T02:30Z').epochMilliseconds;
  const others = ['utc', 'EST5EDT', '+0530', 'Etc/GMT+5', 'europe/berlin'];
  for (const name of [...Intl.supportedValuesOf('timeZone'), ...others])
    assert.ok(isTimeZone(name) && Number.isSafeInteger(instantAt(zoneOf(name), wall)), name);
});

test('the far ends of time have an answer', () => {
  const berlin = zoneOf('Europe/Berlin');
  for (const end of [-8.64e15, 8.64e15])
    for (const at of [end - DAY, end, end + DAY])
      assert.ok(Math.abs(instantAt(berlin, wallAt(berlin, at)) - at) <= DAY, `${at}`);
});
