import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oncall from '../../oncall/zone.ts';
import { instantAt, wallAt } from './clock.ts';

const MINUTE = 60_000;
const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Etc/UTC'],
  ...['America/Santiago', 'Africa/Cairo', 'Pacific/Apia', 'Asia/Beirut', 'Atlantic/Azores'],
  ...['Africa/Casablanca', 'Pacific/Chatham', 'America/St_Johns', 'Antarctica/Troll'],
];

/** The days at which clocks move, and those around them. */
function* timesOf(zone: string): Generator<number> {
  let zoned = Temporal.Instant.from('2026-01-01T00:00Z').toZonedDateTimeISO(zone);
  for (let count = 0; count < 6; count += 1) {
    const next = zoned.getTimeZoneTransition('next');
    if (next === null) return;
    zoned = next;
    const at = next.epochMilliseconds;
    for (let minutes = -27 * 60; minutes <= 27 * 60; minutes += 15) yield at + minutes * MINUTE;
    yield at - 1;
  }
}

test('the clock is that of src/oncall where clocks move, and where times are skipped or come twice', () => {
  for (const name of zones) {
    const zone = oncall.zoneOf(name);
    const usual = Date.parse('2026-06-01T12:34:56.789Z');
    for (const at of [usual, ...timesOf(name)]) {
      const wall = wallAt(name, at);
      assert.equal(wall, oncall.wallAt(zone, at), `${name} ${new Date(at).toISOString()}`);
      for (const local of [wall, wall + 30 * MINUTE, wall - 45 * MINUTE])
        assert.equal(
          instantAt(name, local),
          oncall.instantAt(zone, local),
          `${name} ${new Date(local).toISOString()}`,
        );
    }
  }
});
