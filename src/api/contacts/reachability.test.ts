import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { peopleWorld } from '../../../test/people-world.ts';
import type { ContactOf } from '../../storage/people/contacts.ts';
import { reachabilityOf } from './reachability.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const { call, person } = world;

type Named = { readonly id: string };
const listed = async (query: string) => (await call(`GET /users?${query}`)).body;
const idsOf = async (query: string) => (await listed(query)).data.map(({ id }: Named) => id);

const now = Temporal.Instant.from('2026-11-24T12:00:00Z');
const contactOn = (channel: string, fields: Partial<ContactOf> = {}): ContactOf => ({
  user_id: '1'.repeat(24),
  channel,
  address: channel,
  verified: true,
  proved_at: now.toString(),
  ...fields,
});

test('a page reaches an active person by a verified contact to which something can be sent', () => {
  const [active, email] = [{ active: true }, contactOn('email')];
  const reached = { channel: 'email', reachable: true, reachability: 'proved' };
  const usable = { problemOf: () => null, now };
  assert.deepEqual(reachabilityOf(active, [email], usable), {
    reachable: true,
    channels: [reached],
  });
  assert.deepEqual(reachabilityOf({ active: false }, [email], usable), {
    reachable: false,
    reason: 'The person is not active.',
    channels: [reached],
  });
  assert.deepEqual(reachabilityOf(active, [], usable), {
    reachable: false,
    reason: 'The person has no contact.',
    channels: [],
  });
  const problemOf = ({ address }: { address: string }) =>
    address === 'phone' ? 'No phone here.' : null;
  const unverified = { verified: false };
  const contacts = [
    contactOn('sms', unverified),
    contactOn('phone', unverified),
    contactOn('phone'),
  ];
  assert.deepEqual(reachabilityOf(active, contacts, { problemOf, now }), {
    reachable: false,
    reason: 'Nothing can be sent to any verified contact of the person.',
    channels: [
      {
        channel: 'phone',
        reachable: false,
        reachability: 'broken',
        reason: 'No phone here.',
      },
      {
        channel: 'sms',
        reachable: false,
        reachability: 'unproved',
        reason: 'The contact is not verified.',
      },
    ],
  });
  const several = [
    contactOn('phone'),
    contactOn('phone', { address: '+4930', proved_at: '2026-01-01T00:00:00Z' }),
  ];
  assert.deepEqual(reachabilityOf(active, several, { problemOf, now }).channels, [
    {
      channel: 'phone',
      reachable: true,
      reachability: 'likely',
      reason: 'Not confirmed since 2026-01-01.',
    },
  ]);
});

test('a list has who can be reached, and is narrowed by it', async () => {
  const [here, away] = [await person(), await person()];
  await call(`PATCH /users/${away.id}`, { key: world.first.key, body: { active: false } });
  assert.deepEqual(await idsOf('reachable=true'), [world.first.userId, here.id]);
  assert.deepEqual(await idsOf('reachable=false'), [away.id]);
  const { reachability } = await listed('include=reachability');
  assert.deepEqual(reachability[here.id], {
    reachable: true,
    // Whoever adds a person verifies their e-mail; that proves nothing.
    channels: [
      { channel: 'email', reachable: true, reachability: 'likely', reason: 'Not confirmed yet.' },
    ],
  });
  assert.equal(reachability[away.id].reason, 'The person is not active.');
  assert.equal('reachability' in (await listed('')), false);
  assert.equal((await call('GET /users?include=shoes')).status, 422);
});

test('where no mail server is set, mail reaches nobody', async () => {
  await using quiet = await peopleWorld(undefined, false);
  const answer = await quiet.call('GET /users?reachable=false&include=reachability');
  const [owner] = answer.body.data;
  assert.match(answer.body.reachability[owner.id].channels[0].reason, /^E-mail is not set up/);
});
