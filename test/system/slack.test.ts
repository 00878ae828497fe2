// A Slack app on a whole server: it is connected, posts to a channel, and hears who presses there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FakeSlack } from '../vendors/slack.ts';
import { startWebhookServer } from '../webhook-server.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { signIn } from './sign-in.ts';
import {
  ada,
  alert,
  channel,
  firstIncident,
  page,
  pagesTo,
  password,
  savePolicy,
  startWithSlack as start,
  textsOf,
  type World,
} from './slack-world.ts';

/** Whether nothing is to be changed of them now. */
const posts = ({ pager }: World) => pager.sql<{ isDone: boolean }[]>`
  select lease_until is null and (wake_at is null or wake_at > now() + interval '1 hour') as "isDone"
  from posted`;

const labels = ({ buttons }: { buttons: readonly { text: string }[] }) =>
  buttons.map(({ text }) => text);
const lastAnswer = ({ responses }: FakeSlack) => responses.at(-1)?.text ?? '';

/** What people have run on the first incident, and where. */
async function runs(world: World) {
  type Entry = { type: string; text: string; actor?: { via: string } };
  const { id } = await firstIncident(world);
  const { body } = await world.pager.api.send(`GET /incidents/${id}/timeline`);
  return (body.data as readonly Entry[])
    .filter(({ type }) => type === 'performed' || type === 'playbook_run')
    .map(({ text, actor }) => [text, actor?.via]);
}

/** What somebody is shown after that command. */
async function answered({ slack }: World, userId: string, text: string) {
  const before = slack.responses.length;
  slack.command(userId, text);
  await eventually(text, () => slack.responses.length > before);
  const shown = slack.responses.at(-1);
  assert.ok(shown);
  return shown;
}

/** What somebody is shown after they have chosen that option. */
async function chosen({ slack }: World, ...choice: Parameters<FakeSlack['choose']>) {
  const before = slack.responses.length;
  slack.choose(...choice);
  await eventually('the answer', () => slack.responses.length > before);
  const shown = slack.responses.at(-1);
  assert.ok(shown);
  return shown;
}

test('a policy pages a channel, and a person known by e-mail acknowledges there', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const message = await page(world, 'Disk full <!here> *now*');
  assert.deepEqual(new Set(message.mentions), new Set(['<!channel>']));
  assert.deepEqual(labels(message), ['Acknowledge', 'Resolve', 'Escalate']);

  const envelope = slack.press(ada, message.ts, 'Acknowledge', 2);
  await eventually('the edit', () => message.edits > 0);
  await eventually('both were acknowledged', () => slack.acknowledged.length === 2);
  assert.deepEqual(slack.acknowledged, [envelope, envelope]);
  assert.match(message.shown, /Acknowledged by .+, \d\d:\d\d/);
  assert.match(message.text, /Acknowledged by .+, \d\d:\d\d/);
  assert.deepEqual(labels(message), ['Resolve', 'Unacknowledge']);
  const incident = await firstIncident(world);
  assert.equal(incident.status, 'acknowledged');
  const { body: timeline } = await pager.api.send(`GET /incidents/${incident.id}/timeline`);
  const entries = timeline.data.filter((each: { type: string }) => each.type === 'acknowledged');
  const [owner] = await pager.api.list('users');
  assert.deepEqual(
    entries.map(({ actor }: { actor: { id: string; via: string } }) => [actor.id, actor.via]),
    [[owner.id, 'slack']],
  );
});

test('a later step stands below the first, which alone is kept up to date', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const target = { via: 'slack', channel_id: channel };
  await savePolicy(world, [
    { targets: [target], escalate_after_minutes: 5 },
    { targets: [target] },
  ]);
  const message = await alert(world, 'Disk full');
  slack.press(ada, message.ts, 'Escalate');
  const below = () => slack.messages.find(({ threadTs }) => threadTs === message.ts);
  await eventually('the second step', () => below() !== undefined);
  const recorded = async () =>
    (await pager.sql`select state from outbox`).every(({ state }) => state === 'sent');
  await eventually('both are recorded', recorded);
  const posted = await pager.sql`select message_id from posted`;
  assert.deepEqual([...posted], [{ message_id: message.ts }]);
  assert.deepEqual([below()?.edits, below()?.buttons], [0, []]);
});

