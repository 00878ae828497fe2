import assert from 'node:assert/strict';
import { test } from 'node:test';
import { later, noon } from '../../../test/incident-life.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { HandedOver } from './channel.ts';
import { Telephones } from './telephones.ts';

const sent: HandedOver = { connectionId: 'c', vendorId: 'v', receipt: null };
const ended: HandedOver = { ...sent, receipt: { state: 'unanswered', reason: '', blame: null } };
const call = (key: string, recipient_key: string, earlier: readonly HandedOver[] = []) => ({
  key,
  recipient_key,
  earlier,
  channel: 'phone',
});
const leaseEnd = String(noon.add({ seconds: sendingLimits.lease }));
const busyUntil = new Map([['ada', later(2)]]);

type Case = {
  readonly calls: readonly Parameters<Telephones['busyUntil']>[0][];
  readonly busy?: ReadonlyMap<string, Temporal.Instant>;
  readonly waits: readonly string[];
};
const cases: Readonly<Record<string, Case>> = {
  'the first call rings, and the next to the same telephone waits': {
    calls: [call('1', 'ada'), call('2', 'ada'), call('3', 'lin')],
    waits: ['null', leaseEnd, 'null'],
  },
  'a telephone that is in another call is left alone until its end': {
    calls: [call('1', 'ada'), call('2', 'lin')],
    busy: busyUntil,
    waits: [String(later(2)), 'null'],
  },
  'a call in progress comes before more urgent ones, which wait for its result': {
    calls: [call('1', 'ada'), call('2', 'ada', [sent])],
    waits: [leaseEnd, 'null'],
  },
  'a call that has ended does not': {
    calls: [call('1', 'ada'), call('2', 'ada', [sent, ended])],
    waits: ['null', leaseEnd],
  },
  'messages wait for no call': {
    calls: [{ ...call('1', 'ada'), channel: 'sms' }],
    busy: busyUntil,
    waits: ['null'],
  },
};

for (const [title, { calls, busy = new Map(), waits }] of Object.entries(cases))
  test(title, () => {
    const telephones = new Telephones(calls, { until: busy, now: noon });
    assert.deepEqual(
      calls.map((one) => String(telephones.busyUntil(one))),
      waits,
    );
  });
