import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Anchor, anchorOf, type Rotation, turnsOf } from './rotation.ts';
import { zoneOf } from './zone.ts';

const instant = (text: string) => Temporal.Instant.from(text);

function turnAt(rotation: Rotation & { anchor: Anchor }, timezone: string, at: Temporal.Instant) {
  return turnsOf(rotation, zoneOf(timezone))(at.epochMilliseconds).index;
}

test('the first turn ends at the first boundary after the creation', () => {
  const daily = { length: 1, unit: 'days', handoff: '09:00' } as const;
  const weekly = { length: 2, unit: 'weeks', handoff: '09:00', handoff_day: 'wednesday' } as const;
  const cases = [
    {
      claim: 'the same day',
      rotation: daily,
      at: '2026-03-04T07:00Z',
      want: '2026-03-04T08:00:00Z',
      turn: 1,
    },
    {
      claim: 'the next day',
      rotation: daily,
      at: '2026-03-04T08:30Z',
      want: '2026-03-05T08:00:00Z',
      turn: 1,
    },
    {
      claim: 'on it',
      rotation: daily,
      at: '2026-03-04T08:00Z',
      want: '2026-03-04T08:00:00Z',
      turn: 0,
    },
    {
      claim: 'the same wednesday',
      rotation: weekly,
      at: '2026-03-04T07:59Z',
      want: '2026-03-04T08:00:00Z',
      turn: 1,
    },
    {
      claim: 'on the wednesday',
      rotation: weekly,
      at: '2026-03-04T08:00Z',
      want: '2026-03-04T08:00:00Z',
      turn: 0,
    },
    {
      claim: 'short of two weeks',
      rotation: weekly,
      at: '2026-03-05T12:00Z',
      want: '2026-03-11T08:00:00Z',
      turn: 1,
    },
  ];
  for (const { claim, rotation, at, want, turn } of cases) {
    const anchor = anchorOf(rotation, 'Europe/Berlin', instant(at));
    assert.deepEqual([anchor.at.toString(), anchor.turn], [want, turn], claim);
  }
  const monday = anchorOf({ length: 1, unit: 'weeks' }, 'UTC', instant('2026-03-04T07:59Z'));
  assert.equal(monday.at.toString(), '2026-03-09T00:00:00Z');
});

test('a skipped handoff is the end of the gap, a doubled one its first occurrence', () => {
  const cases = [
    { zone: 'Europe/Berlin', handoff: '02:30', day: '2026-03-29', want: '2026-03-29T01:00:00Z' },
    { zone: 'Europe/Berlin', handoff: '02:30', day: '2026-10-25', want: '2026-10-25T00:30:00Z' },
    { zone: 'Africa/Cairo', handoff: '00:00', day: '2026-04-24', want: '2026-04-23T22:00:00Z' },
    {
      zone: 'Australia/Lord_Howe',
      handoff: '02:15',
      day: '2026-10-04',
      want: '2026-10-03T15:30:00Z',
    },
    {
      zone: 'Australia/Lord_Howe',
      handoff: '01:45',
      day: '2026-04-05',
      want: '2026-04-04T14:45:00Z',
    },
    { zone: 'Asia/Kathmandu', handoff: '00:05', day: '1986-01-01', want: '1985-12-31T18:30:00Z' },
    { zone: 'America/Toronto', handoff: '23:45', day: '1919-03-30', want: '1919-03-31T04:30:00Z' },
  ];
  for (const { zone, handoff, day, want } of cases) {
    const rotation = { length: 1, unit: 'days', handoff } as const;
    const before = instant(want).subtract({ hours: 5 });
    const anchor = anchorOf(rotation, zone, before);
    assert.equal(anchor.at.toString(), want, `${zone} ${day}`);
    const turn = (at: Temporal.Instant) => turnAt({ ...rotation, anchor }, zone, at);
    assert.equal(turn(instant(want).subtract({ seconds: 1 })), 0, zone);
    assert.equal(turn(instant(want)), 1, zone);
    assert.equal(turn(instant(want).add({ hours: 50 })), 3, zone);
  }
});

test('a turn whose day the zone skipped counts but has no time', () => {
  const rotation = { length: 1, unit: 'days' } as const;
  const zone = 'Pacific/Apia';
  const anchor = anchorOf(rotation, zone, instant('2011-12-28T15:00Z'));
  const turn = (at: string) => turnAt({ ...rotation, anchor }, zone, instant(at));
  assert.deepEqual(
    ['2011-12-29T09:00Z', '2011-12-30T09:59Z', '2011-12-30T10:00Z', '2011-12-31T10:00Z'].map(turn),
    [0, 1, 3, 4],
  );
});

test('a thousand years on, the answer takes no scan', () => {
  const rotation = { length: 3, unit: 'days' } as const;
  const anchor = anchorOf(rotation, 'America/New_York', instant('2026-01-01T12:00Z'));
  const turn = turnAt({ ...rotation, anchor }, 'America/New_York', instant('3026-01-02T12:00Z'));
  assert.equal(turn, 1 + Math.floor(365_243 / 3));
});
