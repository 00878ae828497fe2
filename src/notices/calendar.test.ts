import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { type Declared, type DeclaredLayer, editLayers } from '../oncall/revisions/edits.ts';
import { type OverrideVersion, scheduleAsOf } from '../oncall/revisions/history.ts';
import type { Revision } from '../oncall/schedule.ts';
import { shiftAt, shiftsIn } from '../oncall/shifts.ts';
import {
  type Calendar,
  type CalendarSchedule,
  calendarInterval,
  calendarOf,
  entriesOf,
} from './calendar.ts';
import { timeValue } from './icalendar.ts';

const instant = (text: string) => Temporal.Instant.from(text);
const now = instant('2026-03-20T12:34:56.789Z');
const interval = calendarInterval(now);

type Save = Declared & { readonly at: Temporal.Instant; readonly archived?: boolean };

function buildHistory(saves: readonly Save[], overrides: readonly OverrideVersion[] = []) {
  const revisions: (Revision & { edit: number })[] = [];
  const ids = Array.from({ length: 20 }, (_, index) => `layer${index + 1}`);
  const nextId = () => ids.shift() ?? 'none';
  for (const { at, archived = false, ...after } of saves) {
    const before = revisions.at(-1) ?? null;
    const isActive = () => true;
    const layers = editLayers({ before, past: revisions, after, now: at, isActive, nextId });
    const { timezone } = after;
    revisions.push({ edit: revisions.length + 1, from: at, archived, timezone, layers });
  }
  const schedule: CalendarSchedule = {
    id: 'payments',
    name: 'Payments',
    timezone: revisions.at(-1)?.timezone ?? 'Etc/UTC',
    history: { revisions, overrides },
    created_at: instant('2026-03-19T08:00Z'),
    edits: revisions.length,
    changedAt: instant('2026-03-19T08:00Z'),
  };
  return schedule;
}

const daily = (options: { users?: string[]; handoff?: string } = {}): DeclaredLayer => {
  const { users = ['ada', 'bob'], handoff = '09:00' } = options;
  return { users, rotation: { unit: 'days', length: 1, handoff } };
};
const berlin = (at: string, ...layers: DeclaredLayer[]): Save => ({
  at: instant(at),
  timezone: 'Europe/Berlin',
  layers,
});

function override(options: Partial<OverrideVersion> = {}): OverrideVersion {
  return {
    id: 'swap',
    user_id: 'eve',
    start: instant('2026-04-02T12:00Z'),
    end: instant('2026-04-02T18:00Z'),
    edit: 2,
    in_force_from: instant('2026-03-19T08:00Z'),
    ended: null,
    ...options,
  };
}

function calendar(schedule: CalendarSchedule, options: Partial<Calendar> = {}): Calendar {
  return {
    name: `On call: ${schedule.name}`,
    timezone: schedule.timezone,
    isPersonal: false,
    entries: entriesOf(schedule, interval),
    people: new Map([
      ['ada', 'Ada Lovelace'],
      ['bob', 'Bob Example'],
    ]),
    peopleChangedAt: new Map(),
    comments: new Map(),
    publicUrl: 'https://pager.example.com',
    ...options,
  };
}

const read = (rendered: Calendar) => new ICAL.Component(ICAL.parse(calendarOf(rendered)));
const textOf = (component: ICAL.Component, name: string) =>
  String(component.getFirstPropertyValue(name));
const eventsOf = (rendered: Calendar) => read(rendered).getAllSubcomponents('vevent');

/** Start, end and summary of each event by its UID. */
const byUid = (schedule: CalendarSchedule) =>
  new Map(
    eventsOf(calendar(schedule)).map((event) => [
      textOf(event, 'uid'),
      ['dtstart', 'dtend', 'summary'].map((name) => textOf(event, name)),
    ]),
  );

test('it shows a calendar month back and six on, from the start of the day in UTC', () => {
  assert.equal(String(interval.from), '2026-02-20T00:00:00Z');
  assert.equal(String(interval.to), '2026-09-20T00:00:00Z');
  assert.deepEqual(calendarInterval(instant('2026-03-20T23:59:59Z')), interval);
});

