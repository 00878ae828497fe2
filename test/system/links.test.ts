// Every link that a notice, a mail or a message contains is opened on a real server, and leads to a page
// of what it is about. A kind of notice that is new has no way below, and fails here and in the types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccountMails } from '../../src/api/sign-in/account-mails.ts';
import { noticeOf } from '../../src/commands/on-behalf.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { silentLog } from '../../src/engine/log.ts';
import { systemRandom } from '../../src/engine/random.ts';
import { noCycle, noticeKinds } from '../../src/incidents/incident.ts';
import { emailOf } from '../../src/notices/email.ts';
import type { FactorChange } from '../../src/notices/kinds/account.ts';
import { answerNotice } from '../../src/notices/kinds/answer.ts';
import type { Notice } from '../../src/notices/notice.ts';
import { activePerson, membershipOf } from '../../src/storage/people/sign-ins.ts';
import { built } from '../dashboard/built.ts';
import { dashboardRoutes } from '../dashboard-routes.ts';
import { anyDatabase } from '../database.ts';
import { startPushService } from '../push-service.ts';
import { startFakeNtfy } from '../vendors/ntfy.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startChatServer, startMailServer } from './notice-servers.ts';
import { sessionOf, signIn } from './sign-in.ts';

const password = 'correct horse battery';
const channel = 'C0123ABCD';
const number = '+4915112345678';

/** How a notice of a kind comes about here, and whether it has links. */
type Way =
  /** Stored as the engine stores it, to everybody whom the page went to. */
  | { readonly by: 'outbox'; readonly notice?: object; readonly on?: 'open' | 'resolved' }
  | { readonly by: 'page' | 'request' | 'account' };
type Ways = Readonly<Record<Notice['kind'], readonly (Way & { readonly hasLinks: boolean })[]>>;

function waysOf(at: Awaited<ReturnType<typeof start>>): Ways {
  const since = '2026-11-21T08:00:00Z';
  const onIncident = [{ by: 'outbox', on: 'open', hasLinks: true }] as const;
  // One that is over is announced no more.
  const end = Temporal.Now.instant().add({ hours: 8 }).toString();
  const shift = { id: 'f'.repeat(24), start: since, end };
  const story = {
    schedule: { id: at.schedule.id, name: 'Payments', timezone: 'Europe/Berlin' },
    user: { id: at.me.id, first_name: 'Ada', last_name: 'Example', email: at.me.email },
    shift,
    taken_off: false,
    other: null,
    changes: [],
  };
  const onShift = [{ by: 'outbox', notice: { story }, hasLinks: true }] as const;
  const moved = [{ type: 'gained', start: since, end: null }];
  const lost = { id: 'a'.repeat(24), channel: 'sms', name: '…5678', state: 'opted_out', since };
  const lostBy = (person: object | null) =>
    ({ by: 'outbox', notice: { lost_contact: { ...lost, person } }, hasLinks: true }) as const;
  const failing = { id: 'b'.repeat(24), name: 'Deploys', since };
  const connection = { ...failing, id: at.telegramConnection.id, reason: 'no credentials' };
  const undecided = { of: 'schedule', id: at.schedule.id, name: 'Payments', reason: 'unread' };
  const account = [{ by: 'account', hasLinks: true }] as const;
  const request = [{ by: 'request', hasLinks: true }] as const;
  const cover_request = {
    id: at.request.id,
    schedule: story.schedule,
    person: 'Ada',
    requester: null,
    start: since,
    end,
    comment: null,
  };
  return {
    page: [{ by: 'page', hasLinks: true }],
    nobody_paged: onIncident,
    not_all_paged: onIncident,
    all_clear: [{ by: 'outbox', on: 'resolved', hasLinks: true }],
    assigned: onIncident,
    responder_added: onIncident,
    storm: onIncident,
    shift_start: onShift,
    shift_end: onShift,
    shift_change: [
      { by: 'outbox', notice: { story: { ...story, changes: moved } }, hasLinks: true },
    ],
    cover_request: [{ by: 'outbox', notice: { cover_request }, hasLinks: true }],
    alert_usage: [
      {
        by: 'outbox',
        hasLinks: false,
        notice: { usage: { month: '2026-11', limit: 100, percent: 80 } },
      },
    ],
    webhook_failing: [{ by: 'outbox', notice: { failing }, hasLinks: false }],
    connection_failing: [{ by: 'outbox', notice: { connection }, hasLinks: true }],
    channel_failing: [
      {
        by: 'outbox',
        hasLinks: true,
        notice: { failing_channel: { channel: 'email', service: '', since, reason: 'refused' } },
      },
    ],
    undecided: [{ by: 'outbox', notice: { undecided }, hasLinks: false }],
    contact_lost: [lostBy(null), lostBy({ id: at.other.id, name: 'Lin Example' })],
    contact_code: [{ by: 'request', hasLinks: false }],
    invitation: request,
    password_reset: request,
    password_changed: account,
    password_set: account,
    email_changed: account,
    api_key_created: account,
    api_key_made_with_key: account,
    passkey_added: account,
    passkey_removed: account,
    second_factor_added: account,
    second_factor_removed: account,
    recovery_codes_renewed: account,
    factors_removed: account,
    contact_removed: account,
    let_in_by_operator: account,
    answer: account,
  };
}

