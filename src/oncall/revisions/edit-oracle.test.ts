// A second implementation of edits, as dumb as can be: it has no anchors and no grid, but the turn
// that runs, and goes from day to day on the calendar of Temporal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Edits } from '../../../test/schedule-edits.ts';
import type { Rotation } from '../rotation.ts';
import type { DeclaredLayer } from './edits.ts';

const DAY = 86_400_000;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** A turn as it is now, and as it was planned; local times. */
type Turn = {
  readonly position: number;
  readonly end: Temporal.PlainDateTime;
  readonly beganAt: Temporal.Instant;
  readonly began: Temporal.PlainDateTime;
  readonly planned: Temporal.PlainDateTime;
  readonly length: number;
  readonly unit: string;
};

type Config = {
  readonly users: readonly (string | null)[];
  readonly rotation: Rotation;
  /** The weekdays on which the layer is open, from 10:00 to 16:00; null: always. */
  readonly open: readonly string[] | null;
  readonly zone: string;
  readonly starts: Temporal.Instant | null;
};

/** Of a layer to come the first turn. */
type State = Config & { readonly turn: Turn };
type Snapshot = { readonly state: State; readonly until: Temporal.Instant };
/** A layer from when it is made until it is removed; one that is put back goes on. */
type Life = { readonly past: readonly Snapshot[]; readonly state: State };

/** The instant at which a clock first shows a time: after a gap, and of two the first. */
function instantOf(local: Temporal.PlainDateTime, zone: string): Temporal.Instant {
  const zoned = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (zoned.toPlainDateTime().equals(local)) return zoned.toInstant();
  return zoned.getTimeZoneTransition('next')?.toInstant() ?? assert.fail();
}

const isAfter = (one: Temporal.Instant, other: Temporal.Instant) =>
  Temporal.Instant.compare(one, other) > 0;

const isToCome = ({ starts }: Config, at: Temporal.Instant) =>
  starts !== null && isAfter(starts, at);

const handoffOn = (date: Temporal.PlainDate, { rotation }: Config) =>
  date.toPlainDateTime(rotation.handoff ?? '00:00');

const weekdayOf = (date: Temporal.PlainDate) => weekdays[date.dayOfWeek - 1] ?? '';

/** Whether a turn may begin on a date. */
function isHandoff(date: Temporal.PlainDate, { rotation, open }: Config): boolean {
  if (rotation.unit === 'weeks') return weekdayOf(date) === (rotation.handoff_day ?? 'monday');
  return rotation.counts !== 'open' || open === null || open.includes(weekdayOf(date));
}

/** The date on which the turn ends that begins on another. */
function turnLater(date: Temporal.PlainDate, config: Config): Temporal.PlainDate {
  let left = config.rotation.length;
  let next = date;
  // A day that does not count belongs to the turn, and is none of its days.
  if (!isHandoff(next, config)) left += 1;
  while (left > 0) {
    next = next.add({ days: 1 });
    if (isHandoff(next, config)) left -= 1;
  }
  return next;
}

function begun(config: Config, now: Temporal.Instant, position = 0): Turn {
  const { zone, rotation } = config;
  const local = now.toZonedDateTimeISO(zone).toPlainDateTime();
  let date = local.toPlainDate().subtract({ days: 9 });
  while (!isHandoff(date, config) || isAfter(now, instantOf(handoffOn(date, config), zone)))
    date = date.add({ days: 1 });
  const isOn = instantOf(handoffOn(date, config), zone).equals(now);
  const began = isOn ? handoffOn(date, config) : local;
  const end = handoffOn(isOn ? turnLater(date, config) : date, config);
  const { length, unit } = rotation;
  return { position, end, beganAt: now, began, planned: end, length, unit };
}

type People = ReadonlySet<string>;

/** The position of the first person who is active, or else of the first turn. */
function firstActive({ users }: Config, inactive: People): number {
  for (const [position, user] of users.entries())
    if (user !== null && !inactive.has(user)) return position;
  return 0;
}

function advanced(state: State, now: Temporal.Instant): State {
  let { turn } = state;
  for (let at = instantOf(turn.end, state.zone); !isAfter(at, now); ) {
    const end = handoffOn(turnLater(turn.end.toPlainDate(), state), state);
    const { length, unit } = state.rotation;
    const position = (turn.position + 1) % state.users.length;
    turn = { position, end, beganAt: at, began: turn.end, planned: end, length, unit };
    at = instantOf(end, state.zone);
  }
  return { ...state, turn };
}

