import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import {
  afterChannelSend,
  afterCheck,
  afterSend,
  type Health,
  healthy,
  type VendorAnswer,
} from './connection-health.ts';

const after = (seconds: number) => noon.add({ seconds });
const accepted: VendorAnswer = { kind: 'ok' };
const outage: VendorAnswer = { kind: 'outage', reason: 'timed out' };
const refusal: VendorAnswer = { kind: 'refusal', reason: 'set bot_token' };
const unexplained: VendorAnswer = { kind: 'unexplained', reason: 'refused (21999)' };
const check = (reason: string | null, isByHand = false) => ({ reason, isByHand });

type Event = readonly [seconds: number, VendorAnswer | ReturnType<typeof check>];

const play = (events: readonly Event[]): Health =>
  events.reduce(
    (health, [seconds, event]) =>
      'kind' in event
        ? afterSend(health, event, after(seconds))
        : afterCheck(health, event, after(seconds)),
    healthy,
  );

const five: readonly Event[] = [0, 1, 2, 3, 4].map((seconds) => [seconds, outage] as const);

for (const { name, events, state, since = null, reason = null } of [
  { name: 'what is accepted is ok', events: [[0, accepted]], state: 'ok' },
  { name: 'one failure degrades', events: [[0, outage]], state: 'degraded', reason: 'timed out' },
  {
    name: 'a success after it is ok',
    events: [
      [0, outage],
      [1, accepted],
    ],
    state: 'ok',
  },
  {
    name: 'a refusal is failing at once',
    events: [[0, refusal]],
    state: 'failing',
    since: 0,
    reason: 'set bot_token',
  },
  {
    name: 'an outage does not better it',
    events: [
      [0, refusal],
      [9, outage],
    ],
    state: 'failing',
    since: 0,
    reason: 'timed out',
  },
  {
    name: 'an error that is not known is degraded, however often it comes',
    events: five.map(([second]) => [second, unexplained] as const),
    state: 'degraded',
    reason: 'refused (21999)',
  },
  {
    name: 'an open circuit is failing',
    events: five,
    state: 'failing',
    since: 4,
    reason: 'timed out',
  },
  {
    name: 'a success by chance leaves it',
    events: [...five, [5, accepted]],
    state: 'failing',
    since: 4,
    reason: 'timed out',
  },
  {
    name: 'a page that was sent since it opened heals it',
    events: [...five, [24, accepted]],
    state: 'ok',
  },
  { name: 'the page that tries heals it', events: [...five, [64, accepted]], state: 'ok' },
  {
    name: 'it fails since it began to',
    events: [...five, [64, outage]],
    state: 'failing',
    since: 4,
    reason: 'timed out',
  },
  {
    name: 'wrong credentials are failing',
    events: [[0, check('set auth_token')]],
    state: 'failing',
    since: 0,
    reason: 'set auth_token',
  },
  {
    name: 'a check heals what a check found',
    events: [
      [0, check('set auth_token')],
      [9, check(null)],
    ],
    state: 'ok',
  },
  {
    name: 'a check tells nothing of notices that fail',
    events: [
      [0, refusal],
      [300, check(null)],
    ],
    state: 'failing',
    since: 0,
    reason: 'set bot_token',
  },
  {
    name: 'until none has failed for long',
    events: [
      [0, refusal],
      [600, check(null)],
    ],
    state: 'ok',
  },
  {
    name: 'unless somebody has mended it',
    events: [
      [0, refusal],
      [9, check(null, true)],
    ],
    state: 'ok',
  },
] as const satisfies readonly {
  name: string;
  events: readonly Event[];
  state: Health['state'];
  since?: number;
  reason?: string;
}[])
  test(name, () => {
    const health = play(events);
    assert.deepEqual(
      [health.state, health.reason, health.failingSince && `${health.failingSince}`],
      [state, reason, since === null ? null : `${after(since)}`],
    );
  });

test('a check leaves the circuit to the page that tries', () => {
  const { circuit } = play([...five, [700, check(null)]]);
  assert.equal(`${circuit.openUntil}`, `${after(64)}`);
});

test('a channel without a connection is ok as soon as it takes something; a connection is not that soon', () => {
  const failing = play(five);
  assert.equal(failing.state, 'failing');
  assert.equal(afterSend(failing, accepted, after(5)).state, 'failing');
  assert.deepEqual(afterChannelSend(failing, accepted, after(5)), healthy);
  assert.deepEqual(
    afterChannelSend(failing, refusal, after(5)),
    afterSend(failing, refusal, after(5)),
  );
});