test('what was done is said below the post once, whatever else is edited', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const message = await page(world, 'Disk full');
  const below = () => slack.messages.filter(({ threadTs }) => threadTs === message.ts);
  const { id } = await firstIncident(world);
  slack.press(ada, message.ts, 'Acknowledge');
  await eventually('the line', () => below().length === 1);
  assert.match(below()[0]?.shown ?? '', /^Acknowledged by .+, \d\d:\d\d/);
  await pager.api.send(`POST /incidents/${id}/priority`, { priority: 'p1' });
  await eventually('the priority', () => /p1/i.test(message.shown));
  const { edits } = message;
  // A line that fails repeats nothing.
  slack.misbehave('chat.postMessage', { type: 'refuse', error: 'internal_error' });
  await pager.api.send(`POST /incidents/${id}/resolve`, {});
  await eventually('the end', () => /Resolved by/.test(message.shown));
  await eventually('it is done', async () => (await posts(world)).every(({ isDone }) => isDone));
  assert.deepEqual([message.edits, below().length], [edits + 1, 1]);
});

test('what is delivered again acts no more, also in another envelope', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const message = await page(world, 'Disk full');
  slack.press(ada, message.ts, 'Acknowledge');
  await eventually('the edit', () => labels(message).includes('Unacknowledge'));
  const { id } = await firstIncident(world);
  await pager.api.send(`POST /incidents/${id}/unacknowledge`, {});
  slack.drop();
  await eventually('another socket', () => slack.sockets.opened === 2 && slack.sockets.open === 1);
  const before = slack.responses.length;
  slack.redeliver();
  await eventually('the answer', () => slack.responses.length > before);
  assert.equal(lastAnswer(slack), 'Acknowledged: INC-1.');
  assert.equal((await firstIncident(world)).status, 'triggered');

  const [service] = await pager.api.list('services');
  slack.command(ada, `page ${service.name} checkout fails`);
  await eventually('the incident', () => lastAnswer(slack).startsWith('INC-2 is open for'));
  slack.redeliver();
  await eventually('the same', () => lastAnswer(slack).startsWith('INC-2 is already open'));
  assert.equal((await pager.api.list('incidents')).length, 2);
});

test('a post whose answer was lost is kept up to date once its button is pressed', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  slack.misbehave('chat.postMessage', { type: 'answer_lost' });
  const orphan = await page(world, 'Disk full');
  await eventually('it is posted again', () => slack.messages.length === 2);
  const [, message] = slack.messages;
  assert.ok(message);
  slack.press(ada, orphan.ts, 'Acknowledge');
  const have = (label: string) => [orphan, message].every((one) => labels(one).includes(label));
  await eventually('both are edited', () => have('Unacknowledge'));
  const { id } = await firstIncident(world);
  await pager.api.send(`POST /incidents/${id}/resolve`, {});
  await eventually('both end', () => [...labels(orphan), ...labels(message)].length === 0);
});

test('a button that is late changes nothing, and says what happened', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const message = await page(world, 'Disk full');
  const { id } = await firstIncident(world);
  await pager.api.send(`POST /incidents/${id}/resolve`, {});
  slack.press(ada, message.ts, 'Acknowledge');
  await eventually('the answer', () => slack.responses.length === 1);
  assert.deepEqual(slack.responses[0]?.userId, ada);
  assert.match(lastAnswer(slack), /^Nothing was changed: .*resolved/);
  await eventually('no button is left', () => message.buttons.length === 0);
  assert.deepEqual(await textsOf(world, 'unchanged'), [
    'owner tried to acknowledge in Slack, which changed nothing: it was already resolved, by First key',
  ]);
});

