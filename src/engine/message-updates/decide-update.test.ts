import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Life, later, noon } from '../../../test/incident-life.ts';
import { type Actor, type Incident, withEscalation } from '../../incidents/incident.ts';
import type { Delivery } from '../sending/channel.ts';
import {
  decideUpdate,
  differenceOf,
  isNews,
  type Joined,
  notYet,
  resultOf,
  shownFirst,
  shownOf,
  takenOf,
} from './decide-update.ts';

const triggered: Incident = new Life().incident;
const acknowledged: Incident = { ...triggered, status: 'acknowledged', acknowledged_at: later(1) };
const resolved: Incident = { ...triggered, status: 'resolved', resolved_at: later(2) };
const withCounts = (incident: Incident, alerts_firing: number, alerts_total: number) => ({
  ...incident,
  alerts_firing,
  alerts_total,
});
const joined: Joined = { count: 1, titles: ['Load is high'], at: later(4.9) };
const day = 24 * 60;

describe('what a message is to show', () => {
  const rows: readonly {
    readonly title: string;
    readonly shows: string | null;
    readonly now: Incident;
    readonly at?: number;
    readonly countedAt?: Temporal.Instant;
    readonly joined?: Joined;
    readonly wanted: string;
  }[] = [
    {
      title: 'what it shows already, until the incident changes or a quarter of an hour has passed',
      shows: shownOf(triggered),
      now: triggered,
      wanted: `wait ${later(20)}`,
    },
    {
      title: 'an acknowledgement',
      shows: shownOf(triggered),
      now: acknowledged,
      wanted: 'show',
    },
    {
      title: 'the same once it was taken back',
      shows: shownOf(acknowledged),
      now: triggered,
      wanted: 'show',
    },
    {
      title: 'another acknowledgement',
      shows: shownOf(acknowledged),
      now: { ...acknowledged, acknowledged_at: later(9) },
      wanted: 'show',
    },
    {
      title: 'that paging has started again',
      shows: shownOf(triggered),
      now: withEscalation(triggered, { cycle: triggered.escalation.cycle + 1 }),
      wanted: 'show',
    },
    {
      title: 'another priority',
      shows: shownOf(triggered),
      now: { ...triggered, priority: 'p1' },
      wanted: 'show',
    },
    {
      title: 'nothing new where only timers and counts differ',
      shows: shownOf(triggered),
      now: { ...triggered, suppressed_count: 7, updated_at: later(9), muted_until: later(9) },
      wanted: `wait ${later(20)}`,
    },
    {
      title: 'that another alert has joined',
      shows: shownOf(triggered),
      now: withCounts(triggered, 2, 2),
      wanted: 'show',
    },
    {
      title: 'that an alert of several has ended',
      shows: shownOf(withCounts(triggered, 2, 2)),
      now: withCounts(triggered, 1, 2),
      wanted: 'show',
    },
    {
      title: 'that, half a minute after it last showed another count',
      shows: shownOf(withCounts(triggered, 2, 2)),
      now: withCounts(triggered, 3, 3),
      countedAt: later(4.75),
      wanted: `wait ${later(5.25)}`,
    },
    {
      title: 'that, once half a minute has passed',
      shows: shownOf(withCounts(triggered, 2, 2)),
      now: withCounts(triggered, 3, 3),
      countedAt: later(4.5),
      wanted: 'show',
    },
    {
      title: 'an acknowledgement at once, however short ago another alert joined',
      shows: shownOf(withCounts(triggered, 2, 2)),
      now: withCounts(acknowledged, 3, 3),
      countedAt: later(5),
      wanted: 'show',
    },
    {
      title: 'which alerts joined, with how many there are',
      shows: shownOf(triggered),
      now: withCounts(triggered, 2, 2),
      joined,
      wanted: 'show and name',
    },
    {
      title: 'not who joined before half a minute has passed',
      shows: shownOf(withCounts(triggered, 2, 2)),
      now: withCounts(triggered, 3, 3),
      countedAt: later(4.75),
      joined,
      wanted: `wait ${later(5.25)}`,
    },
    {
      title: 'an acknowledgement at once, and who joined later',
      shows: shownOf(withCounts(triggered, 2, 2)),
      now: withCounts(acknowledged, 3, 3),
      countedAt: later(4.75),
      joined,
      wanted: 'show',
    },
    {
      title: 'who joined, half a minute after the last line, where nothing else differs',
      shows: shownOf(withCounts(acknowledged, 3, 3)),
      now: withCounts(acknowledged, 3, 3),
      countedAt: later(4.5),
      joined,
      wanted: 'name',
    },
    {
      title: 'that not sooner',
      shows: shownOf(withCounts(acknowledged, 3, 3)),
      now: withCounts(acknowledged, 3, 3),
      countedAt: later(4.75),
      joined,
      wanted: `wait ${later(5.25)}`,
    },
    {
      title: 'the end, and nothing of what joined before',
      shows: shownOf(withCounts(triggered, 2, 2)),
      now: withCounts(resolved, 0, 3),
      joined,
      wanted: 'show',
    },
    {
      title: 'nothing of what joined before the end, once it shows that',
      shows: shownOf(withCounts(resolved, 0, 3)),
      now: withCounts(resolved, 0, 3),
      joined,
      wanted: `wait ${later(2 + day)}`,
    },
    {
      title: 'what is so, where it is not known what it shows',
      shows: null,
      now: triggered,
      wanted: 'show',
    },
    {
      title: 'the end, for a day',
      shows: shownOf(resolved),
      now: resolved,
      wanted: `wait ${later(day + 2)}`,
    },
    {
      title: 'nothing any more after that day',
      shows: shownOf(resolved),
      now: resolved,
      at: day + 2,
      wanted: 'forget',
    },
    {
      title: 'the end, however late',
      shows: shownOf(triggered),
      now: resolved,
      at: 2 * day,
      wanted: 'show',
    },
  ];
  for (const { title, shows, now, at = 5, countedAt = null, joined = null, wanted } of rows)
    test(title, () => {
      const post = { incident: now, shows, changedAt: noon, tries: 1, countedAt, joined };
      const decided = decideUpdate(post, later(at));
      const text = decided.type === 'wait' ? `wait ${decided.until}` : decided.type;
      const isNaming = decided.type === 'show' && decided.isNaming;
      assert.equal(isNaming ? `${text} and name` : text, wanted);
    });
});

