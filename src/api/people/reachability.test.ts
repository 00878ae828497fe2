import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { peopleWorld } from '../../../test/people-world.ts';
import { reachabilityOf } from './reachability.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const { call, person } = world;

type Named = { readonly id: string };
const listed = async (query: string) => (await call(`GET /users?${query}`)).body;
const idsOf = async (query: string) => (await listed(query)).data.map(({ id }: Named) => id);

test('a page reaches an active person by a verified contact on a channel that is set up', () => {
  const [active, email] = [{ active: true }, { channel: 'email', verified: true, state: null }];
  const reached = { channel: 'email', reachable: true };
  const usable = () => null;
  assert.deepEqual(reachabilityOf(active, [email], usable), {
    reachable: true,
    channels: [reached],
  });
  assert.deepEqual(reachabilityOf({ active: false }, [email], usable), {
    ...{ reachable: false, reason: 'The person is not active.', channels: [reached] },
  });
  assert.deepEqual(reachabilityOf(active, [], usable), {
    ...{ reachable: false, reason: 'The person has no contact.', channels: [] },
  });
  const noPhone = (channel: string) => (channel === 'phone' ? 'No phone here.' : null);
  const contacts = [
    { channel: 'sms', verified: false, state: null },
    { channel: 'phone', verified: false, state: null },
    { channel: 'phone', verified: true, state: null },
    { channel: 'telegram', verified: false, state: 'blocked' },
  ];
  assert.deepEqual(reachabilityOf(active, contacts, noPhone), {
    reachable: false,
    reason: 'The person has no verified contact on a channel that is set up.',
    channels: [
      { channel: 'phone', reachable: false, reason: 'No phone here.' },
      { channel: 'sms', reachable: false, reason: 'The contact is not verified.' },
      {
        ...{ channel: 'telegram', reachable: false },
        reason: 'The contact is not verified: the bot was blocked in Telegram.',
      },
    ],
  });
});

test('a list has who can be reached, and is narrowed by it', async () => {
  const [here, away] = [await person(), await person()];
  await call(`PATCH /users/${away.id}`, { key: world.first.key, body: { active: false } });
  assert.deepEqual(await idsOf('reachable=true'), [world.first.userId, here.id]);
  assert.deepEqual(await idsOf('reachable=false'), [away.id]);
  const { reachability } = await listed('include=reachability');
  assert.deepEqual(reachability[here.id], {
    reachable: true,
    channels: [{ channel: 'email', reachable: true }],
  });
  assert.equal(reachability[away.id].reason, 'The person is not active.');
  assert.equal('reachability' in (await listed('')), false);
  assert.equal((await call('GET /users?include=shoes')).status, 422);
});

test('where no mail server is set, mail reaches nobody', async () => {
  await using quiet = await peopleWorld(undefined, false);
  const answer = await quiet.call('GET /users?reachable=false&include=reachability');
  const [owner] = answer.body.data;
  assert.match(answer.body.reachability[owner.id].channels[0].reason, /^No mail server is set/);
});