test('to unacknowledge is answered as it was done, also when it comes again', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const message = await page(world, 'Disk full');
  slack.press(ada, message.ts, 'Acknowledge');
  await eventually('the edit', () => labels(message).includes('Unacknowledge'));
  const { id } = await firstIncident(world);
  const answersTo = async (what: string, deliver: () => unknown) => {
    const before = slack.responses.length;
    deliver();
    await eventually(what, () => slack.responses.length > before);
    return lastAnswer(slack);
  };
  // The post keeps its button until after the press.
  slack.misbehave('chat.update', { type: 'too_many', retryAfter: 60 });
  await pager.api.send(`POST /incidents/${id}/unacknowledge`, {});
  const late = /^Nothing was changed: INC-1 is not acknowledged\.$/;
  const press = () => slack.press(ada, message.ts, 'Unacknowledge');
  assert.match(await answersTo('the late press', press), late);
  await pager.api.send(`POST /incidents/${id}/acknowledge`, {});
  assert.match(await answersTo('the same again', () => slack.redeliver()), late);
  assert.equal((await firstIncident(world)).status, 'acknowledged');
  assert.equal((await textsOf(world, 'unchanged')).length, 1);
});

for (const [who, person] of [
  ['somebody without an account here', { email: 'eve@example.test' }],
  [
    'somebody whose e-mail is not confirmed',
    { email: 'owner@example.test', isEmailConfirmed: false },
  ],
  ['a guest', { email: 'owner@example.test', isGuest: true }],
  ['a member of another workspace', { email: 'owner@example.test', teamId: 'T0OTHER' }],
  ['a bot', { email: 'owner@example.test', isBot: true }],
] as const)
  test(`${who} changes nothing, and is shown how to link an account`, async () => {
    await using stack = new AsyncDisposableStack();
    const world = await start(stack);
    const { slack } = world;
    const message = await page(world, 'Disk full');
    slack.addUser('U0EVE', person);
    slack.press('U0EVE', message.ts, 'Acknowledge');
    await eventually('the answer', () => slack.responses.length === 1);
    assert.match(
      lastAnswer(slack),
      /^Your account is not linked to Pager\..*<http:\/\/[^|]+\/link\/[0-9a-f]{48}\|/,
    );
    const { text } = await chosen(world, 'U0EVE', message.ts, 'Run playbook…');
    assert.match(text, /^Your account is not linked to Pager/);
    assert.equal((await firstIncident(world)).status, 'triggered');
    assert.equal(message.edits, 0);
    const noted = await textsOf(world, 'refused');
    assert.equal(noted.length, 1);
    assert.match(
      noted[0] ?? '',
      /^An unknown person in Slack, [\w ]+, tried to acknowledge and was refused$/,
    );
  });

test('where people are not known by e-mail, nobody is', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager, connection } = world;
  const { sockets } = slack;
  assert.equal(sockets.open, 1);
  await pager.api.send(`PATCH /channel-connections/${connection.id}`, {
    settings: { link_by_email: false },
  });
  await eventually('another socket', () => slack.sockets.opened === 2 && slack.sockets.open === 1);
  slack.command(ada, 'ack 1');
  await eventually('the answer', () => slack.responses.length === 1);
  assert.match(lastAnswer(slack), /^Your account is not linked to Pager/);
});

test('a command acts as a button does', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  await page(world, 'Disk full');
  for (const [text, answer] of [
    ['ack', /^Write: \/pager acknowledge <number>$/],
    ['ack 7', /^There is no INC-7\.$/],
    ['ack 1', /^Acknowledged: INC-1\.$/],
    ['resolve INC-1', /^Resolved: INC-1\.$/],
    ['escalate 1', /^Nothing was changed: .*resolved/],
    ['', /\/pager ack 42/],
  ] as const) {
    const shown = await answered(world, ada, text);
    assert.match(shown.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>'), answer);
  }
  assert.equal((await firstIncident(world)).status, 'resolved');
});