const keyOf = ({ users, rotation, open, zone, starts }: Config) => {
  const { length, unit, handoff = '00:00', handoff_day = 'monday', counts = 'all' } = rotation;
  const day = unit === 'weeks' ? handoff_day : '';
  return JSON.stringify([users, length, unit, handoff, day, counts, open, zone, starts]);
};

const turningOf = (config: Config) =>
  keyOf({ ...config, users: [], open: [], zone: '', starts: null });

function sameTurn(before: Config['users'], index: number, after: Config['users']): number {
  const user = before[index];
  let left = 0;
  for (let each = 0; each < index; each += 1) if (before[each] === user) left += 1;
  let last = -1;
  for (const [position, other] of after.entries()) {
    if (other !== user) continue;
    last = position;
    if (left === 0) return position;
    left -= 1;
  }
  return last;
}

function positionAfter(state: State, config: Config, inactive: ReadonlySet<string>): number {
  const { users, turn } = state;
  const may = (user: string | null) => user !== null && !inactive.has(user);
  const holder = users[turn.position] ?? null;
  const isSame = turningOf(state) === turningOf(config);
  const own = sameTurn(users, turn.position, config.users);
  if (own >= 0 && (isSame || holder === null || may(holder))) return own;
  for (let step = 1; step < users.length; step += 1) {
    const index = (turn.position + step) % users.length;
    const next = sameTurn(users, index, config.users);
    if (may(users[index] ?? null) && next >= 0) return next;
  }
  for (const [position, user] of config.users.entries()) if (may(user)) return position;
  return Math.max(own, 0);
}

const between = (one: Temporal.PlainDateTime, other: Temporal.PlainDateTime) =>
  one.toZonedDateTime('UTC').epochMilliseconds - other.toZonedDateTime('UTC').epochMilliseconds;

function nearestEnd(target: Temporal.PlainDateTime, config: Config, now: Temporal.Instant) {
  const today = now.toZonedDateTimeISO(config.zone).toPlainDate();
  const first = today.subtract({ days: 2 });
  const [until] = [target.toPlainDate(), today].sort(Temporal.PlainDate.compare).toReversed();
  let nearest: Temporal.PlainDateTime | null = null;
  for (
    let date = first;
    between(date.toPlainDateTime(), (until ?? today).toPlainDateTime()) <= 9 * DAY;
    date = date.add({ days: 1 })
  ) {
    const handoff = handoffOn(date, config);
    if (!isHandoff(date, config) || !isAfter(instantOf(handoff, config.zone), now)) continue;
    if (nearest && Math.abs(between(handoff, target)) > Math.abs(between(nearest, target)))
      continue;
    nearest = handoff;
  }
  return nearest ?? assert.fail();
}

function wholeLength(turn: Turn, config: Config): Temporal.PlainDateTime {
  const handoff = handoffOn(turn.began.toPlainDate(), config);
  const days = Math.round(between(turn.began, handoff) / DAY);
  const date = turn.began.toPlainDate().add({ days });
  if (config.rotation.unit === 'weeks') return turn.began.add({ days: 7 * config.rotation.length });
  const end = turnLater(date, config);
  return turn.began.add(date.until(end, { largestUnit: 'days' }));
}

type Save = {
  readonly config: Config;
  readonly now: Temporal.Instant;
  readonly inactive: People;
};

/** The layer as it was when it last was the same, if the turn that ran last has run since then. */
function takenBack({ past }: Pick<Life, 'past'>, { config, now }: Save): State | null {
  const ran = past.filter((one) => !isToCome(one.state, one.until));
  const latest = ran.at(-1);
  if (!latest) return null;
  const { turn, zone } = advanced(latest.state, latest.until);
  if (!isAfter(instantOf(turn.end, zone), now)) return null;
  const earlier = ran.findLast(
    (one) => keyOf(one.state) === keyOf(config) && !isAfter(turn.beganAt, one.until),
  );
  return earlier ? advanced(earlier.state, now) : null;
}

type Outcome = { readonly state: State; readonly how: 'same' | 'undone' | 'begun' | 'continued' };

