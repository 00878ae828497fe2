// Twilio on a server that it cannot call, such as one on a laptop: what people answer to an SMS is
// listed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startInProcess } from './in-process.ts';

const number = '+4915112345678';
/** A person whom the only policy pages. */
async function start(stack: AsyncDisposableStack, via: 'phone' | 'sms' = 'sms') {
  let ahead = 0;
  const now = () => Temporal.Now.instant().add({ minutes: ahead });
  const twilio = stack.use(await startFakeTwilio(now));
  const polls = () => twilio.requests.filter(({ fields }) => 'DateSent>' in fields).length;
  const listen = `127.0.0.1:${await freePort()}`;
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_LISTEN: listen,
      PAGER_PUBLIC_URL: listen.replace('127.0.0.1', 'http://localhost'),
      PAGER_VENDOR_URLS: `twilio=${twilio.url}`,
    }),
  );
  const connection = await pager.api.create('channel-connections', {
    name: 'Twilio',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    settings: {
      account_sid: twilio.account.sid,
      from_sms: twilio.number,
      from_phone: twilio.number,
      allowed_prefixes: ['+49'],
      messages_per_second: 10,
    },
  });
  const person = await pager.api.create('users', {
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  await pager.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'1'.repeat(24)}, id, ${via}, ${number}, now(), now()
    from users where id = ${person.id}`;
  const [policy] = await pager.api.list('escalation-policies');
  const targets = [{ via, user_id: person.id }];
  await pager.api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [{ targets, escalate_after_minutes: 60 }],
  });
  twilio.setHabit(number, { type: 'receives' });
  const later = async (minutes: number) => {
    await pager.pass({ minutes });
    ahead += minutes;
  };
  return {
    twilio,
    pager,
    connection,
    person,
    async page(title = 'Disk full') {
      const before = twilio.messages.length;
      const [integration] = await pager.api.list('integrations');
      await postJson(integration.webhook_url, { title });
      await eventually('the page', () => twilio.messages.length > before);
      await twilio.settled();
    },
    later,
    /** The time goes on, and Twilio is polled. */
    async pass(minutes: number) {
      await later(minutes);
      const before = polls();
      await eventually('a poll', () => polls() > before);
    },
    bodies: () => twilio.messages.map(({ body }) => body).toReversed(),
  };
}

test('a person answers an SMS to a server without a public address', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, person, bodies } = world;
  await twilio.text(number, 'Good morning');
  await world.page();
  assert.match(bodies()[0] ?? '', /Disk full - 4 1 ack, 6 1 resolve, 9 1 escalate$/);
  assert.equal(twilio.messages[0]?.statusCallback, null);
  await twilio.text(number, '4 1');
  await world.pass(1);
  await eventually('the answers', () => bodies().length === 3);
  assert.deepEqual(bodies().slice(1), [
    'Nothing was changed. For INC-1, send: 4 1 to acknowledge, 6 1 to resolve, 9 1 to escalate',
    'Acknowledged: INC-1.',
  ]);
  const [incident] = await pager.api.list('incidents');
  assert.equal(incident.status, 'acknowledged');
  const { body } = await pager.api.send(`GET /incidents/${incident.id}/timeline?limit=200`);
  const entry = body.data.find((each: { type: string }) => each.type === 'acknowledged');
  assert.deepEqual([entry.actor.id, entry.actor.via], [person.id, 'sms']);
  // It is listed again, and acts once.
  await pager.api.send(`POST /incidents/${incident.id}/resolve`, {});
  await pager.api.send(`POST /incidents/${incident.id}/reopen`, {});
  const stateOf = async () => (await pager.api.list('incidents'))[0].status;
  const reopened = await stateOf();
  await world.pass(1);
  await world.pass(1);
  assert.equal(await stateOf(), reopened);
  const acknowledgements = bodies().filter((text) => text === 'Acknowledged: INC-1.');
  assert.equal(acknowledgements.length, 1);
});

test('what was written long before acts only with a number; STOP counts', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, bodies } = world;
  await twilio.text(number, 'ack');
  await world.later(30);
  await world.page();
  await world.pass(1);
  await eventually('the answer', () => bodies().length === 2);
  assert.equal(bodies()[1], 'Nothing was changed. To acknowledge INC-1, send: 4 1');
  const [incident] = await pager.api.list('incidents');
  assert.equal(incident.status, 'triggered');
  await twilio.text(number, 'STOP');
  await world.pass(1);
  await eventually('the end of the contact', async () => {
    const rows = await pager.sql`select from contacts where state = 'opted_out'`;
    return rows.length === 1;
  });
});

test('a poll that fails is shown, until one succeeds', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, connection } = world;
  const health = async () =>
    (await pager.api.send(`GET /channel-connections/${connection.id}`)).body.health;
  await world.page();
  await world.pass(1);
  // Twice: Twilio may be polled by itself before the time is moved.
  for (let poll = 0; poll < 2; poll += 1)
    twilio.misbehave('GET /Messages.json', {
      type: 'refuse',
      status: 429,
      code: 20429,
      message: 'Too Many Requests',
    });
  await world.later(1);
  const failing = await eventually('the failure', async () => {
    const now = await health();
    return now.state === 'failing' && now;
  });
  assert.match(failing.reason, /too many requests at once/);
  for (let poll = 0; poll < 2; poll += 1) await world.pass(1);
  await eventually('a poll that succeeds', async () => (await health()).state === 'ok');
});

test('when a call stops to ring, the next one does not wait for a report', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio, pager } = await start(stack, 'phone');
  const [integration] = await pager.api.list('integrations');
  const open = (title: string) => postJson(integration.webhook_url, { title });
  await open('Disk full');
  const call = await eventually('the first call', () => twilio.calls[0]);
  await twilio.ring(call.sid);
  await open('Disk fuller');
  const [, first] = await eventually('both incidents', async () => {
    const incidents = await pager.api.list('incidents');
    return incidents.length === 2 && incidents;
  });
  const { status } = await pager.api.send(`POST /incidents/${first.id}/acknowledge`, {});
  assert.equal(status, 200);
  await eventually('the second call', () => twilio.calls.length === 2);
  assert.equal(call.status, 'canceled');
  const { body } = await pager.api.send(`GET /incidents/${first.id}/timeline?limit=200`);
  const texts: string[] = body.data.map(({ text }: { text: string }) => text);
  assert.ok(
    texts.some((text) => / was not delivered by Twilio.*: the call was cancelled$/.test(text)),
  );
});
