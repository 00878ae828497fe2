import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Edits } from '../../../test/schedule-edits.ts';
import type { Rotation } from '../rotation.ts';
import { nextBoundary } from '../shifts.ts';
import { type Declared, type DeclaredLayer, editLayers, pairLayers } from './edits.ts';

const instant = (text: string) => Temporal.Instant.from(text);
const berlin = 'Europe/Berlin';
const monday = instant('2026-03-02T09:00:00Z');
const daily: Rotation = { length: 1, unit: 'days', handoff: '09:00' };
const weekly: Rotation = { length: 1, unit: 'weeks' };
const nights = {
  type: 'weekly',
  windows: [{ from_day: 'friday', from_time: '18:00', to_day: 'monday', to_time: '08:00' }],
} as const;

const layer = (users: string, parts: Partial<DeclaredLayer> = {}): DeclaredLayer => ({
  users: users.split(' ').map((user) => (user === '-' ? null : user)),
  rotation: weekly,
  ...parts,
});

describe('which layer was which', () => {
  const [a, b, c] = [layer('ada'), layer('bob'), layer('cyd')];
  const utc = (...layers: readonly DeclaredLayer[]): Declared => ({ timezone: 'UTC', layers });
  const rows = [
    { claim: 'nothing changed', before: utc(a, b), after: utc(a, b), pairs: '0 1' },
    { claim: 'they changed places', before: utc(a, b, c), after: utc(c, a, b), pairs: '2 0 1' },
    { claim: 'one was edited', before: utc(a, b), after: utc(a, c), pairs: '0 1*' },
    { claim: 'one was put before', before: utc(a, b), after: utc(c, a, b), pairs: 'new 0 1' },
    { claim: 'one was put between', before: utc(a, b), after: utc(a, c, b), pairs: '0 new 1' },
    { claim: 'one was added', before: utc(a), after: utc(a, b), pairs: '0 new' },
    { claim: 'the first was removed', before: utc(a, b), after: utc(b), pairs: '1' },
    {
      claim: 'one moved, one was edited',
      before: utc(a, b, c),
      after: utc(b, c, c),
      pairs: '1 new 2',
    },
    { claim: 'all were edited', before: utc(a, a), after: utc(b, c), pairs: '0* 1*' },
    { claim: 'twins stay in their places', before: utc(a, a), after: utc(b, a), pairs: '0* 1' },
    { claim: 'of twins one was removed', before: utc(a, a), after: utc(a), pairs: '0' },
    {
      claim: 'the order of fields says nothing',
      before: utc({ users: ['ada'], rotation: daily }),
      after: utc({ rotation: { handoff: '09:00', unit: 'days', length: 1 }, users: ['ada'] }),
      pairs: '0',
    },
    {
      claim: 'another zone edits every layer, wherever it went',
      before: utc(a, b),
      after: { timezone: berlin, layers: [b, a] },
      pairs: '1* 0*',
    },
  ];
  for (const { claim, before, after, pairs } of rows)
    test(claim, () => {
      const paired = pairLayers(before, after).map((pair) =>
        pair.before === null ? 'new' : `${pair.before}${pair.regenerated ? '*' : ''}`,
      );
      assert.equal(paired.join(' '), pairs);
      const isMarked = pairLayers(before, after).every(
        (pair) => pair.before !== null || pair.regenerated,
      );
      assert.ok(isMarked, 'what was not there is regenerated');
    });
});

const saved = (timezone: string, ...layers: readonly DeclaredLayer[]) => {
  const edits = new Edits();
  edits.save(monday, timezone, ...layers);
  return edits;
};

describe('what an edit leaves as it was', () => {
  const later = instant('2026-03-11T12:00:00Z');

  test('an equal layer keeps its identity, its anchor and since when its shifts are theirs', () => {
    const edits = saved('UTC', layer('ada bob'), layer('cyd', { restriction: nights }));
    const [first, second] = edits.layers;
    const after = edits.save(later, 'UTC', layer('cyd', { restriction: nights }), layer('ada bob'));
    assert.deepEqual(after, [second, first]);
  });

  test('an edited layer keeps its identity only, an added one begins now', () => {
    const edits = saved('UTC', layer('ada bob'));
    const [edited, added] = edits.save(later, 'UTC', layer('ada bob cyd'), layer('eve'));
    assert.deepEqual([edited?.id, `${edited?.generated_at}`], ['layer1', `${later}`]);
    assert.deepEqual([added?.id, `${added?.generated_at}`], ['layer2', `${later}`]);
    assert.equal(`${added?.anchor.at}`, '2026-03-16T00:00:00Z');
  });
});

