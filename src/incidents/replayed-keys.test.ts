import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { buildAlert } from '../../test/incident-life.ts';
import type { AlertEvent } from '../alerts/alert.ts';
import { KeyReplay, type MatchingIncident } from './replayed-keys.ts';

const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');

type Sent = Partial<AlertEvent> & { readonly dedup_key: string };
const trigger = (dedup_key: string, former = dedup_key, more: Partial<AlertEvent> = {}): Sent => ({
  action: 'trigger',
  title: dedup_key,
  dedup_key,
  ...more,
  ...(former !== dedup_key && { former_key: former }),
});
const end = (dedup_key: string, former = dedup_key, more: Partial<AlertEvent> = {}): Sent => ({
  ...trigger(dedup_key, former, more),
  action: 'resolve',
});

/** An event, and what was decided about its alert when it came, by its former key. */
type Came = readonly [alert: Sent, former: string, outcome: string, incident: string | null];

const open = (id: string, dedup_key: string, more: Partial<MatchingIncident> = {}) => ({
  id,
  dedup_key,
  status: 'triggered' as const,
  merged_into_id: null,
  suppressed_count: 0,
  hasMerged: false,
  ...more,
});

function replay(matching: readonly MatchingIncident[], events: readonly Came[]) {
  const keys = new KeyReplay(matching);
  for (const [index, [alert, dedup_key, outcome, incident_id]] of events.entries())
    keys.add({
      id: `e${index}`,
      receivedAt: noon.add({ minutes: index }),
      alerts: [buildAlert(alert)],
      results: [{ dedup_key, outcome, incident_id }],
    });
  const result = keys.result();
  return {
    keys: Object.fromEntries([...result.keys].map(([id, key]) => [id, key.dedup_key])),
    apart: result.apart.map(({ from, alert }) => `${alert.dedup_key} of ${from}`),
    over: result.over,
  };
}

const nothing = { keys: {}, apart: [], over: [] };

describe('what lasts', () => {
  test('keeps its incident under the new key; the oldest of several does', () => {
    const came: readonly Came[] = [
      [trigger('sda', 'host'), 'host', 'opened', '1'],
      [trigger('sdb', 'host'), 'host', 'suppressed', '1'],
      [trigger('sda', 'host'), 'host', 'suppressed', '1'],
    ];
    const expected = { keys: { 1: 'sda' }, apart: ['sdb of 1'], over: [] };
    assert.deepEqual(replay([open('1', 'host', { suppressed_count: 2 })], came), expected);
  });

  test('is opened apart once, and not if it has an incident of its own', () => {
    const came: readonly Came[] = [
      [trigger('sda', 'host'), 'host', 'opened', '1'],
      [trigger('sdb', 'host'), 'host', 'suppressed', '1'],
      [trigger('sdb', 'disk'), 'disk', 'opened', '2'],
    ];
    const expected = { keys: { 1: 'sda', 2: 'sdb' }, apart: [], over: [] };
    assert.deepEqual(replay([open('1', 'host'), open('2', 'disk')], came), expected);
    const twice: readonly Came[] = [
      [trigger('sda', 'one'), 'one', 'opened', '1'],
      [trigger('sdc', 'one'), 'one', 'suppressed', '1'],
      [trigger('sdb', 'two'), 'two', 'opened', '2'],
      [trigger('sdc', 'two'), 'two', 'suppressed', '2'],
    ];
    const once = { keys: { 1: 'sda', 2: 'sdc' }, apart: ['sdb of 2'], over: [] };
    assert.deepEqual(replay([open('1', 'one'), open('2', 'two')], twice), once);
  });

  test('has one key, whatever the incidents were that its messages opened', () => {
    const came: readonly Came[] = [
      [trigger('cpu', 'cpu 93'), 'cpu 93', 'opened', '1'],
      [trigger('cpu', 'cpu 94'), 'cpu 94', 'opened', '2'],
    ];
    const matching = [open('1', 'cpu 93'), open('2', 'cpu 94')];
    assert.deepEqual(replay(matching, came).keys, { 1: 'cpu', 2: 'cpu' });
    const ended: Came = [end('cpu', 'cpu 12'), 'cpu 12', 'ignored', null];
    assert.deepEqual(replay(matching, [...came, ended]).over, ['1', '2']);
  });

  test('keeps its key where both releases make the same', () => {
    const came: readonly Came[] = [[trigger('web'), 'web', 'opened', '1']];
    assert.deepEqual(replay([open('1', 'web')], came).keys, { 1: 'web' });
  });

  test('has the key of what was merged into another incident', () => {
    const came: readonly Came[] = [
      [trigger('sda', 'host'), 'host', 'opened', '1'],
      [trigger('sda', 'host'), 'host', 'suppressed', '2'],
    ];
    const merged = open('1', 'host', { status: 'resolved', merged_into_id: '2' });
    const into = open('2', 'other', { hasMerged: true });
    assert.deepEqual(replay([merged, into], came), { ...nothing, keys: { 1: 'sda' } });
  });
});