async function start(stack: AsyncDisposableStack) {
  await built();
  const mail = stack.use(await startMailServer());
  const chat = stack.use(await startChatServer('answers'));
  const [telegram, ntfy, slack, twilio] = await Promise.all([
    startFakeTelegram().then((one) => stack.use(one)),
    startFakeNtfy().then((one) => stack.use(one)),
    startFakeSlack().then((one) => stack.use(one)),
    startFakeTwilio().then((one) => stack.use(one)),
  ]);
  const push = stack.use(await startPushService(() => Temporal.Now.instant()));
  slack.addChannel(channel);
  const vendors = { telegram, ntfy, slack, twilio };
  const urls = Object.entries(vendors).map(([name, { url }]) => `${name}=${url}`);
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: urls.join(','),
      PAGER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      PAGER_MAIL_FROM: 'Pager <pager@example.test>',
    }),
  );
  const { api, sql } = pager;
  const owner = await signIn(pager, password);
  const { body: me } = await owner('GET /users/me');
  const other = await api.create('users', {
    email: 'lin@example.test',
    first_name: 'Lin',
    last_name: 'Example',
    role: 'responder',
  });
  const telegramConnection = await api.create('channel-connections', {
    name: 'Bot',
    vendor: 'telegram',
    secrets: { bot_token: telegram.token },
  });
  await api.create('channel-connections', { name: 'ntfy', vendor: 'ntfy' });
  await api.create('channel-connections', {
    name: 'Slack',
    vendor: 'slack',
    secrets: { bot_token: slack.botToken, app_token: slack.appToken },
  });
  // A name takes no answers, so its SMS name the page of the incident.
  await api.create('channel-connections', {
    name: 'Twilio',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    settings: {
      account_sid: twilio.account.sid,
      from_sms: 'PAGER',
      allowed_prefixes: ['+49'],
      messages_per_second: 10,
    },
  });
  const browser = push.browser((await api.send('GET /push/key')).body.public_key);
  await api.create(`users/${me.id}/contacts`, {
    channel: 'push-notification',
    address: `web:${JSON.stringify(browser.subscription)}`,
  });
  await api.create(`users/${me.id}/contacts`, {
    channel: 'push-notification',
    address: 'ntfy:pager-0123456789abcdef',
  });
  await sql`update contacts set verified_at = now() where verified_at is null`;
  for (const [via, address] of [
    ['telegram', '4711'],
    ['sms', number],
  ] as const)
    await sql`
      insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
      select organization_id, ${via.padEnd(24, '0')}, id, ${via}, ${address}, now(), now()
      from users where id = ${me.id}`;
  await slack.connected();
  await telegram.polled();
  telegram.start('4711');
  const schedule = await api.create('on-calls', {
    name: 'Payments',
    layers: [{ users: [me.id], rotation: { length: 1, unit: 'days', handoff: '08:00' } }],
  });
  // The person whom it asks has the incident's page, too.
  const shop = await api.create('on-calls', {
    name: 'Shop',
    layers: [{ users: [other.id, me.id], rotation: { length: 1, unit: 'days' } }],
  });
  const request = await api.create(`on-calls/${shop.id}/cover-requests`, {
    user_id: other.id,
    start: systemClock.now().toString(),
    end: systemClock.now().add({ hours: 60 }).toString(),
  });
  return {
    ...vendors,
    mail,
    chat,
    push: browser,
    pager,
    owner,
    me,
    other,
    schedule,
    request,
    telegramConnection,
  };
}