describe('whose turn it is after an edit of the users, now and from the next handoff on', () => {
  // On Tuesday the 10th it is the second user's turn; turns change on the 16th and the 23rd.
  const rows = [
    {
      claim: 'one was added behind',
      before: 'ada bob',
      after: 'ada bob cyd',
      turns: 'bob cyd ada',
    },
    {
      claim: 'one was added before',
      before: 'ada bob',
      after: 'cyd ada bob',
      turns: 'bob cyd ada',
    },
    {
      claim: 'the order was turned',
      before: 'ada bob cyd',
      after: 'cyd bob ada',
      turns: 'bob ada cyd',
    },
    { claim: 'another was removed', before: 'ada bob cyd', after: 'bob cyd', turns: 'bob cyd bob' },
    {
      claim: 'the person on was removed',
      before: 'ada bob cyd',
      after: 'ada cyd',
      turns: 'cyd ada cyd',
    },
    {
      claim: 'of those who are left the next of the old order has the rest of the turn',
      before: 'ada bob - cyd dan',
      after: 'ada dan eve',
      turns: 'dan eve ada',
    },
    {
      claim: 'the next of the old order stands twice, as far back as it did',
      before: 'ada bob cyd ada',
      after: 'ada cyd ada',
      turns: 'cyd ada ada',
    },
    { claim: 'everyone was replaced', before: 'ada bob', after: 'eve fay', turns: 'eve fay eve' },
    {
      claim: 'the second of two turns stays the second',
      before: 'bob bob cyd',
      after: 'bob ada bob',
      turns: 'bob bob ada',
    },
    {
      claim: 'the last turn left is theirs',
      before: 'bob bob cyd',
      after: 'cyd bob',
      turns: 'bob cyd bob',
    },
    {
      claim: 'a turn with nobody stays',
      before: 'ada - bob',
      after: 'cyd bob -',
      turns: '- cyd bob',
    },
    {
      claim: 'a turn with nobody was removed',
      before: 'ada - bob',
      after: 'bob ada',
      turns: 'bob ada bob',
    },
  ];
  for (const { claim, before, after, turns } of rows)
    test(claim, () => {
      const edits = saved('UTC', layer(before));
      edits.save(instant('2026-03-10T12:00:00Z'), 'UTC', layer(after));
      const times = ['2026-03-10T12:00:00Z', '2026-03-16T00:00:00Z', '2026-03-23T00:00:00Z'];
      assert.equal(edits.onCall(...times), turns);
      const from = instant('2026-03-10T12:00:00Z');
      const to = from.add({ hours: 14 * 24 });
      const next = nextBoundary(edits.schedule(), { from, to });
      assert.equal(`${next}`, '2026-03-16T00:00:00Z');
    });
});

describe('what an edit of the rotation does', () => {
  const now = instant('2026-03-10T12:00:00Z');
  const edited = (rotation: Rotation, users = 'ada bob cyd') => {
    const edits = saved('UTC', layer('ada bob cyd'));
    edits.save(now, 'UTC', layer(users, { rotation }));
    return edits;
  };

  test('turns begin anew with the person who is on', () => {
    const edits = edited(daily);
    const times = ['2026-03-11T08:59:00Z', '2026-03-11T09:00:00Z', '2026-03-12T09:00:00Z'];
    assert.equal(edits.onCall(`${now}`, ...times), 'bob bob cyd ada');
  });

  test('the next in the old order has the rest of the turn when that person is gone', () => {
    const edits = edited(daily, 'eve ada');
    assert.equal(edits.onCall(`${now}`, '2026-03-11T09:00:00Z'), 'ada eve');
  });

  test('a default that is now written out changes no boundary', () => {
    const two: Rotation = { length: 2, unit: 'weeks' };
    const edits = saved('UTC', layer('ada bob', { rotation: two }));
    const [before] = edits.layers;
    const written = { ...two, handoff: '00:00', handoff_day: 'monday' };
    const [after] = edits.save(now, 'UTC', layer('ada bob', { rotation: written }));
    assert.deepEqual(after?.anchor, before?.anchor);
  });
});