test('a command opens an incident, and answers who is on call', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  await pagesTo(world, { channel_id: channel });
  const [service] = await pager.api.list('services');
  const [owner] = await pager.api.list('users');
  const webhook = stack.use(await startWebhookServer((_request, response) => response.end('ok')));
  await pager.api.create('outbound-webhooks', {
    name: 'Restart',
    url: webhook.url,
    method: 'POST',
  });
  await pager.api.create('on-calls', {
    name: 'Shop on call',
    layers: [
      {
        users: [owner.id],
        rotation: { length: 1, unit: 'weeks', handoff: '08:00', handoff_day: 'monday' },
      },
    ],
  });
  for (const [text, answer] of [
    ['who', /^Shop on call: /],
    ['who Night', /^No schedule is called Night\. Available: Shop on call\.$/],
    ['page Shop on call is down', /^Shop on call: .+\nShop on call is a schedule\. To page, write/],
    ['page Nowhere is down', /^No service has that name\. To page, write/],
    [`page ${service.name}`, /^What is wrong\?/],
    [`page ${service.name} *checkout* fails`, /^INC-1 is open for .+ <http:.+\/incidents\/1\|/],
    ['webhook 1 Dance', /^The incident’s team has no webhook called Dance\. Available: Restart\.$/],
    ['webhook 1 restart', /^Restart is called with INC-1\.$/],
    ['playbook 7 Restart', /^There is no INC-7\.$/],
  ] as const)
    assert.match((await answered(world, ada, text)).text, answer);
  const incident = await firstIncident(world);
  assert.equal(incident.title, '*checkout* fails');
  await eventually('the post', () => slack.messages.length === 1);
  await eventually('the call', () => webhook.received.length === 1);
});

test('a command pages the service that is meant, and keeps all that was written', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { pager } = world;
  const [policy] = await pager.api.list('escalation-policies');
  for (const name of ['Payments', 'payments', 'R&D']) {
    const service = await pager.api.create('services', { name });
    await pager.api.create('integrations', {
      slug: 'webhook',
      service_id: service.id,
      escalation_policy_id: policy.id,
    });
  }
  const long = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
  for (const [text, answer] of [
    ['page payments DB down', /^INC-1 is open for payments: DB down/],
    ['page Payments DB down', /^INC-2 is open for Payments: DB down/],
    ['page PAYMENTS DB down', /^Several services are called PAYMENTS\. Open the incident in Pager/],
    ['page r&amp;d 5 &gt; 4', /^INC-3 is open for R&amp;D: 5 &gt; 4/],
    [`page "R&amp;D": ${long}`, /^INC-4 is open for R&amp;D: word0 /],
  ] as const)
    assert.match((await answered(world, ada, text)).text, answer);
  const incidents = await pager.api.list('incidents');
  const shown = incidents.map(({ title, details = null }) => [title, details]).toSorted();
  assert.deepEqual(shown, [
    ['5 > 4', null],
    ['DB down', null],
    ['DB down', null],
    [long.slice(0, long.lastIndexOf(' ', 200)), long],
  ]);
});

