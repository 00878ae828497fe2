// A handoff between two people on the real server: mail, a chat and an outbound webhook, over the
// network.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { built } from '../dashboard/built.ts';
import { type Received, startWebhookServer } from '../webhook-server.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';
import { startChatServer, startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const hopper = {
  first_name: 'Grace',
  last_name: 'Hopper',
  email: 'grace@example.test',
  role: 'responder',
};

test('at a handoff one person is relieved, the next is told, and others hear of both', async () => {
  await built();
  await using mail = await startMailServer();
  await using chat = await startChatServer('answers');
  await using hook = await startWebhookServer((_request, response) => response.end());
  await using server = await startInProcess(postgres, {
    ...mailTo(mail),
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
  });
  const { api } = server;
  const [ada] = await api.list('users');
  const grace = await api.create('users', hopper);
  const webhook = await api.create('outbound-webhooks', {
    name: 'Roster',
    url: `${hook.url}/roster`,
    method: 'POST',
    headers: { 'x-secret': 'for incidents only' },
  });
  const secrets = await api.send(`GET /outbound-webhooks/${webhook.id}/secrets`);
  const organization = await api.send('PATCH /organization', {
    shift_notifications: {
      slack: [{ webhook_url: chat.url, channel_name: '#on-call' }],
      outbound_webhook_ids: [webhook.id],
    },
  });
  assert.equal(organization.status, 200, JSON.stringify(organization.body));
  const wishes = await api.send(`PUT /users/${ada.id}/notifications`, { shift_end: ['email'] });
  assert.equal(wishes.status, 200, JSON.stringify(wishes.body));

  const handoff = inMinutes(30);
  const schedule = await api.create('on-calls', {
    name: 'Payments',
    layers: [
      {
        users: [ada.id, grace.id],
        rotation: { length: 1, unit: 'days', handoff: timeOf(handoff) },
      },
    ],
  });
  const arrival = (to: string, words: RegExp) =>
    mail.mails.find((one) => one.to === to && words.test(one.subject));
  await eventually('Ada is told that her shift starts', () => arrival(ada.email, /on call now/));
  await eventually('the webhook hears of it', () => hook.received.length === 1);

  await server.pass({ minutes: 30 });
  await eventually('Grace is told that her shift starts', () =>
    arrival(grace.email, /on call now/),
  );
  await eventually('Ada is told that hers has ended', () => arrival(ada.email, /has ended/));
  await eventually('the webhook hears of both', () => hook.received.length === 3);
  await eventually('the chat hears of all three', () => chat.messages.length === 3);
  assert.equal(arrival(grace.email, /has ended/), undefined);

  const [first, end, start] = hook.received.map((each) => ({
    ...each,
    arrival: JSON.parse(each.body),
  }));
  assert.ok(first && end && start);
  assert.deepEqual(
    [first, end, start].map((each) => [each.arrival.event_type, each.arrival.user.email]),
    [
      ['oncall_shift_start', ada.email],
      ['oncall_shift_end', ada.email],
      ['oncall_shift_start', grace.email],
    ],
  );
  assert.equal(first.arrival.oncall.shift.id, end.arrival.oncall.shift.id);
  assert.equal(end.arrival.oncall.shift.end, start.arrival.oncall.shift.start);
  assert.equal(end.arrival.oncall.shift.end, textOf(handoff));
  for (const each of [first, end, start]) {
    assert.equal(each.method, 'POST');
    assert.equal(each.arrival.oncall.id, schedule.id);
    assert.equal(each.headers['x-secret'], undefined, 'custom headers are for incidents only');
    assert.ok(isSigned(each, secrets.body.data[0].secret), 'its signature is right');
  }

  const page = await fetch(end.arrival.oncall.url, { redirect: 'manual' });
  assert.notEqual(page.status, 404, 'the permalink leads somewhere');
  const now = await api.send(`GET /on-calls/${schedule.id}/now`);
  assert.equal(now.body.now.user.id, grace.id);
  const events = await api.list(`on-calls/${schedule.id}/events`);
  assert.deepEqual(
    events.map(({ type, announced }) => [type, announced]),
    [
      ['start', true],
      ['end', true],
      ['start', true],
    ],
  );
});

test('whoever is on call instead of a person who left is told and paged, and the leaver is not', async () => {
  await using mail = await startMailServer();
  await using server = await startInProcess(postgres, mailTo(mail));
  const { api } = server;
  const [ada] = await api.list('users');
  const grace = await api.create('users', hopper);
  const [policy] = await api.list('escalation-policies');
  const rotation = { length: 1, unit: 'weeks' };
  const schedule = await api.create('on-calls', {
    name: 'Payments',
    layers: [
      { users: [ada.id], rotation },
      { users: [grace.id], rotation },
    ],
  });
  const steps = [{ targets: [{ via: 'email', oncall_schedule_id: schedule.id }] }];
  const paging = await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.equal(paging.status, 200, JSON.stringify(paging.body));
  const to = ({ email }: { readonly email: string }) =>
    mail.mails.filter((one) => one.to === email);
  const arrival = (person: { readonly email: string }, words: RegExp) =>
    eventually(`${person.email}: ${words}`, () =>
      to(person).find((one) => words.test(one.subject)),
    );
  await arrival(grace, /on call now/);
  assert.deepEqual(to(ada), []);

  const left = await api.send(`PATCH /users/${grace.id}`, { active: false });
  assert.equal(left.status, 200, JSON.stringify(left.body));
  await arrival(ada, /on call now/);
  const [service] = await api.list('services');
  await api.create('incidents', { title: 'Disk full', service_id: service.id });
  await arrival(ada, /Disk full/);
  const subjects = to(grace).map(({ subject }) => subject);
  assert.equal(subjects.length, 1, subjects.join('\n'));
});

/** A whole minute, at most so many from now: time enough to make what hands off then. */
const inMinutes = (minutes: number) =>
  Temporal.Now.instant()
    .toZonedDateTimeISO('UTC')
    .add({ minutes })
    .round({ smallestUnit: 'minute', roundingMode: 'floor' });

const timeOf = (at: Temporal.ZonedDateTime) => at.toPlainTime().toString().slice(0, 5);
const textOf = (at: Temporal.ZonedDateTime) =>
  at.toInstant().toString({ fractionalSecondDigits: 3 });

/** As Standard Webhooks has it. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}
