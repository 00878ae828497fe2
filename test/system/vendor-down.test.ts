// Twilio, or Slack, is down for an hour: what is paged meanwhile, by which ways, who hears of it, and what is
// sent once it is back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { type Api, postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { type MailServer, startMailServer } from './notice-servers.ts';
import { seedOutsider } from './tenants.ts';

const numbers = { phone: '+4930765432', sms: '+4915112345678' } as const;
const secretKey = 'k'.repeat(40);
async function start(stack: AsyncDisposableStack, ways: readonly string[] = Object.keys(numbers)) {
  let ahead = 0;
  const now = () => Temporal.Now.instant().add({ minutes: ahead });
  const twilio = stack.use(await startFakeTwilio(now));
  const mail = stack.use(await startMailServer());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_SECRET_KEY: secretKey,
      PAGER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      PAGER_MAIL_FROM: 'Pager <pager@example.test>',
      PAGER_VENDOR_URLS: `twilio=${twilio.url}`,
    }),
  );
  const { api, sql } = pager;
  const connect = (name: string, position: number, account_sid: string) =>
    api.create('channel-connections', {
      name,
      position,
      vendor: 'twilio',
      secrets: { auth_token: twilio.authToken },
      settings: {
        account_sid,
        from_phone: twilio.number,
        from_sms: twilio.number,
        allowed_prefixes: ['+49'],
        calls_per_second: 10,
        messages_per_second: 10,
      },
    });
  const [owner] = await api.list('users');
  const ada = await api.create('users', {
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  for (const [channel, number] of Object.entries(numbers))
    await sql`
      insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
      select organization_id, ${channel.padEnd(24, '0')}, id, ${channel}, ${number}, now(), now()
      from users where id = ${ada.id}`;
  twilio.setHabit(numbers.sms, { type: 'receives' });
  const [policy] = await api.list('escalation-policies');
  const steps = [
    {
      targets: ways.map((via) => ({ via, user_id: ada.id })),
      escalate_after_minutes: 5,
    },
    { targets: [{ via: 'email', user_id: owner.id }] },
  ];
  const saved = await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const [integration] = await api.list('integrations');
  return {
    twilio,
    mail,
    pager,
    owner,
    connect,
    ...viewOf(pager, mail, integration.webhook_url),
    async pass(minutes: number) {
      await pager.pass({ minutes });
      ahead += minutes;
    },
  };
}

/** What is opened by that address, and what comes of it. */
const viewOf = ({ api }: InProcess, mail: MailServer, webhookUrl: string) => ({
  async open(title: string): Promise<string> {
    const { body } = await postJson(webhookUrl, { title });
    return body.alerts[0].incident;
  },
  async sentences(incident: string): Promise<string[]> {
    const { body } = await api.send(`GET /incidents/${incident}/timeline?limit=200`);
    // How long it took is not known here.
    return body.data.map(({ text }: { text: string }) => text.replace(/ after \d+ (s|min)\b/, ''));
  },
  healthOf: async (id: string) => (await api.send(`GET /channel-connections/${id}`)).body.health,
  mailsOf: (address: string, words: string) =>
    mail.mails.filter(({ to, subject }) => to === address && subject.includes(words)),
});

/** Opens an incident of which this person is told by e-mail alone. */
async function openByMail(api: Api, userId: string, title: string): Promise<void> {
  const service = await api.create('services', { name: 'Quiet' });
  const policy = await api.create('escalation-policies', {
    name: 'By mail',
    steps: [{ targets: [{ via: 'email', user_id: userId }] }],
  });
  const { webhook_url } = await api.create('integrations', {
    slug: 'webhook',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  await postJson(webhook_url, { title });
}

test('Twilio is down for an hour: others page meanwhile, and what is still open is paged once after it', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, mail, pager, owner, connect, pass, sentences, mailsOf } = world;
  const { api, sql } = pager;
  const connection = await connect('Twilio', 1, twilio.account.sid);
  const health = () => world.healthOf(connection.id);
  await eventually('the first check', async () => (await health()).state === 'ok');

  twilio.goDown('hang');
  const open = await world.open('Disk full');
  const acknowledged = await world.open('Queue long');
  const resolved = await world.open('Certificate old');
  await eventually('requests that hang', () => twilio.hanging.size > 1);
  // Nobody else waits for them: neither another channel nor another organisation.
  await openByMail(api, owner.id, 'Backup late');
  const outsider = await seedOutsider(pager, secretKey);
  await openByMail(outsider.api, outsider.ids.user, 'Shop closed');
  await mail.arrival('another channel', ({ subject }) => subject.includes('Backup late'));
  await mail.arrival('another organisation', ({ subject }) => subject.includes('Shop closed'));
  assert.ok(twilio.hanging.size > 1);

  twilio.goDown('broken');
  await eventually('failures', async () => (await health()).state === 'failing');
  assert.match((await health()).reason, /^Twilio: (?:the service|the connection) failed \(/);
  assert.equal(mailsOf('owner@example.test', 'Disk full').length, 0);
  await pass(5);
  for (const title of ['Disk full', 'Queue long', 'Certificate old'])
    await mail.arrival(`the next step of ${title}`, ({ to, subject }) => {
      return to === 'owner@example.test' && subject.includes(title);
    });
  assert.deepEqual(mailsOf('owner@example.test', 'is failing'), []);
  for (const [incident, action] of [
    [acknowledged, 'acknowledge'],
    [resolved, 'resolve'],
  ])
    assert.equal((await api.send(`POST /incidents/${incident}/${action}`, {})).status, 200);
  await pass(6);
  const warning = await mail.arrival('the mail to the admin', ({ subject }) =>
    subject.includes('is failing'),
  );
  assert.match(warning.text, /Twilio: .+ Other connections for the same channel/);
  for (const minutes of [24, 25]) await pass(minutes);
  assert.equal((await health()).state, 'failing');
  assert.deepEqual([twilio.calls, twilio.messages], [[], []]);
  const sound = await sql`
    select from contacts where address = any(${Object.values(numbers)}) and state is null`;
  assert.equal(sound.length, 2, 'no contact is to blame');

  // What is tried now still fails, and is not under way when the time goes on.
  await pager.calm();
  twilio.comeBack();
  await pass(1);
  const call = await eventually('the call', () => twilio.calls[0]);
  await eventually('both SMS', () => {
    return twilio.messages.filter(({ status }) => status === 'delivered').length === 2;
  });
  await twilio.settled();
  await eventually('the circuit is closed', async () => {
    const { state, circuit_open_until } = await health();
    return state === 'ok' && circuit_open_until === undefined;
  });
  await twilio.ring(call.sid);
  const phone = await twilio.answer(call.sid);
  await phone.press('4');
  await phone.listen();
  assert.match(phone.heard.join(' '), /Acknowledged: I N C, 1\. Goodbye\.$/);
  await pass(10);
  assert.equal(twilio.calls.length, 1);
  // A page that was requested while it was down may have arrived, so its recipient hears of the end.
  assert.deepEqual(twilio.messages.map(({ body }) => body).sort(), [
    'INC-1 First service: Disk full - 4 1 ack, 6 1 resolve, 9 1 escalate',
    'Resolved: INC-3 First service: Certificate old',
  ]);
  assert.equal(mailsOf('owner@example.test', 'is failing').length, 1, 'one for all pages');

  const ofCall = (all: readonly string[]) => all.filter((text) => / by phone /.test(text));
  const page = 'The page to Ada Example by phone';
  const retried = `${page} failed and is retried: Twilio: `;
  const paged = ofCall(await sentences(open));
  assert.equal(paged.filter((text) => text.startsWith(retried)).length, 3, paged.join('\n'));
  assert.deepEqual(
    paged.filter((text) => !text.startsWith(retried)),
    [
      `${page} was sent to Twilio, and its receipt is pending`,
      `${page} was answered with a key by Twilio`,
    ],
  );
  const lastOf = async (incident: string) => ofCall(await sentences(incident)).at(-1);
  assert.equal(await lastOf(acknowledged), `${page} was not sent: the incident is acknowledged`);
  assert.equal(await lastOf(resolved), `${page} was not sent: the incident is resolved`);
});

test('with a second account, pages go by that one until the first is back', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack, ['sms']);
  const { twilio, pager, connect, pass, healthOf } = world;
  const first = await connect('First', 1, twilio.otherAccount.sid);
  const second = await connect('Second', 2, twilio.account.sid);
  const accountOf = (title: string) => () =>
    twilio.messages.find(({ body }) => body.includes(title))?.account;
  const pagedBy = (title: string) => eventually(`the page of ${title}`, accountOf(title));

  twilio.goDown('broken', twilio.otherAccount.sid);
  // They fail often enough for the circuit to open.
  const titles = ['Disk A', 'Disk B', 'Disk C', 'Disk D', 'Disk E'];
  const incidents = await Promise.all(titles.map(world.open));
  await eventually('the circuit is open', async () => {
    return (await healthOf(first.id)).circuit_open_until !== undefined;
  });
  await world.open('Disk F');
  for (const title of ['Disk F', ...titles])
    assert.equal(await pagedBy(title), twilio.account.sid, title);
  const smsOf = async (incident: string) =>
    (await world.sentences(incident)).filter((text) =>
      text.startsWith('The page to Ada Example by SMS'),
    );
  // Before an hour passes: later the account would be queried instead.
  for (const incident of incidents)
    await eventually('its receipt is there', async () =>
      (await smsOf(incident)).at(-1)?.includes('was delivered'),
    );
  for (const minutes of [30, 30]) await pass(minutes);
  await world.open('Disk G');
  assert.equal(await pagedBy('Disk G'), twilio.account.sid);
  assert.equal((await healthOf(first.id)).state, 'failing');
  assert.equal((await healthOf(second.id)).state, 'ok');

  await pager.calm();
  twilio.comeBack();
  await pass(1);
  await world.open('Disk H');
  assert.equal(await pagedBy('Disk H'), twilio.otherAccount.sid);
  await eventually('the circuit is closed', async () => {
    const { state, circuit_open_until } = await healthOf(first.id);
    return state === 'ok' && circuit_open_until === undefined;
  });
  await world.open('Disk I');
  assert.equal(await pagedBy('Disk I'), twilio.otherAccount.sid);
  assert.equal(twilio.messages.length, 9, 'each page is sent once');
  for (const incident of incidents) {
    const texts = await smsOf(incident);
    assert.match(texts[0] ?? '', /failed and is retried: Twilio: /);
    assert.match(texts.at(-1) ?? '', /was delivered|arrived/);
  }
});