type World = Awaited<ReturnType<typeof start>>;

/** One incident that pages everybody by everything; another one that is over. */
async function page({ pager: { api }, schedule, chat }: World) {
  const personal = ['email', 'push-notification', 'telegram', 'sms'];
  const chats = ['slack', 'msteams', 'discord'];
  const [policy] = await api.list('escalation-policies');
  const saved = await api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [
      {
        targets: [
          ...personal.map((via) => ({ via, oncall_schedule_id: schedule.id })),
          ...chats.map((via) => ({ via, webhook_url: `${chat.url}/${via}` })),
          { via: 'slack', channel_id: channel },
        ],
      },
    ],
  });
  assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);
  const [integration] = await api.list('integrations');
  const open = async (title: string): Promise<string> => {
    const { body } = await postJson(integration.webhook_url, { title });
    return (await api.send(`GET /incidents/${body.alerts[0].incident}`)).body.id;
  };
  const over = await open('Over soon');
  const resolved = await api.send(`POST /incidents/${over}/resolve`, {});
  assert.equal(resolved.status, 200);
  return { open: await open('Disk full'), resolved: over };
}

type Incidents = Awaited<ReturnType<typeof page>>;

const settled = async ({ sql }: InProcess): Promise<boolean> => {
  const rows = await sql`select from outbox where state = 'pending' and attempts = 0`;
  return rows.length === 0;
};

/** To each whom the page went to, as another kind. */
async function store({ sql }: InProcess, incidents: Incidents, kind: string, way: Way) {
  if (way.by !== 'outbox') return;
  const incident = way.on ? incidents[way.on] : null;
  await sql`
    insert into outbox (organization_id, key, incident_id, kind, channel, recipient_key, notice,
      cycle, step, user_id, rank, state, attempts, created_at, wake_at)
    select organization_id, ${`${kind}/`} || gen_random_uuid() || key, ${incident}, ${kind}, channel,
      recipient_key, (notice::jsonb || ${sql.json((way.notice ?? {}) as never)}::jsonb)::json,
      ${noCycle}, -1, user_id, 2, 'pending', 0, now(), now()
    from outbox where incident_id = ${incidents.open} and kind = 'page'`;
}

const factorKinds = [
  ...(['passkey_added', 'passkey_removed', 'second_factor_added'] as const),
  ...(['second_factor_removed', 'recovery_codes_renewed', 'factors_removed'] as const),
  'api_key_created',
  'api_key_made_with_key',
  'contact_removed',
] satisfies readonly FactorChange[];

/** As mails about an account are made, whose changes take several requests each. */
async function accountMails({ pager: { sql, url }, me }: World) {
  const notices: Notice[] = [];
  const mails = createAccountMails({
    sql,
    clock: systemClock,
    log: silentLog,
    random: systemRandom,
    publicUrl: url,
    digest: () => new Uint8Array(),
    isMailSet: async () => true,
    email: {
      async send(notice) {
        notices.push(notice);
        return { outcome: 'delivered' };
      },
    },
  });
  for (const kind of factorKinds)
    mails.sendFactorChanged(me.id, kind, { removed: ['a passkey'], removed_by: 'Lin' });
  const person = await activePerson(sql, me.id);
  assert.ok(person);
  mails.sendChanged(person);
  mails.sendSet(person, 'Lin');
  mails.sendEmailChanged(person, { to: 'new@example.test', by: 'Lin' });
  await mails.idle();
  const act = { organizationId: person.organization_id, verb: 'sign-in-link', person };
  notices.push(
    noticeOf(
      { ...act, what: 'A link that signs in', now: systemClock.now() },
      { owner: person, membership: await membershipOf(sql, me.id), publicUrl: url },
    ),
  );
  notices.push(
    answerNotice({
      organization: { id: person.organization_id, name: 'Acme' },
      answer: {
        incident: { id: 'a'.repeat(24), number: 1 },
        text: 'Nothing was changed.',
        url: `${url}/incidents/1`,
        inReplyTo: null,
      },
      now: systemClock.now(),
    }),
  );
  const from = { from: 'pager@example.test', domain: 'example.test' };
  return notices.map((notice) => ({
    kind: notice.kind,
    content: JSON.stringify(emailOf(notice, from)),
  }));
}

