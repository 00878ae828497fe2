// Something of everything that is sealed, digested or chained, and the proof that all of it works.
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { startWebhookServer, type WebhookServer } from '../webhook-server.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import {
  type ChatServer,
  type MailServer,
  startChatServer,
  startMailServer,
} from './notice-servers.ts';
import { type Installation, mailTo, type ServerProcess, type Settings } from './server-process.ts';

type World = {
  readonly mail: MailServer;
  readonly chat: ChatServer;
  readonly hook: WebhookServer;
};

/** Where notices arrive, and the settings of a server that reaches it. */
export async function startNoticeServers(): Promise<
  World & AsyncDisposable & { settings: Settings }
> {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer());
  const chat = stack.use(await startChatServer('answers'));
  const hook = stack.use(await startWebhookServer((_request, response) => response.end()));
  const all = stack.move();
  return {
    mail,
    chat,
    hook,
    settings: { ...mailTo(mail), PAGER_ALLOW_NETWORKS: '127.0.0.0/8' },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

export type SealedThings = {
  /** Asks a server that was started since for all of it. */
  works(server: ServerProcess): Promise<void>;
};

export async function seedSealed(
  server: ServerProcess,
  { settings, ...world }: World & Pick<Installation, 'settings'>,
): Promise<SealedThings> {
  const records = await seedRecords(server, world);
  await pageSome(server, world, records);
  const before = await readings(server, records);
  const known = {
    answer: await makeOnce(server),
    link: linkIn(world.mail.mails.map(({ text }) => text).join('\n')),
    ...(await signIn(server, settings)),
  };
  return {
    async works(again) {
      assert.deepEqual(await readings(again, records), before);
      assert.deepEqual(await makeOnce(again), known.answer, 'an answer is given again');
      assert.equal((await request(known.link)).status, 200, 'a link acknowledges');
      const session = await request(`${again.url}/auth/session`, {
        headers: { cookie: known.cookie },
      });
      assert.equal(session.status, 200, 'a session goes on');
      const tried = await secondFactor(again.url, known, { code: 'wrong' });
      assert.equal(tried, 422, 'a second factor is opened, to find a code wrong');
      assert.equal((await request(before.feed.url)).status, 200, 'a calendar is read');
      await endOne(again, world);
      await pageSome(again, world, records);
    },
  };
}

const linkIn = (text: string) => /http\S+\/act\/[\w.~-]+/.exec(text)?.[0] ?? text;

type Ids = Readonly<Record<'schedule' | 'webhook' | 'policy' | 'integration', string>>;

async function seedRecords({ api }: ServerProcess, { chat, hook }: World): Promise<Ids> {
  const [owner] = await api.list('users');
  const [service] = await api.list('services');
  const slack = { via: 'slack', webhook_url: chat.url };
  const policy = await api.create('escalation-policies', {
    name: 'Chat and mail',
    steps: [{ targets: [slack, { via: 'email', user_id: owner.id }] }],
  });
  const integration = await api.create('integrations', {
    slug: 'webhook',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  const webhook = await api.create('outbound-webhooks', {
    name: 'Tickets',
    url: `${hook.url}/in`,
    method: 'POST',
  });
  const schedule = await api.create('on-calls', {
    name: 'Nights',
    timezone: 'Etc/UTC',
    layers: [{ users: [owner.id], rotation: { length: 1, unit: 'days', handoff: '08:00' } }],
  });
  const notifications = { slack: [{ webhook_url: `${chat.url}/schedule` }] };
  const set = await api.send(`PUT /on-calls/${schedule.id}/notifications`, notifications);
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const shift_notifications = { discord: [{ webhook_url: `${chat.url}/all` }] };
  assert.equal((await api.send('PATCH /organization', { shift_notifications })).status, 200);
  await api.create('calendar-feeds', { user_id: owner.id });
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
  const subscription = JSON.stringify({ endpoint: 'https://push.test/send', keys });
  const browser = { channel: 'push-notification', address: `web:${subscription}` };
  await api.create(`users/${owner.id}/contacts`, browser);
  const bot_token = `123456789:${'Aa0_-'.repeat(7)}`;
  const bot = { name: 'Bot', vendor: 'telegram', enabled: false, secrets: { bot_token } };
  await api.create('channel-connections', bot);
  return {
    schedule: schedule.id,
    webhook: webhook.id,
    policy: policy.id,
    integration: integration.id,
  };
}

/** All that the API shows of what is sealed. */
async function readings({ api }: ServerProcess, { schedule, webhook, policy, integration }: Ids) {
  const read = async (path: string) => {
    const { status, body } = await api.send(`GET ${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const deliveries = await api.list(`outbound-webhooks/${webhook}/deliveries`);
  const [delivery] = deliveries.slice(-1);
  const [feed] = await api.list('calendar-feeds');
  return {
    feed,
    pushKey: await read('/push/key'),
    token: (await read(`/integrations/${integration}`)).token,
    webhook: (await read(`/outbound-webhooks/${webhook}`)).url,
    signing: (await read(`/outbound-webhooks/${webhook}/secrets`)).data,
    delivery: await read(`/outbound-webhooks/${webhook}/deliveries/${delivery?.id}`),
    policy: (await read(`/escalation-policies/${policy}`)).steps,
    ofSchedule: await read(`/on-calls/${schedule}/notifications`),
    ofAll: (await read('/organization')).shift_notifications,
  };
}

/** One incident, of which the chat, the owner and the webhook are told. */
async function pageSome({ api }: ServerProcess, world: World, ids: Ids): Promise<void> {
  const { mail, chat, hook } = world;
  const [mails, messages, calls] = [mail.mails, chat.messages, hook.received].map(
    ({ length }) => length,
  );
  const { webhook_url } = (await api.send(`GET /integrations/${ids.integration}`)).body;
  const posted = await postJson(webhook_url, { title: `disk ${messages}` });
  assert.equal(posted.status, 202, JSON.stringify(posted.body));
  const path = `/incidents/${posted.body.alerts[0].incident}/call-webhook`;
  const called = await api.send(`POST ${path}`, { outbound_webhook_id: ids.webhook });
  assert.equal(called.status, 200, JSON.stringify(called.body));
  await eventually('all are told', () => {
    const is = [mail.mails, chat.messages, hook.received].map(({ length }) => length);
    return is[0] !== mails && is[1] !== messages && is[2] !== calls;
  });
  await eventually('it is written down that they were', async () => {
    const timeline = await api.list(`incidents/${posted.body.alerts[0].incident}/timeline`);
    return timeline.filter(({ type }) => type === 'notice_sent').length >= 3;
  });
}

/** The chat is told, at the address of its page. */
async function endOne({ api }: ServerProcess, { chat }: World): Promise<void> {
  const incidents = await api.list('incidents');
  const open = incidents.findLast(({ status }) => status !== 'resolved');
  const before = chat.messages.length;
  const { status } = await api.send(`POST /incidents/${open.id}/resolve`);
  assert.equal(status, 200);
  await eventually('the chat hears the all-clear', () => chat.messages.length > before);
}

async function makeOnce({ url, apiKey }: ServerProcess) {
  const { status, body } = await request(`${url}/api/v1/services`, {
    method: 'POST',
    headers: {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      'idempotency-key': 'the same',
    },
    body: JSON.stringify({ name: 'Made once' }),
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

async function signIn({ url }: ServerProcess, settings: Settings) {
  const answer = await fetch(`${url}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: settings['PAGER_BOOTSTRAP_EMAIL'],
      password: settings['PAGER_BOOTSTRAP_PASSWORD'],
    }),
  });
  assert.equal(answer.status, 200);
  const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string };
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const signedIn = { cookie: cookies.join('; '), csrf };
  const password = settings['PAGER_BOOTSTRAP_PASSWORD'];
  assert.equal(await secondFactor(url, signedIn, { password }), 200);
  return signedIn;
}

type SignedIn = { readonly cookie: string; readonly csrf: string };

/** Begins it, or tries to confirm it. */
async function secondFactor(url: string, { cookie, csrf }: SignedIn, body: object) {
  const path = 'code' in body ? '/confirm' : '';
  const answer = await fetch(`${url}/api/v1/users/me/second-factor${path}`, {
    method: 'POST',
    headers: {
      cookie,
      'x-csrf-token': csrf,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return answer.status;
}