test('an event says who is on call for what, by which layer, when and where to look', () => {
  const schedule = buildHistory(
    [berlin('2026-03-19T08:00Z', daily())],
    [override({ user_id: 'bob' })],
  );
  const comments = new Map([['swap', 'Dentist, then lunch']]);
  const events = eventsOf(calendar(schedule, { comments }));
  const [first] = events;
  assert.ok(first);
  assert.equal(
    first.toString(),
    [
      'BEGIN:VEVENT',
      'UID:payments-layer1-2026-03-19-1@pager',
      'DTSTAMP:20260319T080000Z',
      'LAST-MODIFIED:20260319T080000Z',
      'SEQUENCE:1',
      'DTSTART:20260319T080000Z',
      'DTEND:20260320T080000Z',
      'SUMMARY:Ada Lovelace on call: Payments',
      'DESCRIPTION:Layer 1',
      'URL:https://pager.example.com/on-calls/payments',
      'STATUS:CONFIRMED',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ].join('\r\n'),
  );
  const swap = events.find((event) => textOf(event, 'uid').startsWith('swap'));
  assert.ok(swap);
  assert.equal(textOf(swap, 'uid'), 'swap-0-1@pager');
  assert.equal(textOf(swap, 'summary'), 'Bob Example on call: Payments');
  assert.equal(textOf(swap, 'description'), 'Override: Dentist, then lunch');
});

test('the calendar says its name, its zone, and how often to come again', () => {
  const all = read(calendar(buildHistory([berlin('2026-03-19T08:00Z', daily())])));
  const properties = all
    .getAllProperties()
    .map((each) => [each.name, String(each.getFirstValue())]);
  assert.deepEqual(properties, [
    ['version', '2.0'],
    ['prodid', '-//Pager//On-call calendar//EN'],
    ['calscale', 'GREGORIAN'],
    ['method', 'PUBLISH'],
    ['name', 'On call: Payments'],
    ['x-wr-calname', 'On call: Payments'],
    ['x-wr-timezone', 'Europe/Berlin'],
    ['refresh-interval', 'PT1H'],
    ['x-published-ttl', 'PT1H'],
  ]);
});

test('a personal calendar does not repeat whose it is', () => {
  const schedule = buildHistory([berlin('2026-03-19T08:00Z', daily())]);
  const [event] = eventsOf(calendar(schedule, { isPersonal: true }));
  assert.ok(event);
  assert.equal(textOf(event, 'summary'), 'On call: Payments');
});

test('names of any letters and length survive, as one line', () => {
  const name = `Zahlung; Kasse, \\ "Ö" 漢字 👩‍👩‍👧 ${'lang '.repeat(40)}`.trim();
  const schedule = {
    ...buildHistory([berlin('2026-03-19T08:00Z', daily())]),
    name: `${name}\r\nX:1`,
  };
  const people = new Map([['ada', 'Ada\nEND:VEVENT']]);
  const named = calendar(schedule, { people, name: schedule.name });
  const [event] = eventsOf(named);
  assert.ok(event);
  assert.equal(textOf(event, 'summary'), `Ada END:VEVENT on call: ${name} X:1`);
  for (const line of calendarOf(named).split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75);
});

test('a new name changes the events of that person, and no sequence ever falls', () => {
  const schedule = buildHistory([berlin('2026-03-19T08:00Z', daily())]);
  const versionsOf = (options: Partial<Calendar> = {}) =>
    Object.fromEntries(
      eventsOf(calendar(schedule, options)).map((event) => [
        textOf(event, 'summary'),
        ['last-modified', 'dtstamp', 'sequence'].map((name) => textOf(event, name)),
      ]),
    );
  const before = versionsOf();
  const renamedAt = instant('2026-03-20T08:00Z');
  const after = versionsOf({
    people: new Map([
      ['ada', 'Ada King'],
      ['bob', 'Bob Example'],
    ]),
    peopleChangedAt: new Map([['ada', renamedAt]]),
  });
  const bob = 'Bob Example on call: Payments';
  assert.deepEqual(after[bob], before[bob]);
  assert.deepEqual(after['Ada King on call: Payments'], [
    '2026-03-20T08:00:00Z',
    '2026-03-20T08:00:00Z',
    String(1 + 24 * 3_600),
  ]);
  // The turn goes to somebody who was never renamed.
  const changedAt = instant('2026-03-21T08:00Z');
  const edited = { ...schedule, edits: 2, changedAt };
  const [event] = eventsOf(calendar(edited));
  assert.ok(event && Number(textOf(event, 'sequence')) > 1 + 24 * 3_600);
});