test('what differs is told from what a message shows', () => {
  const again = withEscalation(triggered, { cycle: triggered.escalation.cycle + 1 });
  const shown = shownOf(triggered);
  const taken = { action: 'Unacknowledged', by: 'Bo', at: later(1) };
  const difference = (shows: string | null, incident: Incident, who?: typeof taken) =>
    differenceOf({ shows, incident }, who);
  assert.equal(difference(notYet, triggered), 'all');
  assert.equal(difference(shown, again), 'cycle');
  assert.equal(difference(shown, { ...again, priority: 'p1' }), 'words');
  assert.equal(difference(shown, withCounts(triggered, 2, 2)), 'cycle', 'no phone shows it again');
  assert.equal(difference(shown, acknowledged), 'words');
  assert.equal(difference(shownOf(acknowledged), again, taken), 'words');
  assert.equal(difference(null, triggered), 'cycle', 'that it is triggered is known from the page');
  assert.equal(difference(null, triggered, taken), 'words');
  assert.equal(difference(null, acknowledged), 'words');
});

describe('what came of showing it', () => {
  const busy: Delivery = { outcome: 'no_answer', reason: 'busy' };
  const rows: readonly {
    readonly title: string;
    readonly incident: Incident;
    readonly delivery: Delivery;
    readonly tries?: number;
    readonly at?: number;
    readonly becomes: string;
  }[] = [
    {
      title: 'a message of an open incident waits for its next change, or a quarter of an hour',
      incident: acknowledged,
      delivery: { outcome: 'delivered' },
      becomes: `shown ${later(20)}`,
    },
    {
      title: 'one that shows the end is forgotten a day later',
      incident: resolved,
      delivery: { outcome: 'delivered' },
      becomes: `shown ${later(day + 2)}`,
    },
    {
      title: 'a failure is tried again soon',
      incident: resolved,
      delivery: busy,
      becomes: `retry ${later(5 + 1 / 60)}`,
    },
    {
      title: 'and less often with each try',
      incident: resolved,
      delivery: busy,
      tries: 9,
      becomes: `retry ${later(6)}`,
    },
    {
      title: 'or when the other side says',
      incident: resolved,
      delivery: { ...busy, retryAfterSeconds: 300 },
      becomes: `retry ${later(10)}`,
    },
    {
      title: 'until a day has passed since the change',
      incident: resolved,
      delivery: busy,
      tries: 20,
      at: day,
      becomes: 'failed busy',
    },
    {
      title: 'and longer where it was hardly tried',
      incident: resolved,
      delivery: busy,
      tries: 1,
      at: day,
      becomes: `retry ${later(day + 1 / 60)}`,
    },
    {
      title: 'what cannot be changed stays as it is',
      incident: resolved,
      delivery: { outcome: 'failed', reason: 'it is gone' },
      becomes: 'failed it is gone',
    },
  ];
  for (const { title, incident, delivery, tries = 1, at = 5, becomes } of rows)
    test(title, () => {
      const post = { incident, shows: null, changedAt: noon, tries, countedAt: null, joined: null };
      const context = { shows: 'x', isNaming: false, now: later(at), random: () => 1 };
      const result = resultOf(post, delivery, context);
      const end = result.type === 'failed' ? result.reason : result.wakeAt;
      assert.equal(`${result.type} ${end}`, becomes);
    });
});