function edited(life: Life, save: Save): Outcome {
  const { config, now, inactive } = save;
  const isWaiting = isToCome(life.state, now);
  const state = isWaiting ? life.state : advanced(life.state, now);
  if (keyOf(state) === keyOf(config)) return { state, how: 'same' };
  const begunAt = (at: Temporal.Instant): Outcome => ({
    state: { ...config, turn: begun(config, at, firstActive(config, inactive)) },
    how: 'begun',
  });
  if (config.starts && isToCome(config, now)) return begunAt(config.starts);
  const earlier = takenBack({ past: [...life.past, { state: life.state, until: now }] }, save);
  if (earlier) return { state: earlier, how: 'undone' };
  if (isWaiting) return begunAt(now);
  const { turn } = state;
  const position = positionAfter(state, config, inactive);
  const isSame = turningOf(state) === turningOf(config);
  const { length, unit } = config.rotation;
  const isAsLong = length === turn.length && unit === turn.unit;
  const isAhead = isSame && isAfter(instantOf(turn.end, config.zone), now);
  const target = isAsLong ? turn.planned : wholeLength(turn, config);
  const end = isAhead ? turn.end : nearestEnd(target, config, now);
  return { state: { ...config, turn: { ...turn, position, end } }, how: 'continued' };
}

function made({ config, now, inactive }: Save): State {
  if (!config.starts || !isToCome(config, now)) return { ...config, turn: begun(config, now) };
  return { ...config, turn: begun(config, config.starts, firstActive(config, inactive)) };
}

function onCall(state: State, at: Temporal.Instant): string {
  if (isToCome(state, at)) return '-';
  const { users, turn, open, zone } = advanced(state, at);
  const local = at.toZonedDateTimeISO(zone);
  const isOpen =
    open === null ||
    (open.includes(weekdayOf(local.toPlainDate())) && local.hour >= 10 && local.hour < 16);
  return (isOpen && users[turn.position]) || '-';
}

const layerOf = ({ users, rotation, open, starts }: Config): DeclaredLayer => ({
  users,
  rotation,
  ...(starts && { starts_at: `${starts}` }),
  ...(open && {
    restriction: {
      type: 'weekly',
      windows: open.map((day) => ({
        from_day: day,
        from_time: '10:00',
        to_day: day,
        to_time: '16:00',
      })),
    },
  }),
});

const handoffs = ['00:00', '02:15', '02:30', '09:00'] as const;
const anyUsers = fc
  .array(fc.constantFrom('ada', 'bob', 'cyd', null), { minLength: 1, maxLength: 4 })
  .filter((users) => users.some((user) => user !== null));
const anyRotation: fc.Arbitrary<Rotation> = fc.oneof(
  fc.record(
    {
      length: fc.integer({ min: 1, max: 5 }),
      unit: fc.constant('days' as const),
      handoff: fc.constantFrom(...handoffs),
      counts: fc.constantFrom('all', 'open'),
    },
    { requiredKeys: ['length', 'unit'] },
  ),
  fc.record(
    {
      length: fc.integer({ min: 1, max: 3 }),
      unit: fc.constant('weeks' as const),
      handoff: fc.constantFrom(...handoffs, '21:00'),
      handoff_day: fc.constantFrom(...weekdays),
    },
    { requiredKeys: ['length', 'unit'] },
  ),
);
const anyConfig: fc.Arbitrary<Omit<Config, 'starts'>> = fc.record({
  users: anyUsers,
  rotation: anyRotation,
  open: fc.option(fc.subarray(weekdays, { minLength: 1 })),
  zone: fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'America/New_York',
    'Pacific/Apia',
  ),
});
/** What an edit changes; `back` takes the last edits back, as many as it says. */
const anyEdit = fc.record(
  {
    after: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 60 * 24 * 40 })),
    back: fc.nat({ max: 3 }),
    users: anyUsers,
    rotation: anyRotation,
    open: fc.option(fc.subarray(weekdays, { minLength: 1 })),
    zone: anyConfig.map(({ zone }) => zone),
    /** In how many minutes after the edit the layer begins; null: it has no start. */
    startsIn: fc.option(fc.nat({ max: 60 * 24 * 20 }), { freq: 1 }),
    inactive: fc.subarray(['ada', 'bob', 'cyd'], { maxLength: 2 }),
    isRemoved: fc.nat({ max: 4 }).map((dice) => dice === 0),
  },
  { requiredKeys: ['after', 'inactive', 'isRemoved'] },
);
/** Mostly of layers that begin later, and edits that are taken back. */
const anyWaitingEdit: typeof anyEdit = fc.record(
  {
    after: fc.nat({ max: 60 * 24 * 7 }),
    back: fc.constantFrom(0, 0, 1),
    users: anyUsers,
    startsIn: fc.option(fc.nat({ max: 60 * 24 * 20 }), { freq: 4 }),
    inactive: fc.subarray(['ada', 'bob', 'cyd'], { minLength: 1, maxLength: 2 }),
    isRemoved: fc.constant(false),
  },
  { requiredKeys: ['after', 'inactive', 'isRemoved'] },
);
const storyOf = (edit: typeof anyEdit) =>
  fc.record({
    // Before clocks change in spring, and in autumn.
    begins: fc
      .tuple(
        fc.constantFrom('2026-02-20T00:00Z', '2026-09-20T00:00Z'),
        fc.nat({ max: 60 * 24 * 14 }),
      )
      .map(([from, minutes]) => Temporal.Instant.from(from).add({ minutes })),
    first: anyConfig,
    edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
    probes: fc.array(fc.nat({ max: 60 * 24 * 90 }), { minLength: 20, maxLength: 20 }),
  });