test('a webhook and a playbook are run from the menu of a post, once each', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const webhook = stack.use(await startWebhookServer((_request, response) => response.end('ok')));
  const message = await page(world, 'Disk full');
  const none = await chosen(world, ada, message.ts, 'Call webhook…');
  assert.equal(none.text, 'The team of INC-1 has no webhook.');

  for (const name of ['Restart', 'Alarm'])
    await pager.api.create('outbound-webhooks', { name, url: webhook.url, method: 'POST' });
  const actions = [{ type: 'note', text: 'tidied' }];
  await pager.api.create('playbooks', { name: 'Tidy', actions });
  const off = await pager.api.create('playbooks', { name: 'Off', actions });
  await pager.api.send(`PATCH /playbooks/${off.id}`, { enabled: false });
  for (const [option, question, names, name, answer] of [
    [
      ...['Call webhook…', 'Which webhook should be called with INC-1?'],
      ...[['Alarm', 'Restart'], 'Restart', 'Restart is called with INC-1.'],
    ],
    [
      ...['Run playbook…', 'Which playbook should run on INC-1?'],
      ...[['Tidy'], 'Tidy', 'Tidy ran on INC-1.'],
    ],
  ] as const) {
    const list = await chosen(world, ada, message.ts, option);
    assert.deepEqual([list.text, list.options.map(({ text }) => text)], [question, names]);
    assert.equal((await chosen(world, ada, list.ts, name, 2)).text, answer);
    const before = slack.responses.length;
    slack.redeliver();
    await eventually('the same', () => slack.responses.length > before);
    assert.equal(lastAnswer(slack), answer);
  }
  await eventually('the call', () => webhook.received.length > 0);
  assert.deepEqual(await runs(world), [
    ['owner calls the webhook Restart', 'slack'],
    ['owner ran the playbook Tidy', 'slack'],
  ]);
  assert.equal(webhook.received.length, 1);
  assert.match(webhook.received[0]?.body ?? '', /"event_type":"incident_requested"/);
});

test('a menu or a list that is late runs nothing, and says why', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const message = await page(world, 'Disk full');
  const url = 'http://127.0.0.1:9';
  await pager.api.create('outbound-webhooks', { name: 'Restart', url });
  const alarm = await pager.api.create('outbound-webhooks', { name: 'Alarm', url });
  const list = await chosen(world, ada, message.ts, 'Call webhook…');
  await pager.api.send(`DELETE /outbound-webhooks/${alarm.id}`);
  const archived = await chosen(world, ada, list.ts, 'Alarm');
  assert.equal(archived.text, 'Nothing was done: the webhook no longer exists.');

  const { id } = await firstIncident(world);
  // The menu stays for now.
  slack.misbehave('chat.update', { type: 'too_many', retryAfter: 1 });
  await pager.api.send(`POST /incidents/${id}/resolve`, {});
  const late = await chosen(world, ada, message.ts, 'Call webhook…');
  assert.match(late.text, /^Nothing was changed: INC-1 is already resolved, by /);
  const { text } = await chosen(world, ada, list.ts, 'Restart');
  assert.equal(text, 'Nothing was done: INC-1 is already resolved.');
  await eventually('no menu is left', () => message.options.length === 0);
  assert.deepEqual(await runs(world), []);
});

test('who is unknown links their account, signed in, and is known from then on', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const owner = await signIn(pager, password);
  const message = await page(world, 'Disk full');
  slack.command('U0EVE', 'link');
  await eventually('the link', () => slack.responses.length === 1);
  const code = /\/link\/([0-9a-f]{48})\|/.exec(lastAnswer(slack))?.[1];
  const shown = { vendor: 'slack', account: slack.team.name, name: 'ada' };
  assert.deepEqual(await owner(`GET /chat-links/${code}`), { status: 200, body: shown });
  // To look at it changes nothing, and a key is nobody.
  slack.press('U0EVE', message.ts, 'Acknowledge');
  await eventually('the refusal', () => slack.responses.length === 2);
  assert.match(lastAnswer(slack), /^Your account is not linked to Pager/);
  const renewed = /\/link\/([0-9a-f]{48})\|/.exec(lastAnswer(slack))?.[1];
  assert.equal((await owner(`GET /chat-links/${code}`)).status, 404);
  assert.equal((await pager.api.send(`POST /chat-links/${renewed}`, {})).status, 403);
  assert.deepEqual(await owner(`POST /chat-links/${renewed}`, {}), { status: 200, body: shown });
  assert.equal((await owner(`POST /chat-links/${renewed}`, {})).status, 404);

  slack.press('U0EVE', message.ts, 'Acknowledge');
  await eventually('the edit', () => message.edits > 0 && slack.responses.length === 3);
  const { body: me } = await owner('GET /users/me');
  const { body: accounts } = await owner(`GET /users/${me.id}/chat-accounts`);
  const [account] = accounts.data;
  assert.deepEqual(
    [accounts.data.length, account.name, account.connection, account.linked_by],
    [1, 'ada', 'Slack of Acme', 'link'],
  );
  assert.equal((await owner(`DELETE /users/${me.id}/chat-accounts/${account.id}`)).status, 200);
  slack.press('U0EVE', message.ts, 'Resolve');
  await eventually('unknown again', () => slack.responses.length === 4);
  assert.match(lastAnswer(slack), /^Your account is not linked to Pager/);
});