describe('what another zone does', () => {
  test('boundaries stay on their dates, at the same time of the new clock', () => {
    const edits = saved('UTC', layer('ada bob', { rotation: daily }));
    edits.save(
      instant('2026-03-10T12:00:00Z'),
      'Asia/Kolkata',
      layer('ada bob', { rotation: daily }),
    );
    assert.equal(`${edits.layers[0]?.anchor.at}`, '2026-03-02T03:30:00Z');
    assert.equal(edits.layers[0]?.id, 'layer1');
    assert.equal(`${edits.layers[0]?.generated_at}`, '2026-03-10T12:00:00Z');
  });

  test('the person who is on keeps the turn that runs then', () => {
    // Midnight of Kolkata is 18:30: its turn of the 11th runs when that of the 10th does in UTC.
    const midnight: Rotation = { length: 1, unit: 'days' };
    const edits = saved('UTC', layer('ada bob cyd', { rotation: midnight }));
    const now = '2026-03-10T20:00:00Z';
    const before = edits.onCall(now);
    edits.save(instant(now), 'Asia/Kolkata', layer('ada bob cyd', { rotation: midnight }));
    assert.equal(edits.onCall(now), before);
    assert.equal(edits.onCall('2026-03-11T18:29:00Z'), before);
    assert.notEqual(edits.onCall('2026-03-11T18:30:00Z'), before);
  });
});

describe('when the running turn ends after an edit of the rotation', () => {
  // Ada has two weeks to monday the 14th; it is the evening of thursday the 3rd.
  const made = instant('2026-11-30T08:00:00Z');
  const now = instant('2026-12-03T19:00:00Z');
  const two: Rotation = { length: 2, unit: 'weeks', handoff: '09:00', handoff_day: 'monday' };
  const endAfter = (...rotations: readonly Rotation[]) => {
    const edits = new Edits();
    edits.save(made, berlin, layer('ada bob cyd', { rotation: two }));
    for (const [index, rotation] of rotations.entries())
      edits.save(now.add({ minutes: index }), berlin, layer('ada bob cyd', { rotation }));
    const from = now.add({ minutes: rotations.length });
    assert.equal(edits.onCall(`${from}`), 'ada');
    const next = nextBoundary(edits.schedule(), { from, to: from.add({ hours: 24 * 60 }) });
    assert.equal(edits.onCall(`${next}`), 'bob');
    return next?.toZonedDateTimeISO(berlin).toPlainDateTime().toString().slice(0, -':00'.length);
  };
  const rows: readonly { claim: string; to: readonly Rotation[]; end: string }[] = [
    { claim: 'an hour later', to: [{ ...two, handoff: '10:00' }], end: '2026-12-14T10:00' },
    {
      claim: 'two days later, on another weekday',
      to: [{ ...two, handoff_day: 'wednesday' }],
      end: '2026-12-16T09:00',
    },
    {
      claim: 'in the week before if that is nearer',
      to: [{ ...two, handoff_day: 'friday' }],
      end: '2026-12-11T09:00',
    },
    {
      claim: 'of two equally near, at the later',
      to: [{ ...two, handoff_day: 'thursday', handoff: '21:00' }],
      end: '2026-12-17T21:00',
    },
    {
      claim: 'after a whole new length',
      to: [{ ...two, length: 3 }],
      end: '2026-12-21T09:00',
    },
    {
      claim: 'at the next handoff if a whole new length is over',
      to: [{ length: 2, unit: 'days', handoff: '09:00' }],
      end: '2026-12-04T09:00',
    },
    {
      claim: 'where it was planned, however often it is corrected',
      to: [
        { ...two, handoff_day: 'thursday' },
        { ...two, handoff_day: 'friday' },
        { ...two, handoff: '10:00' },
        { ...two, handoff: '08:00' },
      ],
      end: '2026-12-14T08:00',
    },
    {
      claim: 'after the whole new length, whichever hour is corrected then',
      to: [
        { ...two, length: 3 },
        { ...two, length: 3, handoff: '10:00' },
      ],
      end: '2026-12-21T10:00',
    },
    {
      claim: 'where it was planned when the old length is back with another hour',
      to: [
        { ...two, length: 3 },
        { ...two, handoff: '10:00' },
      ],
      end: '2026-12-14T10:00',
    },
  ];
  for (const { claim, to, end } of rows) test(claim, () => assert.equal(endAfter(...to), end));
});

describe('who is not active', () => {
  const now = instant('2026-03-10T12:00:00Z');
  const edited = (after: string, rotation: Rotation, ...inactive: readonly string[]) => {
    const edits = saved('UTC', layer('ada bob cyd'));
    for (const user of inactive) edits.inactive.add(user);
    edits.save(now, 'UTC', layer(after, { rotation }));
    return edits.onCall(`${now}`);
  };

  test('takes no rest of a turn', () => {
    assert.equal(edited('ada cyd', weekly, 'bob', 'cyd'), 'ada');
    assert.equal(edited('eve fay', weekly, 'bob', 'eve'), 'fay');
  });

  test('keeps a turn whose rotation stays, and no other', () => {
    assert.equal(edited('ada bob cyd dan', weekly, 'bob'), 'bob');
    assert.equal(edited('ada bob cyd', daily, 'bob'), 'cyd');
  });

  test('keeps it if nobody else is there', () => {
    assert.equal(edited('ada bob cyd', daily, 'ada', 'bob', 'cyd'), 'bob');
  });
});

