import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyNumber, type Rooms } from '../claims/rooms.ts';
import { type SendingLimits, type SendingRooms, Shares, shareOut } from './fair-shares.ts';

const of = (organization_id: string, channel = 'slack') => ({ organization_id, channel });

/** Begins as many as there is room for, one after the other; answers how many. */
function fill(shares: Shares, organization: string, channel = 'slack'): number {
  for (let count = 0; ; count += 1) {
    const { organizations, channels, calls } = shares.rooms();
    const room = Math.min(
      organizations.of.get(organization) ?? organizations.each,
      channels.of.get(channel) ?? channels.each,
      channel === 'webhook' ? (calls.of.get(organization) ?? calls.each) : 512,
    );
    if (room <= 0) return count;
    shares.begin(of(organization, channel));
  }
}

test('an organisation has no more than it leaves for the others, and so do those after it', () => {
  const shares = new Shares(512);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => fill(shares, name)),
    [256, 128, 0, 0],
  );
  assert.deepEqual(
    ['c', 'd'].map((name) => fill(shares, name, 'msteams')),
    [64, 32],
  );
  assert.equal(shares.used, 480);
});

test('the calls of an organisation leave room for its pages', () => {
  const shares = new Shares(512);
  assert.equal(fill(shares, 'a', 'webhook'), 192);
  assert.equal(fill(shares, 'a', 'slack'), 64);
});

test('a way out that hangs for everybody leaves room for the others', () => {
  const shares = new Shares(512);
  for (let count = 0; count < 384; count += 1) shares.begin(of(`organization ${count}`));
  assert.equal(fill(shares, 'a', 'slack'), 0);
  assert.equal(fill(shares, 'a', 'msteams'), 64);
  assert.equal(fill(shares, 'b', 'email'), 32);
});

test('no more mails are handed over at once than leave in time', () => {
  const shares = new Shares(512);
  for (let count = 0; count < 127; count += 1) shares.begin(of(`organization ${count}`, 'email'));
  assert.equal(fill(shares, 'a', 'email'), 1);
});

test('what has ended makes room again', () => {
  const shares = new Shares(8);
  assert.equal(fill(shares, 'a'), 4);
  shares.end(of('a'));
  assert.equal(shares.rooms().organizations.of.get('a'), 1);
  for (let count = 0; count < 3; count += 1) shares.end(of('a'));
  assert.deepEqual([shares.used, shares.rooms().organizations.of.size], [0, 0]);
});

const rooms = (each: number, of: Readonly<Record<string, number>> = {}): Rooms => ({
  each,
  of: new Map(Object.entries(of)),
});
const roomsWith = (fields: Partial<SendingRooms>): SendingRooms => ({
  channels: anyNumber,
  organizations: anyNumber,
  calls: anyNumber,
  lanes: anyNumber,
  ...fields,
});

/** Each is `organization channel recipient`, the most urgent first. */
const chosen: Readonly<
  Record<
    string,
    { due: readonly string[]; limits: Partial<SendingLimits>; finds: readonly string[] }
  >
> = {
  'the most urgent of a recipient, as many as it may have': {
    due: ['a slack ada 1', 'a slack lin 2', 'a slack ada 3', 'a slack ada 4'],
    limits: { perRecipient: 2 },
    finds: ['a slack ada 1', 'a slack lin 2', 'a slack ada 3'],
  },
  'more of a recipient that answers quickly': {
    due: ['a slack ada 1', 'a slack ada 2', 'a slack lin 3', 'a slack lin 4'],
    limits: { perRecipient: 1, shares: new Map([['ada', 2]]) },
    finds: ['a slack ada 1', 'a slack ada 2', 'a slack lin 3'],
  },
  'what a recipient may not have takes nothing of its organization': {
    due: ['a slack ada 1', 'a slack ada 2', 'a slack lin 3'],
    limits: { perRecipient: 1, rooms: roomsWith({ organizations: rooms(2) }) },
    finds: ['a slack ada 1', 'a slack lin 3'],
  },
  'what an organization may not have takes nothing of its channel': {
    due: ['a slack 1', 'a slack 2', 'b slack 3', 'c slack 4'],
    limits: {
      rooms: roomsWith({ organizations: rooms(9, { a: 1 }), channels: rooms(2) }),
    },
    finds: ['a slack 1', 'b slack 3'],
  },
  'calls leave room for the pages of their organization': {
    due: ['a webhook 1', 'a webhook 2', 'a slack 3', 'b webhook 4'],
    limits: { rooms: roomsWith({ calls: rooms(1), organizations: rooms(2) }) },
    finds: ['a webhook 1', 'a slack 3', 'b webhook 4'],
  },
  'a lane of an organization only where vendors take a pace': {
    due: ['a sms 1', 'a sms 2', 'a slack 3', 'a slack 4', 'a phone 5', 'b sms 6'],
    limits: { rooms: roomsWith({ lanes: rooms(1, { 'b sms': 0 }) }) },
    finds: ['a sms 1', 'a slack 3', 'a slack 4', 'a phone 5'],
  },
  'nothing of a channel that is full': {
    due: ['a slack 1', 'a email 2'],
    limits: { rooms: roomsWith({ channels: rooms(9, { slack: 0 }) }) },
    finds: ['a email 2'],
  },
};

for (const [title, { due, limits, finds }] of Object.entries(chosen))
  test(`chosen: ${title}`, () => {
    const candidates = due.map((text) => {
      const [organization_id = '', channel = '', recipient_key = ''] = text.split(' ');
      return { organization_id, channel, recipient_key, text };
    });
    const all = shareOut(candidates, { perRecipient: 9, ...limits });
    assert.deepEqual(
      all.map(({ text }) => text),
      finds,
    );
  });