test('when Slack cannot say who somebody is, they are told so, and may try again', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager, connection } = world;
  // It would be told what is meant for whoever sends the command.
  await eventually('the check of the connection', async () => {
    const { body } = await pager.api.send(`GET /channel-connections/${connection.id}`);
    return body.health.state === 'ok';
  });
  const unsaid = /^Slack could not identify you\. Try again\..*\/link\/[0-9a-f]{48}\|/;
  for (const [method, how] of [
    ['users.info', { type: 'too_many', retryAfter: 30 }],
    ['users.info', { type: 'broken' }],
    ['auth.test', { type: 'refuse', error: 'internal_error' }],
  ] as const) {
    // A check of the connection may come between, and be told what is meant for the command. Each try is
    // somebody else's, for who is unknown is answered ten times an hour.
    let tries = 0;
    await eventually(`${method} fails`, async () => {
      slack.misbehave(method, how);
      tries += 1;
      return unsaid.test((await answered(world, `U0${method.length}TRY${tries}`, 'who')).text);
    });
  }
  const answers = async (text: string) => (await answered(world, ada, 'who')).text.startsWith(text);
  await eventually('unknown', () => {
    slack.misbehave('users.info', { type: 'refuse', error: 'user_not_visible' });
    return answers('Your account is not linked to Pager.');
  });
  await eventually('known', () => answers('No schedules yet.'));
});

test('one who is unknown is answered ten times an hour, and silences nobody else', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  assert.equal((await answered(world, ada, 'who')).text, 'No schedules yet.');
  /** How many of these commands are answered. */
  const answers = async (userId: string, texts: readonly string[]) => {
    const before = slack.responses.length;
    for (const text of texts) {
      const envelope = slack.command(userId, text);
      await eventually(text, () => slack.acknowledged.includes(envelope));
    }
    return slack.responses.length - before;
  };
  const twelve = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'who' : 'link'));
  slack.addUser('U0EVE', { email: 'eve@example.test' });
  assert.equal(await answers('U0EVE', twelve), 10);
  assert.equal(await answers(ada, ['link']), 1);
  assert.equal(await answers('U0NEW', ['link']), 1);
  for (const name of ['A', 'B', 'C', 'D', 'E']) await answers(`U0${name}`, twelve);
  assert.deepEqual([await answers('U0LATE', ['link']), await answers(ada, twelve)], [0, 12]);
  await pager.pass({ minutes: 60 });
  assert.equal(await answers('U0LATE', ['link']), 1);
});

test('a viewer may not act, and is answered who is on call', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  await pager.api.create('users', {
    first_name: 'Vi',
    last_name: 'Ewer',
    email: 'vi@example.test',
    role: 'viewer',
  });
  slack.addUser('U0VIEWER', { email: 'vi@example.test' });
  const message = await page(world, 'Disk full');
  slack.press('U0VIEWER', message.ts, 'Resolve');
  await eventually('the answer', () => slack.responses.length === 1);
  assert.match(lastAnswer(slack), /^As a viewer you cannot act/);
  for (const option of ['Call webhook…', 'Run playbook…']) {
    const { text, options: listed } = await chosen(world, 'U0VIEWER', message.ts, option);
    assert.match(text, /^As a viewer you cannot act/);
    assert.deepEqual(listed, []);
  }
  for (const [text, answer] of [
    ['help', /^\/pager who: /],
    ['who', /^No schedules yet\.$/],
    ['page Shop is down', /^As a viewer you cannot act/],
    ['ack 1', /^As a viewer you cannot act/],
    ['playbook 1 Restart', /^As a viewer you cannot act/],
    ['webhook 1 Restart', /^As a viewer you cannot act/],
  ] as const)
    assert.match((await answered(world, 'U0VIEWER', text)).text, answer);
  assert.equal((await pager.api.list('incidents')).length, 1);
  assert.equal((await firstIncident(world)).status, 'triggered');
  assert.deepEqual(await textsOf(world, 'refused'), [
    'Vi Ewer tried to resolve in Slack and was refused: a viewer cannot act on incidents',
  ]);
});