test('a first turn that a server of 0.1.0 began is as long as it was planned', () => {
  const rotation: Rotation = { length: 2, unit: 'weeks' };
  const edits = saved('UTC', layer('ada bob', { rotation }));
  const [{ anchor, ...stored } = assert.fail()] = edits.layers;
  const { running: _running, ...old } = anchor;
  const edit = { now: monday.add({ hours: 24 }), past: [], nextId: () => '', isActive: () => true };
  const after = (length: number) => ({
    timezone: 'UTC',
    layers: [layer('ada bob', { rotation: { ...rotation, length, handoff: '10:00' } })],
  });
  const endOf = (length: number) => {
    const before = { timezone: 'UTC', layers: [{ ...stored, anchor: old }] };
    const [is] = editLayers({ ...edit, before, after: after(length) });
    return `${is?.anchor.at}`;
  };
  assert.deepEqual([endOf(2), endOf(3)], ['2026-03-09T10:00:00Z', '2026-03-23T10:00:00Z']);
});

const names: readonly (string | null)[] = ['ada', 'bob', 'cyd', null];
const anyUsers = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 })
  .filter((users) => users.some((user) => user !== null));
const anyRotation: fc.Arbitrary<Rotation> = fc.record({
  length: fc.integer({ min: 1, max: 4 }),
  unit: fc.constantFrom('days', 'weeks'),
  handoff: fc.constantFrom('00:00', '02:30', '09:00'),
});
const anyZone = fc.constantFrom('UTC', berlin, 'Australia/Lord_Howe', 'America/New_York');
const anyDelay = fc.integer({ min: 0, max: 60 * 24 * 200 }).map((minutes) => ({ minutes }));
const check = <Values>(values: fc.Arbitrary<Values>, holds: (values: Values) => void) =>
  fc.assert(fc.property(values, holds), { numRuns: 500 });

const anyEdit = fc.record({
  rotation: anyRotation,
  zone: anyZone,
  before: anyUsers,
  after: anyUsers,
  delay: anyDelay,
});
type AnyEdit = typeof anyEdit extends fc.Arbitrary<infer Value> ? Value : never;

function buildEdit({ rotation, zone, before, delay }: AnyEdit) {
  const edits = saved(zone, { users: before, rotation });
  return { edits, now: monday.add(delay) };
}

test('an edit that changes nothing keeps everything', () => {
  check(anyEdit, (drawn) => {
    const { edits, now } = buildEdit(drawn);
    const { layers } = edits;
    const { rotation, zone, before } = drawn;
    assert.deepEqual(edits.save(now, zone, { users: before, rotation }), layers);
  });
});

test('with the same rotation boundaries stay, and so does the person on who is still there', () => {
  check(anyEdit, (drawn) => {
    const { edits, now } = buildEdit(drawn);
    const { rotation, zone, after } = drawn;
    const [was] = edits.layers;
    const on = edits.onCall(`${now}`);
    const [is] = edits.save(now, zone, { users: after, rotation });
    assert.deepEqual(is?.anchor.at, was?.anchor.at);
    if (after.includes(on === '-' ? null : on)) assert.equal(edits.onCall(`${now}`), on);
  });
});

test('an edit that is taken back leaves the grid as it was', () => {
  check(anyEdit, (drawn) => {
    const { edits, now } = buildEdit(drawn);
    const { rotation, zone, before, after } = drawn;
    const [was] = edits.layers;
    edits.save(now, zone, { users: after, rotation });
    const [is] = edits.save(now, zone, { users: before, rotation });
    assert.deepEqual(is?.anchor.at, was?.anchor.at);
    assert.equal(is?.id, was?.id);
  });
});

test('an anchor names one of the users, on a boundary of its rotation', () => {
  check(fc.tuple(anyEdit, anyRotation, anyZone), ([drawn, rotation, zone]) => {
    const { edits, now } = buildEdit(drawn);
    const [is] = edits.save(now, zone, { users: drawn.after, rotation });
    assert.ok(is && is.anchor.turn >= 0 && is.anchor.turn < drawn.after.length);
    const from = is.anchor.at.subtract({ nanoseconds: 1 });
    const local = is.anchor.at.toZonedDateTimeISO(zone).toPlainTime().toString().slice(0, 5);
    const isSkipped =
      from.toZonedDateTimeISO(zone).offset !== is.anchor.at.toZonedDateTimeISO(zone).offset;
    assert.ok(local === rotation.handoff || isSkipped, local);
  });
});
