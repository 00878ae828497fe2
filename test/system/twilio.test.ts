// Twilio on a whole server: an account is connected, a person is called and texted, and answers by a
// key and by a text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { type SentCallback, startFakeTwilio } from '../vendors/twilio.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import type { Settings } from './server-process.ts';
import { signIn } from './sign-in.ts';

const password = 'correct horse battery';
const number = '+4915112345678';
async function start(stack: AsyncDisposableStack, settings: Settings = {}) {
  const twilio = stack.use(await startFakeTwilio());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: `twilio=${twilio.url}`,
      ...settings,
    }),
  );
  const connection = await pager.api.create('channel-connections', {
    name: 'Twilio',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    settings: {
      account_sid: twilio.account.sid,
      from_phone: twilio.number,
      from_sms: twilio.number,
      allowed_prefixes: ['+49'],
      calls_per_second: 10,
      messages_per_second: 10,
    },
  });
  const person = await pager.api.create('users', {
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  for (const [index, channel] of ['phone', 'sms'].entries())
    await addNumber(pager, person.id, { channel, id: String(index).repeat(24) });
  return { twilio, pager, connection, person };
}

type Added = { readonly channel: string; readonly id: string };

async function addNumber({ sql }: InProcess, userId: string, { channel, id }: Added) {
  await sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${id}, id, ${channel}, ${number}, now(), now()
    from users where id = ${userId}`;
  return id;
}

type World = Awaited<ReturnType<typeof start>>;

async function post(url: string, { fields, signature }: SentCallback) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signature,
  };
  const body = new URLSearchParams(fields).toString();
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

async function page({ pager, person }: World, via: 'phone' | 'sms', title = 'Disk full') {
  const [policy] = await pager.api.list('escalation-policies');
  const targets = [{ via, user_id: person.id }];
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [{ targets, escalate_after_minutes: 5 }, { targets }],
  });
  assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title });
}

async function assertAcknowledged({ pager, person }: World, via: string) {
  const proved = await pager.sql`
    select channel from contact_proofs p join contacts c on c.id = p.contact_id`;
  assert.deepEqual(
    proved.map(({ channel }) => channel),
    via === 'phone' ? [via] : [],
    'the sender of an SMS can be forged',
  );
  const [incident] = await pager.api.list('incidents');
  assert.equal(incident.status, 'acknowledged');
  const { body } = await pager.api.send(`GET /incidents/${incident.id}/timeline?limit=200`);
  const entry = body.data.find((each: { type: string }) => each.type === 'acknowledged');
  assert.deepEqual([entry.actor.id, entry.actor.via], [person.id, via]);
  assert.equal(entry.actor.from, via === 'sms' ? '…5678' : undefined);
}

test('a person is called, hears the page, and acknowledges with a key', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio } = world;
  await page(world, 'phone');
  await eventually('the call', () => twilio.calls.length === 1);
  const [call] = twilio.calls;
  assert.ok(call);
  await twilio.ring(call.sid);
  const phone = await twilio.answer(call.sid);
  assert.equal(await phone.press('*'), true);
  assert.equal(await phone.press('4'), true);
  await phone.listen();
  assert.match(phone.heard.join(' '), /Acknowledged.* Goodbye\.$/);
  await assertAcknowledged(world, 'phone');
  const { pager, connection } = world;
  const usage = async () =>
    (await pager.api.send(`GET /channel-connections/${connection.id}`)).body.usage[0];
  await eventually('the call is counted', async () => (await usage()).call_seconds === 12);
  const { month: _month, ...counted } = await usage();
  const sums = { messages: 1, segments: 0, call_seconds: 12 };
  assert.deepEqual(counted, { ...sums, countries: [{ country: '+49', ...sums }] });
  assert.deepEqual(
    twilio.callbacks.map(({ status }) => status),
    twilio.callbacks.map(() => 200),
  );
});

test('a telephone stops to ring once somebody else has acknowledged', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager } = world;
  await page(world, 'phone');
  await eventually('the call', () => twilio.calls.length === 1);
  const [call] = twilio.calls;
  assert.ok(call);
  await twilio.ring(call.sid);
  const [incident] = await pager.api.list('incidents');
  const { status } = await pager.api.send(`POST /incidents/${incident.id}/acknowledge`, {});
  assert.equal(status, 200);
  const isReported = () =>
    twilio.callbacks.some(({ fields }) => fields['CallStatus'] === 'canceled');
  await eventually('the end of the call', isReported);
  assert.equal(twilio.calls.length, 1);
});

test('a person gets an SMS, and acknowledges by answering it', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, connection } = world;
  twilio.setMessageWebhook(`${pager.url}/callbacks/sms/${connection.id}`);
  twilio.setHabit(number, { type: 'receives' });
  await page(world, 'sms');
  await eventually('the message', () => twilio.messages.length === 1);
  await twilio.settled();
  assert.match(twilio.messages[0]?.body ?? '', /Disk full - 4 1 ack, 6 1 resolve, 9 1 escalate$/);
  const [answer, ...more] = await twilio.text(number, '4 1');
  assert.deepEqual([answer, more], ['Acknowledged: INC-1.', []]);
  await assertAcknowledged(world, 'sms');
  const url = `${pager.url}/callbacks/sms/${connection.id}`;
  const forged = await twilio.forge(url, { MessageSid: 'SM1', From: number, Body: '6 1' });
  assert.equal(forged.status, 401);
});

test('what Twilio sends twice acts once; what is forged or of no connection does nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, connection } = world;
  await page(world, 'phone');
  const call = await eventually('the call', () => twilio.calls[0]);
  await twilio.ring(call.sid);
  const phone = await twilio.answer(call.sid);
  await phone.press('9');
  const [incident] = await pager.api.list('incidents');
  const entries = async () => {
    const { body } = await pager.api.send(`GET /incidents/${incident.id}/timeline?limit=200`);
    const types: string[] = body.data.map(({ type }: { type: string }) => type);
    // Of the next step, whose call begins meanwhile.
    return types.filter((type) => type !== 'notice_handed_over');
  };
  await eventually('the report of the key', async () => (await entries()).includes('notice_sent'));
  const before = await entries();
  assert.equal(before.filter((type) => type === 'escalated').length, 1);

  // All of it again, the last first.
  for (const sent of twilio.callbacks.toReversed())
    assert.equal((await post(sent.url, sent)).status, 200);
  const key = twilio.callbacks.find(({ fields }) => fields['Digits'] === '9');
  assert.ok(key);
  assert.match((await post(key.url, key)).text, /Escalated/);
  const forged = { ...key, fields: { ...key.fields, Digits: '4' } };
  assert.equal((await post(key.url, forged)).status, 401);
  const elsewhere = key.url.replace(connection.id, 'f'.repeat(24));
  assert.equal((await post(elsewhere, key)).status, 404);
  assert.deepEqual(await entries(), before);
  // However many are forged, what is rightly signed is done.
  const forgeries = Array.from({ length: 30 }, () => post(key.url, forged));
  for (const { status } of await Promise.all(forgeries)) assert.equal(status, 401);
  assert.equal((await post(key.url, key)).status, 200);
  const large = { ...key, fields: { ...key.fields, Digits: '4'.repeat(1_100_000) } };
  assert.equal((await post(key.url, large)).status, 413);
  assert.equal((await pager.api.send(`DELETE /channel-connections/${connection.id}`)).status, 200);
  await eventually('its end', async () => (await post(key.url, key)).status === 404);
});

test('a number that takes no SMS, or wants none, no longer works', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, connection, person } = world;
  const url = `${pager.url}/callbacks/sms/${connection.id}`;
  twilio.setMessageWebhook(url);
  await pager.api.create('channel-connections', {
    name: 'Another',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    settings: { ...connection.settings, account_sid: `AC${'1'.repeat(32)}` },
  });
  const stateOf = async () => {
    const [row] = await pager.sql`
      select state from contacts where user_id = ${person.id} and channel = 'sms'`;
    return row?.['state'] ?? null;
  };
  await twilio.text(number, 'STOP');
  assert.equal(await stateOf(), 'opted_out');
  const stopped = twilio.callbacks.at(-1);
  await twilio.text(number, 'START');
  assert.equal(await stateOf(), null);
  assert.ok(stopped);
  assert.equal((await post(stopped.url, stopped)).status, 200);
  assert.equal(await stateOf(), null, 'a STOP that comes again is not of what was sent since');
  twilio.setHabit(number, { type: 'out_of_reach', code: 30006 });
  const strikes = () => pager.sql`select from contact_strikes`;
  await page(world, 'sms');
  await eventually('the first report', async () => (await strikes()).length === 1);
  assert.equal(await stateOf(), null, 'carriers report that by mistake, too');
  await pager.pass({ minutes: 5 });
  // Of another incident: the first one may have paged by its next step already.
  await page(world, 'sms', 'Memory full');
  await eventually('the end of the contact', async () => (await stateOf()) === 'invalid');
  const isBad = ({ fields }: SentCallback) => fields['ErrorCode'] === '30006';
  const reported = await eventually('the report', () => twilio.callbacks.find(isBad));
  await pager.sql`
    update contacts set verified_at = now(), state = null, state_reason = null, state_at = null
    where user_id = ${person.id} and channel = 'sms'`;
  assert.equal((await post(reported.url, reported)).status, 200);
  assert.equal(
    await stateOf(),
    null,
    'a report that comes again is not of the contact as it is now',
  );
});

test('whoever answers STOP is told by mail, and while on call so are admins', async () => {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer());
  const world = await start(stack, {
    PAGER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    PAGER_MAIL_FROM: 'Pager <pager@example.test>',
  });
  const { twilio, pager, connection, person } = world;
  twilio.setMessageWebhook(`${pager.url}/callbacks/sms/${connection.id}`);
  await pager.api.create('on-calls', {
    name: 'Shop',
    layers: [{ users: [person.id], rotation: { length: 1, unit: 'days', handoff: '08:00' } }],
  });
  await twilio.text(number, 'STOP');
  const aboutLoss = (address: string) =>
    mail.arrival(
      `the mail to ${address}`,
      ({ to, subject }) => to === address && /no longer works/.test(subject),
    );
  const own = await aboutLoss('ada@example.test');
  assert.equal(own.subject, 'One of your contacts no longer works: SMS to …5678');
  assert.match(own.text, /Send START from that phone/);
  assert.ok(own.text.includes(`${pager.url}/me`));
  const toOwner = await aboutLoss('owner@example.test');
  assert.match(toOwner.subject, /: Ada Example, SMS to …5678$/);
  assert.ok(toOwner.text.includes(`${pager.url}/users/${person.id}`));
  await twilio.text(number, 'START');
  await twilio.text(number, 'STOP');
  const rows = await pager.sql`select from outbox where kind = 'contact_lost'`;
  assert.equal(rows.length, 2, 'once a day');

  const [policy] = await pager.api.list('escalation-policies');
  const targets = [{ via: 'sms', user_id: person.id }];
  const steps = [{ targets }];
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  const why = /no verified sms contact: someone sent STOP by SMS \(since 20[-\d]+T[:\d]+Z\)/;
  assert.match(String(saved.body.warnings), why);
  const [integration] = await pager.api.list('integrations');
  const event = { title: 'Disk full' };
  const { body: story } = await pager.api.send('POST /simulate', {
    integration_id: integration.id,
    event,
  });
  await postJson(integration.webhook_url, event);
  const [incident] = await pager.api.list('incidents');
  const path = `GET /incidents/${incident.id}/timeline?limit=200`;
  const { body: timeline } = await pager.api.send(path);
  for (const { text } of [story.entries, timeline.data].map((entries) =>
    entries.find(({ text: one }: { text: string }) => one.startsWith('Step 1')),
  ))
    assert.match(text, why);
});

/** A person who was paged by SMS for these, in their order. */
async function pagedBySms(stack: AsyncDisposableStack, titles: readonly string[]) {
  const world = await start(stack);
  const { twilio, pager, connection } = world;
  twilio.setMessageWebhook(`${pager.url}/callbacks/sms/${connection.id}`);
  twilio.setHabit(number, { type: 'receives' });
  await page(world, 'sms');
  await eventually('the message', () => twilio.messages.length === 1);
  await twilio.settled();
  const [integration] = await pager.api.list('integrations');
  const open = async (title: string) => {
    const before = twilio.messages.length;
    await postJson(integration.webhook_url, { title });
    await eventually(`the message about ${title}`, () => twilio.messages.length > before);
    await twilio.settled();
  };
  for (const title of titles) await open(title);
  const answerTo = async (text: string) => {
    const [answer, ...more] = await twilio.text(number, text);
    assert.deepEqual(more, []);
    return answer;
  };
  const statusOf = async (incident: number) =>
    (await pager.api.send(`GET /incidents/${incident}`)).body.status;
  return { ...world, open, answerTo, statusOf };
}

test('a bare verb acts on the one incident whose page was sent last', async () => {
  await using stack = new AsyncDisposableStack();
  const { open, answerTo, statusOf } = await pagedBySms(stack, []);
  assert.equal(await answerTo('ok'), 'Acknowledged: INC-1.');
  await open('Cache full');
  assert.equal(await answerTo('4'), 'Acknowledged: INC-2.', 'INC-1 is acknowledged');
  const which =
    'Nothing was changed. Open: INC-2 (acknowledged), INC-1 (acknowledged). Send, for example: 4 2';
  assert.equal(await answerTo('ack'), which);
  await open('Queue full');
  await open('Log full');
  assert.match((await answerTo('4')) ?? '', /^Nothing was changed\. Open: INC-4, INC-3, INC-2 /);
  assert.equal(await answerTo('4 4'), 'Acknowledged: INC-4.');
  const proposed = 'Nothing was changed. To acknowledge INC-3, send: 4 3';
  assert.equal(await answerTo('ack'), proposed, 'its page is not what was sent last');
  assert.equal(await answerTo('43'), proposed);
  assert.equal(await answerTo('ack'), proposed, 'at once, as often as they write');
  assert.equal(await statusOf(3), 'triggered');
  assert.equal(await answerTo('ack3'), 'Acknowledged: INC-3.');
});

test('what stands beside a verb and a number is a note', async () => {
  await using stack = new AsyncDisposableStack();
  const { pager, twilio, answerTo } = await pagedBySms(stack, ['Cache full', 'Queue full']);
  const notesOf = async (incident: number) => {
    const { body } = await pager.api.send(`GET /incidents/${incident}/timeline?limit=200`);
    return body.data
      .filter(({ type }: { type: string }) => type === 'note')
      .map(({ text, actor }: { text: string; actor: { via: string } }) => [text, actor.via]);
  };
  assert.equal(await answerTo('ack 1 thanks'), 'Acknowledged: INC-1.');
  assert.deepEqual(await notesOf(1), [['thanks', 'sms']]);
  assert.equal(await answerTo('ack 2 👍'), 'Acknowledged: INC-2.');
  assert.equal(await answerTo('Ack 3\n-- \nAda Example\n+49 151 1234'), 'Acknowledged: INC-3.');
  assert.deepEqual([await notesOf(2), await notesOf(3)], [[], []]);
  assert.match((await answerTo('ack 1 again, on my way')) ?? '', /^Nothing was changed: INC-1 is /);
  assert.deepEqual(
    (await notesOf(1))
      .flat()
      .filter((text: string) => text !== 'sms')
      .sort(),
    [...['again, on my way', 'thanks']],
  );
  const last = twilio.callbacks.at(-1);
  assert.ok(last);
  assert.equal((await post(last.url, last)).status, 200);
  assert.equal((await notesOf(1)).length, 2, 'what is sent twice is noted once');
});

test('whoever was paged gets an answer to everything', async () => {
  await using stack = new AsyncDisposableStack();
  const { pager, open, answerTo, statusOf } = await pagedBySms(stack, []);
  const menu =
    'Nothing was changed. For INC-1, send: 4 1 to acknowledge, 6 1 to resolve, 9 1 to escalate';
  const toAcknowledge = 'Nothing was changed. To acknowledge INC-1, send: 4 1';
  const toResolve = 'Nothing was changed. To resolve INC-1, send: 6 1';
  for (const [text, answer] of [
    ['41', toAcknowledge],
    ["can't resolve 1", toResolve],
    ['1 nicht lösen', toResolve],
    ['no puedo resolver 1', toResolve],
    ['ne pas fermer 1', toResolve],
    ['I am driving', menu],
    ['I am driving', menu],
    ['👍', menu],
    ['yes', menu],
    ['ack 7', 'There is no INC-7.'],
  ] as const)
    assert.equal(await answerTo(text), answer, text);
  assert.equal(await statusOf(1), 'triggered');

  // A machine that answers every answer does so for a while only, and keeps nobody from acting.
  let answers = 10;
  while (answers < 100 && (await answerTo('I am driving')) !== undefined) answers += 1;
  assert.equal(answers, 20);
  assert.equal(await answerTo('ack 1'), 'Acknowledged: INC-1.');
  assert.equal(await answerTo('I am driving'), undefined);
  await open('Cache full');
  assert.match((await answerTo('hm')) ?? '', /^Nothing was changed\. Open: INC-2, /);
  const { body } = await pager.api.send('GET /incidents/2');
  assert.equal(body.status, 'triggered');
});

test('whoever is unknown is answered once an hour', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio } = await pagedBySms(stack, []);
  const stranger = '+4915199999999';
  assert.deepEqual(await twilio.text(stranger, 'Who is this?'), [
    'Pager does not know this number. To be paged here, sign in to Pager, open Me and add it.',
  ]);
  assert.deepEqual(await twilio.text(stranger, '4 1'), []);
});

test('an SMS does no more than its connection allows', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, connection, person } = world;
  twilio.setMessageWebhook(`${pager.url}/callbacks/sms/${connection.id}`);
  twilio.setHabit(number, { type: 'receives' });
  const allow = async (sms_actions: string) => {
    const path = `/channel-connections/${connection.id}`;
    const saved = await pager.api.send(`PATCH ${path}`, { settings: { sms_actions } });
    assert.equal(saved.status, 200);
  };
  const refusals = async () => {
    const [incident] = await pager.api.list('incidents');
    const { body } = await pager.api.send(`GET /incidents/${incident.id}/timeline?limit=200`);
    return body.data.filter((each: { type: string }) => each.type === 'refused');
  };
  await allow('none');
  await page(world, 'sms');
  await eventually('the message', () => twilio.messages.length === 1);
  assert.match(twilio.messages[0]?.body ?? '', /Disk full .+\/incidents\/1$/);
  const nothing = 'SMS replies have no effect. Open Pager.';
  for (const text of ['4 1', 'ack', '4 7', 'Who is this?'])
    assert.deepEqual(await twilio.text(number, text), [nothing], text);
  await allow('acknowledge');
  assert.deepEqual(await twilio.text(number, '6 1'), [
    'By SMS you can only acknowledge. Open Pager for everything else.',
  ]);
  const [refused, ...others] = await refusals();
  assert.deepEqual(others, [], 'once for each person');
  assert.equal(
    refused.text,
    'Ada Example tried to acknowledge by SMS and was refused: SMS replies have no effect',
  );
  assert.equal(refused.actor.id, person.id);
  assert.deepEqual(await twilio.text(number, '4 1'), ['Acknowledged: INC-1.']);
  await assertAcknowledged(world, 'sms');
  const wrong = await pager.api.send(`PATCH /channel-connections/${connection.id}`, {
    settings: { sms_actions: 'some' },
  });
  assert.equal(wrong.status, 422);
  assert.match(JSON.stringify(wrong.body), /settings\.sms_actions/);
});

test('an SMS of somebody unknown does nothing, and is noted once', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, connection } = world;
  twilio.setMessageWebhook(`${pager.url}/callbacks/sms/${connection.id}`);
  await page(world, 'sms');
  await eventually('the message', () => twilio.messages.length === 1);
  const unknown = (text: string) => twilio.text('+4915199994321', text);
  const answer =
    'Pager does not know this number. To be paged here, sign in to Pager, open Me and add it.';
  assert.deepEqual(await unknown('4 1'), [answer]);
  assert.deepEqual(await unknown('6 1'), [], 'an answer in an hour');
  const [incident] = await pager.api.list('incidents');
  assert.equal(incident.status, 'triggered');
  const { body } = await pager.api.send(`GET /incidents/${incident.id}/timeline?limit=200`);
  const refused = body.data.filter((each: { type: string }) => each.type === 'refused');
  assert.deepEqual(
    refused.map(({ text }: { text: string }) => text),
    ['An unknown person by SMS, …4321, tried to acknowledge and was refused'],
  );
  assert.doesNotMatch(JSON.stringify(body), /15199994321/);
});

test('a connection is checked by itself, and names the setting that is wrong', async () => {
  await using stack = new AsyncDisposableStack();
  const { pager, connection } = await start(stack);
  const path = `/channel-connections/${connection.id}`;
  const health = async () => (await pager.api.send(`GET ${path}`)).body.health;
  await eventually('it is accepted', async () => (await health()).state === 'ok');
  await pager.api.send(`PATCH ${path}`, { secrets: { auth_token: 'x'.repeat(32) } });
  await eventually('it is refused', async () => (await health()).state === 'failing');
  assert.match((await health()).reason, /set account_sid and auth_token/);
  const { body } = await pager.api.send(`GET ${path}`);
  assert.equal(body.enabled, true, 'nothing is switched off by itself');
  await pager.sql`
    update connection_health set failing_since = failing_since - interval '10 minutes'`;
  await pager.sql`update connection_checks set check_at = '-infinity'`;
  await eventually('the mail to the owner', async () => {
    const rows = await pager.sql`
      select from outbox where kind = 'connection_failing' and channel = 'email' and state = 'sent'`;
    return rows.length === 1;
  });
});

test('a connection is tested, and says why it is refused', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio, pager, connection } = await start(stack);
  const path = `/channel-connections/${connection.id}`;
  const check = async () => {
    const { body } = await pager.api.send(`POST ${path}/test`, {});
    return body.checks[0];
  };
  const healthOf = async () => (await pager.api.send(`GET ${path}`)).body.health.state;
  assert.equal((await check()).message, 'The account “Acme” answers.');
  const owner = await signIn(pager, password);
  const { body: me } = await owner('GET /users/me');
  const contact = await addNumber(pager, me.id, { channel: 'phone', id: 'd'.repeat(24) });
  twilio.misbehave('POST /Calls.json', {
    type: 'refuse',
    status: 400,
    code: 21211,
    message: 'Invalid number',
  });
  const called = await owner(`POST ${path}/test`, { contact_id: contact });
  assert.equal(called.body.checks.at(-1).ok, false);
  assert.equal(await healthOf(), 'ok');
  twilio.revokeToken();
  assert.match((await check()).message, /set account_sid and auth_token/);
  assert.equal(await healthOf(), 'failing');
  const limited = () => owner(`POST ${path}/test`, { contact_id: contact });
  const statuses: number[] = [];
  for (let sent = 1; sent < 6; sent += 1) statuses.push((await limited()).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 429], 'as any other test of the person');
});

test('the sixth page does not wait for a connection that has failed five times', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, connection } = world;
  const account_sid = `AC${'0'.repeat(32)}`;
  const wrong = await pager.api.create('channel-connections', {
    name: 'Suspended',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    position: 1,
    settings: { ...connection.settings, account_sid },
  });
  await pager.api.send(`PATCH /channel-connections/${connection.id}`, { position: 2 });
  await page(world, 'sms');
  const [integration] = await pager.api.list('integrations');
  for (const nth of [2, 3, 4, 5, 6]) {
    await eventually('the message', () => twilio.messages.length === nth - 1);
    await postJson(integration.webhook_url, { title: `Disk ${nth} full` });
  }
  await eventually('the last message', () => twilio.messages.length === 6);
  const { body } = await pager.api.send(`GET /channel-connections/${wrong.id}`);
  assert.equal(body.health.state, 'failing');
  assert.match(body.health.reason, /account_sid/);
  assert.ok(body.health.failing_since < body.health.circuit_open_until);
  const metrics = await (await fetch(`${pager.url}/metrics`)).text();
  assert.match(metrics, /pager_connection_circuits_total\{vendor="twilio",to="open"\} 1/);
  assert.match(metrics, /pager_vendor_answers_total\{vendor="twilio",outcome="refusal"\} 5/);
});

test('a write that leaves a channel without a connection tells who relies on it', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { pager, connection, twilio } = world;
  await page(world, 'sms');
  const [policy] = await pager.api.list('escalation-policies');
  const path = `/channel-connections/${connection.id}`;
  const uses = [
    'No connection serves the channel sms anymore, so it reaches nobody. People with a verified contact on it: Ada Example.',
    `The escalation policy "${policy.name}" (${policy.id}) still uses the channel sms.`,
  ];
  const callsOnly = await pager.api.send(`PATCH ${path}`, { settings: { from_sms: null } });
  assert.deepEqual(callsOnly.body.warnings, uses);
  const both = { settings: { from_sms: twilio.number } };
  assert.equal('warnings' in (await pager.api.send(`PATCH ${path}`, both)).body, false);
  const second = await pager.api.create('channel-connections', {
    name: 'Second',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    settings: { ...connection.settings, account_sid: `AC${'0'.repeat(32)}` },
  });
  const off = await pager.api.send(`PATCH /channel-connections/${second.id}`, { enabled: false });
  assert.equal('warnings' in off.body, false, 'the first one is left');
  const archived = await pager.api.send(`DELETE ${path}`);
  assert.deepEqual(archived.body.warnings, [
    'No connection serves the channel phone anymore, so it reaches nobody. People with a verified contact on it: Ada Example.',
    ...uses,
  ]);
});

test('a receipt that blames the connection counts as its failure', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { pager, connection, twilio } = world;
  twilio.setHabit(number, { type: 'out_of_reach', code: 30034 });
  await page(world, 'sms');
  // What is sent next is accepted again at first.
  await eventually('the receipt', async () => {
    const { health } = (await pager.api.send(`GET /channel-connections/${connection.id}`)).body;
    const { state, reason } = health;
    return state === 'failing' && /not registered with the carriers \(30034\)/.test(reason);
  });
  await twilio.settled();
});