describe('what is over', () => {
  const problem: Came = [trigger('db down', 'PROBLEM: db down'), 'PROBLEM: db down', 'opened', '1'];
  const both = [open('1', 'PROBLEM: db down'), open('2', 'OK: db down')];

  test('ends with the incident that its end opened, and the one that it did not find', () => {
    const ended: Came = [end('db down', 'OK: db down'), 'OK: db down', 'opened', '2'];
    assert.deepEqual(replay(both, [problem, ended]), { ...nothing, over: ['1', '2'] });
  });

  test('ends by an end that found nothing while both releases ran', () => {
    const ended: Came = [end('db down', 'OK: db down'), 'OK: db down', 'ignored', null];
    assert.deepEqual(replay(both.slice(0, 1), [problem, ended]).over, ['1']);
  });

  test('lasts again with the next trigger, also with one that a rule ignored', () => {
    const ended: Came = [end('db down', 'OK: db down'), 'OK: db down', 'opened', '2'];
    const [alert, former] = problem;
    const again: Came = [alert, former, 'suppressed', '1'];
    const ignored: Came = [alert, former, 'ignored', null];
    const matching = [open('1', former, { suppressed_count: 1 }), open('2', 'OK: db down')];
    const expected = { keys: { 1: 'db down' }, apart: [], over: ['2'] };
    assert.deepEqual(replay(matching, [problem, ended, again]), expected);
    assert.deepEqual(replay(both, [problem, ended, ignored]), expected);
  });

  test('a mail that came after the end of its problem', () => {
    const at = (minutes: number, isSure = false): Partial<AlertEvent> => ({
      sourceTime: { by: 'mail', at: noon.add({ minutes }), mayBeLate: true, isSure },
    });
    const ended: Came = [end('db', 'OK db', at(5, true)), 'OK db', 'opened', '2'];
    const came: Came = [trigger('db', 'BAD db', at(0)), 'BAD db', 'opened', '1'];
    const matching = [open('1', 'BAD db'), open('2', 'OK db')];
    assert.deepEqual(replay(matching, [ended, came]).over, ['1', '2']);
    const late: Came = [end('db', 'OK db', at(-9)), 'OK db', 'opened', '2'];
    assert.deepEqual(replay(matching, [came, late]), { ...nothing, keys: { 1: 'db' } });
  });
});

describe('in doubt an incident stays open', () => {
  const ended: Came = [end('sda', 'ok'), 'ok', 'ignored', null];
  const came: Came = [trigger('sda', 'host'), 'host', 'opened', '1'];

  for (const [what, incident, events] of [
    ['without its events', open('1', 'host'), [ended]],
    ['if an alert of it is not stored', open('1', 'host', { suppressed_count: 1 }), [came, ended]],
    ['if others were merged into it', open('1', 'host', { hasMerged: true }), [came, ended]],
    [
      'if it ended, and a person reopened it',
      open('1', 'host'),
      [came, [end('sda', 'host'), 'host', 'resolved', '1'], ended],
    ],
    [
      'if its source no longer watches it',
      open('1', 'host'),
      [[end('sda', 'host', { unwatched: 'cancelled' }), 'host', 'opened', '1']],
    ],
    [
      'if it was acknowledged only',
      open('1', 'host'),
      [[{ ...trigger('sda', 'host'), action: 'acknowledge' }, 'host', 'opened', '1']],
    ],
  ] as const)
    test(what, () => {
      assert.deepEqual(replay([incident], events), nothing);
    });

  test('what is an end only where its problem is open opened one', () => {
    const line = '[EXTERNAL] RAID is degraded, fan is OK';
    const doubt = { line, keys: [], trigger_key: 'RAID is degraded, fan is OK' };
    const alert = end('RAID is degraded, fan', line, { title: line, in_doubt: doubt });
    const { keys } = replay([open('1', line)], [[alert, line, 'opened', '1']]);
    assert.deepEqual(keys, { 1: 'RAID is degraded, fan is OK' });
  });

  test('direct alerts of Prometheus end by their timer', () => {
    const direct = { direct: { sender: 'a', endsAt: noon } };
    const matching = [open('1', 'host')];
    assert.deepEqual(replay(matching, [came, [end('sda', 'ok', direct), 'ok', 'ignored', null]]), {
      ...nothing,
      keys: { 1: 'sda' },
    });
  });
});

