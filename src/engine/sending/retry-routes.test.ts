import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HandedOver } from './channel.ts';
import type { Receipt } from './receipt.ts';
import {
  contactOf,
  nextContact,
  nextRoute,
  reasonOfAll,
  type TriedContact,
  unreportedOf,
} from './retry-routes.ts';

const both = [{ id: 'first' }, { id: 'second' }];
let calls = 0;
const tried = (connectionId: string, receipt: Receipt | null = null): HandedOver => {
  calls += 1;
  return { connectionId, vendorId: `CA${calls}`, receipt };
};
const receiptOf = (
  state: Receipt['state'],
  reason: string,
  blame: Receipt['blame'] = null,
): Receipt => ({ state, reason, blame });
const busy = receiptOf('unanswered', 'busy');
const noNumber = receiptOf('undelivered', 'no such number', 'contact');
const filtered = receiptOf('undelivered', 'filtered', 'later');
const blockedThere = receiptOf('undelivered', 'not allowed there', 'connection');

test('an attempt is known by the contact that it was made at, once there were several', () => {
  const ended = (address: string, attempts: number): TriedContact => ({
    address,
    attempts,
    reason: 'no answer',
    isUnconfirmed: false,
  });
  const before = [ended('+4915112345678', 2), ended('+4930765432', 3)];
  const contacts = [1, 2, 3, 4].map((attempt) => contactOf(attempt, before, '+4930111222'));
  assert.deepEqual(contacts, ['…5678', '…5678', '…5432', '…1222']);
  assert.equal(contactOf(1, [], '+4930111222'), null);
});

test('why a page is handed over once more is told, unless it was reported', () => {
  const silent = tried('first');
  const onItsWay = tried('first', receiptOf('sent', ''));
  const silence = 'nothing was reported for the previous attempt';
  assert.equal(unreportedOf(silent, silent), silence);
  assert.equal(unreportedOf(silent, onItsWay), silence);
  assert.equal(
    unreportedOf(onItsWay, { ...onItsWay, receipt: filtered }),
    'the previous attempt did not arrive: filtered',
  );
  assert.equal(unreportedOf(tried('first', busy), tried('first', busy)), undefined);
  assert.equal(unreportedOf(undefined, undefined), undefined);
});

test('the first connection is used first', () => {
  assert.deepEqual(nextRoute(both, []), { connectionId: 'first' });
});

test('a vendor’s silence or trouble leads to the next connection', () => {
  for (const receipt of [null, receiptOf('sent', ''), receiptOf('answered', ''), blockedThere])
    assert.deepEqual(nextRoute(both, [tried('first', receipt)]), { connectionId: 'second' });
});

test('who did not answer is called once more from the same number, and by no other', () => {
  assert.deepEqual(nextRoute(both, [tried('first', busy)]), { connectionId: 'first' });
  assert.deepEqual(nextRoute(both, [tried('first', busy), tried('first', busy)]), {
    end: 'failed',
    reason: 'busy',
  });
});

test('a call without keys is made twice, and then nothing confirms it', () => {
  const readOut = receiptOf('read_out', 'by a call without keys', 'later');
  assert.deepEqual(nextRoute(both, [tried('first', readOut)]), { connectionId: 'first' });
  for (const last of [readOut, busy])
    assert.deepEqual(nextRoute(both, [tried('first', readOut), tried('first', last)]), {
      end: 'unconfirmed',
      reason: last.reason,
    });
});

test('only calls that rang count as calls, and each once', () => {
  assert.deepEqual(nextRoute(both, [tried('first', filtered), tried('first', busy)]), {
    connectionId: 'first',
  });
  const call = tried('first', busy);
  assert.deepEqual(nextRoute(both, [call, { ...call, receipt: null }]), {
    connectionId: 'first',
  });
});

test('what could not be delivered for the moment is tried once more, then elsewhere', () => {
  assert.deepEqual(nextRoute(both, [tried('first', filtered)]), { connectionId: 'first' });
  assert.deepEqual(nextRoute(both, [tried('first', filtered), tried('first', filtered)]), {
    connectionId: 'second',
  });
});

test('where the contact is at fault, no other connection is tried', () => {
  assert.deepEqual(nextRoute(both, [tried('first', noNumber)]), {
    end: 'failed',
    reason: 'no such number',
  });
});

test('a connection that is no longer works gets nothing more', () => {
  assert.deepEqual(nextRoute([{ id: 'second' }], [tried('first', filtered)]), {
    connectionId: 'second',
  });
  assert.deepEqual(nextRoute([], [tried('first', busy)]), { end: 'failed', reason: 'busy' });
  assert.deepEqual(nextRoute([{ id: 'second' }], [tried('first', busy)]), {
    connectionId: 'second',
  });
});

test('without another way, silence is no failure: it may have arrived', () => {
  const silent = { end: 'unconfirmed', reason: 'no receipt arrived' };
  assert.deepEqual(nextRoute([{ id: 'first' }], [tried('first')]), silent);
  assert.deepEqual(nextRoute(both, [tried('first'), tried('second', blockedThere)]), silent);
  assert.deepEqual(nextRoute(both, [tried('first', blockedThere), tried('second', blockedThere)]), {
    end: 'failed',
    reason: 'not allowed there',
  });
  assert.deepEqual(nextRoute([], []), {
    end: 'failed',
    reason: 'no connection is set up for it',
  });
});

const ended = (address: string, fields: Partial<TriedContact> = {}): TriedContact => ({
  address,
  reason: 'no answer',
  isUnconfirmed: false,
  attempts: 3,
  ...fields,
});

describe('a page goes on', () => {
  const rows: readonly {
    readonly title: string;
    readonly usable: readonly string[];
    readonly tried: readonly TriedContact[];
    readonly next: string | null;
  }[] = [
    { title: 'at the next contact', usable: ['1', '2'], tried: [ended('1')], next: '2' },
    {
      title: 'at the first of those that are left',
      usable: ['1', '2', '3'],
      tried: [ended('2')],
      next: '1',
    },
    {
      title: 'at the contact that is first now',
      usable: ['4', '2', '1', '3'],
      tried: [ended('1'), ended('2')],
      next: '4',
    },
    {
      title: 'past a contact that is not usable any more',
      usable: ['1', '3'],
      tried: [ended('1')],
      next: '3',
    },
    {
      title: 'at no contact twice, even where it has silently taken the page',
      usable: ['1'],
      tried: [ended('1', { isUnconfirmed: true })],
      next: null,
    },
    { title: 'nowhere without contacts', usable: [], tried: [ended('1')], next: null },
  ];
  for (const { title, usable, tried, next } of rows)
    test(title, () => assert.equal(nextContact(usable, tried), next));
});

test('where no contact is left, all that were tried are named, so that only who knows them does', () => {
  assert.equal(reasonOfAll([ended('+4915112345678')]), 'no answer');
  assert.equal(
    reasonOfAll([ended('+4915112345678'), ended('+4930765432', { reason: 'busy' })]),
    'no answer at …5678; busy at …5432',
  );
});