test('Slack is down for an hour: the next step pages meanwhile, and what is still open is posted once after it', async () => {
  await using stack = new AsyncDisposableStack();
  const slack = stack.use(await startFakeSlack());
  const mail = stack.use(await startMailServer());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      PAGER_MAIL_FROM: 'Pager <pager@example.test>',
      PAGER_VENDOR_URLS: `slack=${slack.url}`,
    }),
  );
  const { api, pass } = pager;
  const channel = 'C0123ABCD';
  slack.addChannel(channel);
  const connection = await api.create('channel-connections', {
    name: 'Slack',
    vendor: 'slack',
    secrets: { bot_token: slack.botToken, app_token: slack.appToken },
  });
  const [owner] = await api.list('users');
  const [policy] = await api.list('escalation-policies');
  const steps = [
    { targets: [{ via: 'slack', channel_id: channel }], escalate_after_minutes: 5 },
    { targets: [{ via: 'email', user_id: owner.id }] },
  ];
  assert.equal((await api.send(`PATCH /escalation-policies/${policy.id}`, { steps })).status, 200);
  const [integration] = await api.list('integrations');
  const world = viewOf(pager, mail, integration.webhook_url);
  const { open, sentences, mailsOf } = world;
  const health = () => world.healthOf(connection.id);
  await eventually('the first check', async () => (await health()).state === 'ok');

  slack.goDown('hang');
  const still = await open('Disk full');
  const acknowledged = await open('Queue long');
  const resolved = await open('Certificate old');
  await eventually('requests that hang', () => slack.hanging.size > 1);
  await openByMail(api, owner.id, 'Backup late');
  await mail.arrival('another channel', ({ subject }) => subject.includes('Backup late'));
  assert.ok(slack.hanging.size > 1, 'nobody else waits for them');

  slack.goDown('broken');
  await eventually('failures', async () => (await health()).state === 'failing');
  await pass({ minutes: 5 });
  for (const title of ['Disk full', 'Queue long', 'Certificate old'])
    await mail.arrival(`the next step of ${title}`, ({ to, subject }) => {
      return to === 'owner@example.test' && subject.includes(title);
    });
  for (const [incident, action] of [
    [acknowledged, 'acknowledge'],
    [resolved, 'resolve'],
  ])
    assert.equal((await api.send(`POST /incidents/${incident}/${action}`, {})).status, 200);
  await pass({ minutes: 6 });
  const warning = await mail.arrival('the mail to the admin', ({ subject }) =>
    subject.includes('is failing'),
  );
  assert.match(warning.text, /Slack: /);
  for (const minutes of [24, 25]) await pass({ minutes });
  assert.equal((await health()).state, 'failing');
  assert.equal(slack.messages.length, 0);

  await pager.calm();
  slack.comeBack();
  await pass({ minutes: 1 });
  const post = await eventually('the post', () =>
    slack.messages.find(({ shown }) => shown.includes('Disk full')),
  );
  await eventually('the circuit is closed', async () => {
    const { state, circuit_open_until } = await health();
    return state === 'ok' && circuit_open_until === undefined;
  });
  await pass({ minutes: 10 });
  await api.send(`POST /incidents/${still}/acknowledge`, {});
  await eventually('the edit', () => /Acknowledged by /.test(post.shown));
  // A page that was requested while it was down may have arrived, so the channel hears of the end.
  const posts = slack.messages.filter(({ threadTs }) => threadTs === null);
  const texts = posts.map(({ text }) => text.replace(/, \d\d:\d\d:/, ':'));
  assert.deepEqual(texts.toSorted(), [
    'Acknowledged by First key: INC-1 Disk full',
    'Resolved: INC-3 Certificate old',
  ]);
  assert.equal(mailsOf('owner@example.test', 'is failing').length, 1, 'one for all pages');

  const page = `The page to ${channel} in Slack`;
  const ofSlack = async (incident: string) =>
    (await sentences(incident)).filter((text) => text.startsWith(page));
  const retried = `${page} failed and is retried: Slack: `;
  const paged = await ofSlack(still);
  assert.ok(paged.filter((text) => text.startsWith(retried)).length > 0, paged.join('\n'));
  assert.deepEqual(
    paged.filter((text) => !text.startsWith(retried)),
    [`${page} was sent`],
  );
  const lastOf = async (incident: string) => (await ofSlack(incident)).at(-1);
  assert.equal(await lastOf(acknowledged), `${page} was not sent: the incident is acknowledged`);
  assert.equal(await lastOf(resolved), `${page} was not sent: the incident is resolved`);
});