test('nobody on call is an empty calendar', () => {
  const before = berlin('2026-01-01T08:00Z', daily());
  const schedule = buildHistory([
    before,
    { ...before, at: instant('2026-01-02T08:00Z'), archived: true },
  ]);
  assert.deepEqual(eventsOf(calendar(schedule)), []);
});

test('an archived schedule keeps its past', () => {
  const before = berlin('2026-03-10T08:00Z', daily());
  const schedule = buildHistory([
    before,
    { ...before, at: instant('2026-03-12T20:00Z'), archived: true },
  ]);
  const ends = eventsOf(calendar(schedule)).map((event) => textOf(event, 'dtend'));
  assert.deepEqual(ends, ['2026-03-11T08:00:00Z', '2026-03-12T08:00:00Z', '2026-03-12T20:00:00Z']);
});

test('another handoff time moves the events under the same names', () => {
  const first = berlin('2026-03-10T08:00Z', daily());
  const before = byUid(buildHistory([first]));
  const later = berlin('2026-03-20T12:00Z', daily({ handoff: '10:00' }));
  const after = byUid(buildHistory([first, later]));
  const tomorrow = 'payments-layer1-2026-03-21-1@pager';
  assert.equal(before.get(tomorrow)?.[0], '2026-03-21T08:00:00Z');
  assert.equal(after.get(tomorrow)?.[0], '2026-03-21T09:00:00Z');
  const lost = [...before.keys()].filter((uid) => !after.has(uid));
  assert.deepEqual(lost, []);
  // The edit ends the running shift and begins another.
  const made = [...after.keys()].filter((uid) => !before.has(uid));
  assert.deepEqual(made, ['payments-layer1-2026-03-20-2@pager']);
});

test('another order of people says other names under the same names of events', () => {
  const first = berlin('2026-03-10T08:00Z', daily());
  const before = byUid(buildHistory([first]));
  const reordered = berlin('2026-03-20T12:00Z', daily({ users: ['bob', 'ada', 'bob'] }));
  const after = byUid(buildHistory([first, reordered]));
  assert.deepEqual(
    [...before.keys()].filter((uid) => !after.has(uid)),
    [],
  );
  const changed = [...before].filter(([uid, texts]) => texts[2] !== after.get(uid)?.[2]);
  assert.ok(changed.length > 50);
  for (const [uid, texts] of changed) assert.equal(texts[0], after.get(uid)?.[0]);
});

test('a layer that moves takes the names of its events along', () => {
  const [low, high] = [daily(), { ...daily({ users: ['eve'] }), ends_at: '2026-03-25T08:00:00Z' }];
  const before = byUid(buildHistory([berlin('2026-03-10T08:00Z', low, high)]));
  const moved = berlin('2026-03-20T12:00Z', { ...daily({ users: ['cy'] }) }, low, high);
  const after = byUid(buildHistory([berlin('2026-03-10T08:00Z', low, high), moved]));
  assert.deepEqual([...after], [...before]);
});

test('an override that is moved keeps its name', () => {
  const save = berlin('2026-03-10T08:00Z', daily());
  const at = instant('2026-03-20T08:00Z');
  const days = { hours: 72 };
  const first = override();
  const second = override({
    edit: 3,
    in_force_from: at,
    start: first.start.add(days),
    end: first.end.add(days),
  });
  const before = byUid(buildHistory([save], [first]));
  const after = byUid(buildHistory([save], [{ ...first, ended: { edit: 3, at } }, second]));
  assert.equal(before.get('swap-0-1@pager')?.[0], '2026-04-02T12:00:00Z');
  assert.equal(after.get('swap-0-1@pager')?.[0], '2026-04-05T12:00:00Z');
});

test('each part of an override is named after its day of the override', () => {
  const save = berlin('2026-02-01T08:00Z', daily());
  const inPartsOfAda = override({
    replaces_user_id: 'ada',
    start: instant('2026-02-16T00:00Z'),
    end: instant('2026-02-24T00:00Z'),
    in_force_from: instant('2026-02-10T00:00Z'),
  });
  const uids = [...byUid(buildHistory([save], [inPartsOfAda])).keys()];
  const parts = uids.filter((uid) => uid.startsWith('swap'));
  assert.deepEqual(parts, ['swap-3-1@pager', 'swap-5-1@pager', 'swap-7-1@pager']);
});