test('when a message showed another count is known, and only then', () => {
  const countedAtOf = (shows: string, incident: Incident) => {
    const post = { incident, shows, changedAt: noon, tries: 1, countedAt: null, joined: null };
    const context = { shows: shownOf(incident), isNaming: false, now: later(5), random: () => 1 };
    const result = resultOf(post, { outcome: 'delivered' }, context);
    assert.ok(result.type === 'shown');
    return result.countedAt ?? null;
  };
  const several = withCounts(triggered, 2, 2);
  assert.deepEqual(countedAtOf(shownOf(triggered), several), later(5));
  assert.deepEqual(countedAtOf(shownOf(several), withCounts(triggered, 1, 2)), later(5));
  assert.equal(countedAtOf(shownOf(several), withCounts(acknowledged, 2, 2)), null);
  assert.equal(countedAtOf(shownOf(triggered), acknowledged), null);
  assert.equal(shownOf(withCounts(triggered, 1, 1)), shownOf(triggered), 'as before');
});

describe('after a message was changed, alerts that joined', () => {
  const rows: readonly {
    readonly title: string;
    readonly incident: Incident;
    readonly isNaming: boolean;
    readonly countedAt?: Temporal.Instant;
    readonly delivery?: Delivery;
    readonly becomes: string;
  }[] = [
    {
      title: 'are named',
      incident: withCounts(triggered, 3, 3),
      isNaming: true,
      becomes: `named, again after ${later(5)}, at ${later(20)}`,
    },
    {
      title: 'are named half a minute after the line before',
      incident: withCounts(acknowledged, 3, 3),
      isNaming: false,
      countedAt: later(4.75),
      becomes: `left, again after ${later(4.75)}, at ${later(5.25)}`,
    },
    {
      title: 'are not named any more after the end',
      incident: withCounts(resolved, 0, 3),
      isNaming: false,
      countedAt: later(4.75),
      becomes: `named, again after ${later(5)}, at ${later(2 + day)}`,
    },
    {
      title: 'are named by its next try, if it failed',
      incident: withCounts(triggered, 3, 3),
      isNaming: true,
      delivery: { outcome: 'no_answer', reason: 'busy' },
      becomes: 'retry',
    },
  ];
  for (const { title, incident, isNaming, countedAt, delivery, becomes } of rows)
    test(title, () => {
      const shows = shownOf(withCounts(triggered, 2, 2));
      const known = { incident, shows, changedAt: noon, tries: 1, joined };
      const post = { ...known, countedAt: countedAt ?? null };
      const context = { shows: shownOf(incident), isNaming, now: later(5), random: () => 1 };
      const result = resultOf(post, delivery ?? { outcome: 'delivered' }, context);
      if (result.type !== 'shown') return assert.equal(result.type, becomes);
      const { joinedAt, wakeAt } = result;
      const until = joinedAt === undefined ? 'left' : 'named';
      const after = result.countedAt ?? countedAt;
      assert.equal(`${until}, again after ${after}, at ${wakeAt}`, becomes);
      if (joinedAt) assert.deepEqual(joinedAt, joined.at);
    });
});

test('a message that is sent later than somebody acted does not say who it was', () => {
  assert.equal(shownFirst(triggered), shownOf(triggered));
  assert.equal(shownFirst(acknowledged), null);
});

test('on top stands who has it as it is', () => {
  const ada: Actor = { type: 'user', id: 'ada', name: 'Ada', via: 'api' };
  const timer: Actor = { type: 'timer', name: 'Timer', via: 'timer' };
  const alert: Actor = { type: 'alert', name: 'The alert', via: 'alert' };
  const at = later(1);
  const line = (incident: Incident, type: string, actor: Actor | null) => {
    const taken = takenOf(incident, { type, actor, at });
    return taken && `${taken.action} by ${taken.by}${taken.via ? ` (${taken.via})` : ''}`;
  };
  assert.equal(line(acknowledged, 'acknowledged', ada), 'Acknowledged by Ada');
  const called: Actor = { ...ada, via: 'phone' };
  assert.equal(line(acknowledged, 'acknowledged', called), 'Acknowledged by Ada (phone)');
  assert.equal(line(resolved, 'resolved', alert), 'Resolved by the alert');
  assert.equal(line(resolved, 'merged', ada), 'Merged by Ada');
  assert.equal(line(triggered, 'unacknowledged', timer), 'Unacknowledged by the timer');
  assert.equal(line(triggered, 'reopened', null), 'Reopened by Pager');
  assert.equal(line(triggered, 'acknowledged', ada), undefined, 'its timeline is being written');
  assert.equal(takenOf(triggered, null), undefined);
});

test('below a message is said what was done since its page, and since what was said last', () => {
  const doneAt = (minutes: number) => ({ type: 'acknowledged', actor: null, at: later(minutes) });
  const before = { decidedAt: later(1), commentedAt: null };
  assert.deepEqual([isNews(doneAt(1), before), isNews(doneAt(2), before)], [false, true]);
  const after = { decidedAt: later(1), commentedAt: later(2) };
  assert.deepEqual([isNews(doneAt(2), after), isNews(doneAt(3), after)], [false, true]);
});