/** Addresses of the server in a text of any form, and paths that a browser completes. */
function linksIn(text: string, url: string): readonly string[] {
  const plain = text.replaceAll('\\/', '/').replaceAll('&amp;', '&');
  const whole = plain.match(new RegExp(`${url}[^\\s"'<>|)\\\\\\]}]*`, 'g')) ?? [];
  return whole.map((link) => link.replace(/[.,;:]+$/, ''));
}

/** Of the dashboard, as the browser has its pages: path patterns. */
const dashboardPages = dashboardRoutes.map(
  (path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`),
);

const apiPaths: readonly (readonly [RegExp, string])[] = [
  [/^\/incidents\/(\w+)$/, 'incidents'],
  [/^\/users\/(\w+)$/, 'users'],
  [/^\/on-calls\/(\w+)$/, 'on-calls'],
  [/^\/settings\/channels\/(\w+)$/, 'channel-connections'],
  [/^\/integrations\/(\w+)$/, 'integrations'],
];

/** What a page shows that is not of the dashboard. */
const ownPages: readonly (readonly [RegExp, RegExp])[] = [
  [/^\/act\//, /Acknowledge|Resolve|There is nothing left to do/],
  [/^\/set-password\//, /type="password"/],
  [/^\/sign-in$/, /type="password"/],
  [/^\/got-it\//, /I got it/],
  [/^\/unsubscribe\//, /Turn off/],
  [/^\/calendars\//, /BEGIN:VCALENDAR/],
];

async function assertOpens({ owner }: World, cookie: string, link: string) {
  const own = ownPages.find(([path]) => path.test(new URL(link).pathname));
  const answer = await fetch(link, own ? {} : { headers: { cookie } });
  const body = await answer.text();
  assert.equal(answer.status, 200, `${link}: ${body.slice(0, 200)}`);
  if (own) return assert.match(body, own[1], link);
  const { pathname } = new URL(answer.url);
  const isKnown = dashboardPages.some((known) => known.test(pathname));
  assert.ok(isKnown, `${link} is no page of the dashboard`);
  for (const [path, route] of apiPaths) {
    const [, id] = path.exec(pathname) ?? [];
    if (id === undefined) continue;
    assert.equal((await owner(`GET /${route}/${id}`)).status, 200, `${link} is about nothing`);
  }
}

test('each link that is sent leads to a page of what it is about', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { pager, owner, me, other, mail, chat, telegram, ntfy, slack, twilio, push } = world;
  const { api, url } = pager;
  const ways = waysOf(world);
  for (const kind of noticeKinds) assert.ok(ways[kind], `how are links of ${kind} tested?`);

  const incidents = await page(world);
  await eventually('the pages', () => settled(pager));
  for (const [kind, all] of Object.entries(ways))
    for (const way of all) await store(pager, incidents, kind, way);
  await eventually('all notices', () => settled(pager));

  // What people request.
  assert.equal((await owner(`POST /users/${other.id}/invitation`, {})).status, 201);
  await fetch(`${url}/auth/lost-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url },
    body: new URLSearchParams({ email: me.email }).toString(),
  });
  const feed = await owner('POST /calendar-feeds', { oncall_schedule_id: world.schedule.id });
  assert.equal(feed.status, 201, JSON.stringify(feed.body));
  const webhook = await api.create('outbound-webhooks', {
    name: 'Hook',
    url: `${chat.url}/hook`,
    method: 'POST',
  });
  const called = await api.send(`POST /incidents/${incidents.open}/call-webhook`, {
    outbound_webhook_id: webhook.id,
  });
  assert.equal(called.status, 200, JSON.stringify(called.body));
  const contact = await owner(`POST /users/${me.id}/contacts`, {
    channel: 'email',
    address: 'second@example.test',
  });
  await owner(`POST /users/${me.id}/contacts/${contact.body.id}/code`, {});
  const [address] = (await owner(`GET /users/${me.id}/contacts`)).body.data.filter(
    (one: { channel: string; verified: boolean }) => one.channel === 'email' && one.verified,
  );
  await owner(`POST /users/${me.id}/contacts/${address.id}/test`, {});
  await mail.arrival('the test page', ({ text }) => text.includes('/got-it/'));
  await mail.arrival('the reset', ({ to, text }) => to === me.email && text.includes('/set-p'));
  await mail.arrival('the invitation', ({ to }) => to === other.email);
  await mail.arrival('the code', ({ to }) => to === 'second@example.test');
  await eventually('the call', () => chat.messages.some((one) => one.includes('"event_type"')));

  const made = await accountMails(world);
  const contents = [
    ...[...mail.mails, ...chat.messages, ...ntfy.published, ...telegram.messages],
    ...[
      ...slack.calls,
      ...twilio.messages.map((one) => one.body),
      ...push.received,
      feed.body,
      ...made,
    ],
  ].map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  const links = new Set(contents.flatMap((content) => linksIn(content, url)));
  const { cookie } = await sessionOf(pager, password);
  for (const link of links) await assertOpens(world, cookie, link);
  for (const start of [
    'act',
    'got-it',
    'set-password',
    'sign-in',
    'me',
    'calendars',
    'unsubscribe',
  ])
    assert.ok(
      [...links].some((link) => link.startsWith(`${url}/${start}`)),
      `a link to ${start}`,
    );
  for (const path of [`incidents/1`, `users/${other.id}`, `on-calls/${world.schedule.id}`])
    assert.ok(links.has(`${url}/${path}`), path);
  assert.ok(links.has(`${url}/settings/channels/${world.telegramConnection.id}`));

  // Who was paged through a schedule acts in their own name.
  const paged = mail.mails.find(({ notice }) => notice.startsWith(incidents.open));
  const [acknowledge = ''] = linksIn(paged?.text ?? '', url).filter((link) =>
    link.includes('/act/'),
  );
  assert.equal((await fetch(acknowledge, { method: 'POST' })).status, 200);
  const timeline = await api.send(`GET /incidents/${incidents.open}/timeline?limit=200`);
  const named = timeline.body.data.filter(
    ({ actor }: { actor?: { id?: string } }) => actor?.id === me.id,
  );
  assert.deepEqual(
    named.map(({ type, actor }: { type: string; actor: { name: string } }) => [type, actor.name]),
    [['acknowledged', [me.first_name, me.last_name].join(' ').trim() || me.email]],
  );
  assert.match(JSON.stringify(timeline.body), /\(on call of Payments\)/, 'shown with the page');

  // By mail, of each kind.
  const isOf = ({ notice, to }: (typeof mail.mails)[number], kind: string) => {
    if (kind === 'page') return notice.startsWith(incidents.open);
    return kind === 'contact_code' ? to === 'second@example.test' : notice.includes(kind);
  };
  for (const [kind, all] of Object.entries(ways)) {
    const own = [
      ...mail.mails.filter((one) => isOf(one, kind)).map((one) => JSON.stringify(one)),
      ...made.filter((one) => one.kind === kind).map(({ content }) => content),
    ];
    assert.ok(own.length >= all.length, `a mail of ${kind}`);
    const { hasLinks } = all[0] ?? { hasLinks: false };
    for (const content of own) assert.equal(linksIn(content, url).length > 0, hasLinks, kind);
  }
});