test('many incidents of many events are each read once', () => {
  const count = 5_000;
  const matching = Array.from({ length: count }, (_, n) => open(`${n}`, `host ${n}`));
  let reads = 0;
  const keys = new KeyReplay(matching);
  for (let n = 0; n < count; n += 1)
    keys.add({
      id: `e${n}`,
      receivedAt: noon,
      alerts: [buildAlert(trigger(`disk ${n}`, `host ${n}`))],
      results: [
        {
          get dedup_key() {
            reads += 1;
            return `host ${n}`;
          },
          outcome: 'opened',
          incident_id: `${n}`,
        },
      ],
    });
  assert.equal(keys.result().keys.size, count);
  assert.ok(reads <= 2 * count, `${reads}`);
});

/** What a tool sends of a problem; `coarse`: 0.1.0 knew the end, and took two problems for one. */
type Message = { readonly problem: number; readonly isEnd: boolean; readonly coarse: boolean };

/** What 0.1.0 made of the messages. */
function before(messages: readonly Message[]) {
  const incidents = new Map<string, MatchingIncident>();
  const openOf = new Map<string, string>();
  const came = messages.map(({ problem, isEnd, coarse }, index): Came => {
    const former = coarse ? `host ${problem % 2}` : `${isEnd ? 'OK' : 'PROBLEM'} ${problem}`;
    const alert = (isEnd ? end : trigger)(`${problem}`, former);
    const id = openOf.get(former);
    const known = id === undefined ? undefined : incidents.get(id);
    if (isEnd && coarse) {
      if (known === undefined) return [alert, former, 'ignored', null];
      incidents.delete(known.id);
      openOf.delete(former);
      return [alert, former, 'resolved', known.id];
    }
    if (known === undefined) {
      incidents.set(`${index}`, open(`${index}`, former));
      openOf.set(former, `${index}`);
      return [alert, former, 'opened', `${index}`];
    }
    incidents.set(known.id, { ...known, suppressed_count: known.suppressed_count + 1 });
    return [alert, former, 'suppressed', known.id];
  });
  return { came, incidents };
}

test('whatever came, what lasts has one incident, and what is over has none', () => {
  const anyMessage = fc.record({
    problem: fc.nat({ max: 4 }),
    isEnd: fc.boolean(),
    coarse: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 20 }), (messages) => {
      const { came, incidents } = before(messages);
      const { keys, apart, over } = replay([...incidents.values()], came);
      const lasts = (key: string) => came.findLast(([alert]) => alert.dedup_key === key);
      const isLasting = (key: string) => lasts(key)?.[0].action === 'trigger';
      for (const id of incidents.keys()) {
        const own = new Set(came.filter(([, , , to]) => to === id).map(([one]) => one.dedup_key));
        const isOver = ![...own].some((key) => isLasting(key) && isReportedTo(key, id));
        assert.equal(over.includes(id), isOver, id);
        assert.equal(keys[id] === undefined, isOver, id);
        if (!isOver) assert.ok(isLasting(keys[id] ?? '') && own.has(keys[id] ?? ''), id);
      }
      const reported = new Set(
        came.flatMap(([one, , , to]) => (to !== null && incidents.has(to) ? [one.dedup_key] : [])),
      );
      for (const key of reported) {
        if (![...incidents.keys()].some((id) => isLasting(key) && isReportedTo(key, id))) continue;
        const isApart = apart.filter((one) => one.startsWith(`${key} `)).length;
        assert.equal(isApart, Object.values(keys).includes(key) ? 0 : 1, key);
      }

      /** Since its last end. */
      function isReportedTo(key: string, id: string): boolean {
        const all = came.filter(([alert]) => alert.dedup_key === key);
        const ended = all.findLastIndex(([alert]) => alert.action === 'resolve');
        return all.slice(ended + 1).some(([, , , to]) => to === id);
      }
    }),
  );
});