test('a simulation pages the channel in thought, and why says that it was paged', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  await pagesTo(world, { channel_id: channel, channel_name: '#ops' });
  const [integration] = await pager.api.list('integrations');
  const [owner] = await pager.api.list('users');
  const event = { title: 'Disk full' };
  const body = { integration_id: integration.id, event };
  const simulated = await pager.api.send('POST /simulate', body);
  assert.equal(simulated.status, 200, JSON.stringify(simulated.body));
  const { entries, notices } = simulated.body;
  const textsOf = (all: readonly { text: string }[]) => all.map(({ text }) => text);
  const step = 'Step 1 of 1 pages #ops in Slack';
  assert.deepEqual(textsOf(entries).slice(1, 3), [step, 'The page to #ops in Slack was sent']);
  const [{ channel: via, chat, deliverable, user_id }] = notices;
  assert.deepEqual(
    [notices.length, via, chat, deliverable, user_id],
    [1, 'slack', '#ops', true, null],
  );
  assert.deepEqual(slack.messages, []);

  await alert(world, event.title);
  const { body: why } = await pager.api.send(`GET /incidents/1/why?user_id=${owner.id}`);
  assert.equal(why.paged, false);
  assert.match(why.answer, /^owner.* was not paged: no step that ran names owner/);
  assert.equal(textsOf(why.chain).at(-1), `${step}, but not owner`);
});

test('a webhook of Slack still works beside the app', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const webhook = stack.use(await startWebhookServer((_request, response) => response.end('ok')));
  const { received } = webhook;
  const targets = [{ webhook_url: webhook.url }, { channel_id: channel }];
  assert.deepEqual(await pagesTo(world, ...targets), []);
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title: 'Disk full' });
  await eventually('both', () => received.length === 1 && slack.messages.length === 1);
  assert.match(received[0]?.body ?? '', /Disk full/);
});

test('the socket is opened anew when Slack wants it, and when it breaks', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  slack.refresh();
  await eventually('the second', () => slack.sockets.opened === 2);
  slack.drop();
  await eventually('the third', () => slack.sockets.opened === 3);
  slack.command(ada, 'help');
  await eventually('the answer', () => slack.responses.length === 1);
});

test('a token that Slack refuses is named where it is mended', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager, connection } = world;
  const path = `/channel-connections/${connection.id}`;
  const health = async () => (await pager.api.send(`GET ${path}`)).body.health;
  await eventually('it is accepted', async () => (await health()).state === 'ok');
  assert.equal((await pager.api.send(`GET ${path}`)).body.account, slack.team.name);
  const good = await pager.api.send(`POST ${path}/test`, {});
  assert.deepEqual(
    good.body.checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]),
    [
      ['credentials', true],
      ['socket', true],
    ],
  );
  slack.revokeToken();
  const [integration] = await pager.api.list('integrations');
  await pagesTo(world, { channel_id: channel });
  await postJson(integration.webhook_url, { title: 'Disk full' });
  await eventually('it is refused', async () => (await health()).state === 'failing');
  assert.match((await health()).reason, /revoked.*bot_token/);
  const { body } = await pager.api.send(`POST ${path}/test`, {});
  assert.deepEqual([body.checks.length, body.checks[0].ok], [1, false]);
});
