import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asStoredDocument, refusesEachCorruption } from '../../../test/as-stored.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { parseNotice, type StoredNotice } from './stored-notice.ts';

const plain: StoredNotice = { address: 'ada', recipient: null, mention: null, why: 'step 1' };

/** With every field that there can be; no notice has them all. */
const full: StoredNotice = {
  address: { sealed: 'v2:AAAA' },
  recipient: 'Ada',
  route: 'on call of Rota',
  mention: '@here',
  why: 'step 1 of policy Ops',
  lost_answers: 2,
  tried: [{ address: '+491', reason: 'busy', isUnconfirmed: false, attempts: 3 }],
  story: {
    schedule: { id: 'rota', name: 'Rota', timezone: 'Europe/Berlin' },
    user: { id: 'ada', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@x.test' },
    shift: { id: 'shift', start: noon, end: later(60) },
    taken_off: false,
    other: 'Lin',
    changes: [
      { type: 'gained', start: noon, end: later(60) },
      { type: 'lost', start: later(90), end: later(120) },
    ],
  },
  usage: { month: '2026-03', limit: 100, percent: 80 },
  failing: { id: 'webhook', name: 'Deploys', since: noon },
  undecided: { of: 'schedule', id: 'rota', name: 'Rota', reason: 'no such zone' },
  lost_contact: {
    id: 'contact',
    channel: 'sms',
    name: '…5678',
    state: 'opted_out',
    since: noon,
    person: { id: 'ada', name: 'Ada' },
  },
  occasion: 'incident_triggered',
  original: { key: 'call/1', delivery_id: '1' },
  test: true,
};

test('what is written of a notice is read back equal', () => {
  assert.deepEqual(parseNotice(asStoredDocument(plain)), plain);
  assert.deepEqual(parseNotice(asStoredDocument(full)), full);
});

test('what an earlier release wrote has the route in the name', () => {
  const recipient = 'Ada (on call of Rota)';
  assert.deepEqual(parseNotice(asStoredDocument({ ...plain, recipient })), {
    ...plain,
    recipient: 'Ada',
    route: 'on call of Rota',
  });
});

describe('what cannot be read of a notice is named:', () => {
  refusesEachCorruption(parseNotice, { path: 'notice', document: full });

  for (const key of Object.keys(plain))
    test(`a notice without its ${key}`, () => {
      const { [key as keyof StoredNotice]: _gone, ...rest } = plain;
      assert.throws(
        () => parseNotice(rest),
        ({ message }: Error) => message.startsWith(`notice.${key} `),
      );
    });
});

test('what is wrong in a notice is named, never shown', () => {
  const secret = { ...plain, address: { secret: 'hooks.test/T0/B0' } };
  assert.throws(() => parseNotice(secret), { message: 'notice.address.sealed must be text' });
});