type Story = ReturnType<typeof storyOf> extends fc.Arbitrary<infer One> ? One : never;

type Seen = Record<Outcome['how'] | 'restored' | 'remade', number>;

/** Saves a story, and compares who is on call after each of its edits. */
function followed({ begins, first, edits: drawn, probes }: Story, seen: Seen): void {
  const edits = new Edits();
  const config: Config = { ...first, starts: null };
  const configs = [config];
  let now = begins;
  edits.save(now, config.zone, layerOf(config));
  let life: Life | null = { past: [], state: made({ config, now, inactive: edits.inactive }) };
  let removed: readonly Life[] = [];
  for (const { after, back, startsIn, inactive, isRemoved, ...change } of drawn) {
    now = now.add({ minutes: after });
    edits.inactive.clear();
    for (const user of inactive) edits.inactive.add(user);
    const latest = configs.at(-1) ?? config;
    const starts = startsIn === undefined ? latest.starts : laterBy(now, startsIn);
    const earlier = back === undefined ? undefined : configs.at(-(life ? 2 : 1) - back);
    const next: Config = earlier ?? { ...latest, ...change, starts };
    const save: Save = { config: next, now, inactive: edits.inactive };
    if (life && isRemoved) {
      edits.save(now, life.state.zone);
      removed = [...removed, { ...life, past: [...life.past, { state: life.state, until: now }] }];
      life = null;
    } else {
      configs.push(next);
      edits.save(now, next.zone, layerOf(next));
      const was: Life | null = life;
      if (was) {
        const { state, how } = edited(was, save);
        if (how === 'continued') checkContinued(advanced(was.state, now), state, save);
        life = { past: [...was.past, { state: was.state, until: now }], state };
        seen[how] += 1;
      } else {
        const again = isToCome(next, now) ? null : removed.find((one) => takenBack(one, save));
        const state = (again && takenBack(again, save)) ?? made(save);
        life = { past: again?.past ?? [], state };
        removed = removed.filter((one) => one !== again);
        seen[again ? 'restored' : 'remade'] += 1;
      }
    }
    for (const minutes of [0, ...probes]) {
      const at = now.add({ minutes });
      assert.equal(edits.onCall(`${at}`), life ? onCall(life.state, at) : '-', `${at}`);
    }
  }
}

const laterBy = (now: Temporal.Instant, minutes: number | null) =>
  minutes === null ? null : now.add({ minutes });

function checkContinued(was: State, is: State, { config, inactive }: Save): void {
  const person = was.users[was.turn.position] ?? null;
  if (person === null || inactive.has(person) || !config.users.includes(person)) return;
  assert.equal(is.users[is.turn.position], person);
  assert.ok(is.turn.began.equals(was.turn.began));
}

const nothing: Seen = { same: 0, undone: 0, begun: 0, continued: 0, restored: 0, remade: 0 };

test('who is on call after edits is who a walk along the calendar says', () => {
  const seen = { ...nothing };
  const story = storyOf(anyEdit);
  fc.assert(
    fc.property(story, (drawn) => followed(drawn, seen)),
    { numRuns: 200 },
  );
  const { undone, continued, restored } = seen;
  assert.ok(undone > 20 && continued > 100 && restored > 10, JSON.stringify(seen));
});

test('layers to come begin as the walk says, and take back no more than it', () => {
  const seen = { ...nothing };
  const story = storyOf(anyWaitingEdit);
  fc.assert(
    fc.property(story, (drawn) => followed(drawn, seen)),
    { numRuns: 120 },
  );
  assert.ok(seen.begun > 50 && seen.undone > 10, JSON.stringify(seen));
});