test('what lasts less than a second is no event', () => {
  const first = berlin('2026-03-19T08:00:00.000Z', daily());
  const saves = [
    first,
    berlin('2026-03-19T10:00:00.200Z', daily({ users: ['eve'] })),
    berlin('2026-03-19T10:00:00.900Z', daily()),
  ];
  for (const event of eventsOf(calendar(buildHistory(saves))))
    assert.notEqual(textOf(event, 'dtstart'), textOf(event, 'dtend'));
});

const anyTime = fc.constantFrom('00:00', '02:30', '09:00', '17:45', '23:30');
const anyDay = fc.constantFrom('monday', 'thursday', 'saturday', 'sunday');
const anyLayer: fc.Arbitrary<DeclaredLayer> = fc.record(
  {
    users: fc.array(fc.constantFrom('ada', 'bob', 'cy', null), { minLength: 1, maxLength: 4 }),
    rotation: fc.record({
      unit: fc.constantFrom('days' as const, 'weeks' as const),
      length: fc.integer({ min: 1, max: 3 }),
      handoff: anyTime,
    }),
    restriction: fc.record({
      type: fc.constant('weekly' as const),
      windows: fc.array(
        fc.record({ from_day: anyDay, from_time: anyTime, to_day: anyDay, to_time: anyTime }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  { requiredKeys: ['users', 'rotation'] },
);
const anyZone = fc.constantFrom('Etc/UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Tokyo');
const minutesAfter = (at: string, max: number) =>
  fc.integer({ min: 0, max }).map((minutes) => instant(at).add({ minutes }));
const anyOverride = fc
  .record({
    start: minutesAfter('2026-01-20T00:00Z', 300_000),
    minutes: fc.integer({ min: 1, max: 20_000 }),
    ofAda: fc.boolean(),
  })
  .map(({ start, minutes, ofAda }) => ({
    user_id: 'eve',
    edit: 2,
    ended: null,
    start,
    end: start.add({ minutes }),
    ...(ofAda && { replaces_user_id: 'ada' }),
    in_force_from: instant('2026-01-19T00:00Z'),
  }));
const anySchedule = fc
  .record({
    timezone: anyZone,
    layers: fc.array(fc.array(anyLayer, { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
    }),
    times: fc.array(minutesAfter('2026-01-01T00:00Z', 300_000), { minLength: 4, maxLength: 4 }),
    overrides: fc.array(anyOverride, { maxLength: 5 }),
  })
  .map(({ timezone, layers, times, overrides }) => {
    const inOrder = times.toSorted(Temporal.Instant.compare);
    const saves = layers.map((each, index) => ({
      timezone,
      layers: each,
      at: inOrder[index] ?? now,
    }));
    const named = overrides.map((each, index) => ({ ...each, id: `override${index}` }));
    return buildHistory(saves, named);
  });

test('the events are the whole shifts of the interval, in UTC, each under its own name', () => {
  fc.assert(
    fc.property(anySchedule, (schedule) => {
      const asOf = scheduleAsOf(schedule.history);
      const whole = shiftsIn(asOf, interval).map((shift) => shiftAt(asOf, shift.start) ?? shift);
      const events = eventsOf(calendar(schedule));
      assert.deepEqual(
        events.map((event) => [textOf(event, 'dtstart'), textOf(event, 'dtend')]),
        whole.map(({ start, end }) => [timeOf(start), timeOf(end)]),
      );
      assert.equal(new Set(events.map((event) => textOf(event, 'uid'))).size, events.length);
    }),
  );
});

test('a shift has the same name on every day that shows it', () => {
  fc.assert(
    fc.property(anySchedule, fc.integer({ min: 1, max: 40 }), (schedule, days) => {
      const later = calendarInterval(now.add({ hours: 24 * days }));
      const uids = new Map(
        entriesOf(schedule, interval).map(({ uid, shift }) => [timeValue(shift.start), uid]),
      );
      for (const { uid, shift } of entriesOf(schedule, later))
        if (Temporal.Instant.compare(shift.start, interval.to) < 0)
          assert.equal(uids.get(timeValue(shift.start)), uid);
    }),
  );
});

/** As ical.js writes it. */
const timeOf = (at: Temporal.Instant) => at.toString({ smallestUnit: 'second' });
