// Two servers on one database are killed in turn around handoffs: each shift must start and end
// once in the ledger, and everybody must be told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../src/engine/log.ts';
import { openDatabase, type Sql } from '../../src/storage/database/database.ts';
import { testDatabase } from '../database.ts';
import { startWebhookServer, type WebhookServer } from '../webhook-server.ts';
import type { Api } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, mailTo, type ServerProcess } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const SCHEDULES_EACH = 5;
/** Until the first handoff: time enough to declare all of them. */
const LEAD_SECONDS = 10;
const BETWEEN_SECONDS = 3;

type AnnouncedParts = { readonly sql: Sql; readonly hook: WebhookServer };
type Moment = (handoff: Temporal.Instant, parts: AnnouncedParts) => Promise<unknown>;

const asItComes: Moment = (handoff) =>
  eventually('the handoff comes', () => Date.now() >= handoff.epochMilliseconds - 15);
const onceRecorded: Moment = (handoff, { sql }) =>
  eventually('the handoff is recorded', async () => {
    const events = await sql`select from shift_events where at = ${handoff} limit 1`;
    return events.length > 0;
  });
const onceNotified: Moment = (handoff, { hook }) =>
  eventually('the webhook is told of the handoff', () =>
    hook.received.some(({ body }) =>
      body.includes(`"start":"${handoff.toString({ fractionalSecondDigits: 3 })}"`),
    ),
  );
/** When each of the handoffs kills a server. */
const moments: readonly Moment[] = [asItComes, onceRecorded, onceNotified, asItComes];

test('servers that are killed around handoffs announce each of them, and none twice', async () => {
  await using mail = await startMailServer();
  await using hook = await startWebhookServer((_request, response) => response.end());
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await createInstallation({
    ...mailTo(mail),
    PAGER_DATABASE_URL: database.url,
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
  });
  const second = {
    PAGER_LISTEN: `127.0.0.1:${await freePort()}`,
    PAGER_EMAIL_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  const servers = [await installation.start(), await installation.start(second)] as const;
  const { api } = servers[0];
  await using opened = await openDatabase({ url: database.url, log: silentLog });
  const { sql } = opened;
  const people = await seedPeople(api, hook.url);
  const schedules = await seedSchedules(api, people);
  await started(sql, schedules.length);
  await eventually('all are told of what is so already', () => isDrained(sql));
  const handoffs = await seedHandoffs(api, people, schedules);

  const running: ServerProcess[] = [...servers];
  for (const [index, at] of handoffs.entries()) {
    await moments[index]?.(at, { sql, hook });
    const half = index % 2;
    await running[half]?.kill();
    running[half] = await installation.start(half === 0 ? {} : second);
  }

  await started(sql, schedules.length * 2);
  await drained(sql, Math.max(...running.map(({ startedMs }) => startedMs)));
  await checkLedger(sql, people, handoffs);
  await checkNotified(sql, { hook, mails: mail.mails });
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

type People = {
  readonly ada: { id: string; email: string };
  readonly grace: { id: string; email: string };
};

/** Both are told of starts and of ends, and a webhook of everything. */
async function seedPeople(api: Api, url: string): Promise<People> {
  const [ada] = await api.list('users');
  const grace = await api.create('users', {
    first_name: 'Grace',
    last_name: 'Example',
    email: 'grace@example.test',
    role: 'responder',
  });
  for (const { id } of [ada, grace]) {
    const wishes = { shift_start: ['email'], shift_end: ['email'] };
    const { status, body } = await api.send(`PUT /users/${id}/notifications`, wishes);
    assert.equal(status, 200, JSON.stringify(body));
  }
  const webhook = await api.create('outbound-webhooks', { name: 'Roster', url, method: 'POST' });
  const shift_notifications = { outbound_webhook_ids: [webhook.id] };
  const { status, body } = await api.send('PATCH /organization', { shift_notifications });
  assert.equal(status, 200, JSON.stringify(body));
  return { ada, grace };
}

/** Ada is on call in all of them. */
async function seedSchedules(api: Api, { ada }: People): Promise<readonly string[]> {
  const far = Temporal.Now.zonedDateTimeISO('UTC').add({ hours: 12 });
  const rotation = { length: 4, unit: 'weeks', handoff: far.toPlainTime().toString().slice(0, 5) };
  const layers = [{ users: [ada.id], rotation }];
  const made = Array.from({ length: moments.length * SCHEDULES_EACH }, (_, index) =>
    api.create('on-calls', { name: `Rota ${index}`, layers }),
  );
  return (await Promise.all(made)).map(({ id }) => id);
}

/** Grace takes over, in some schedules after the others, each time in several at once. */
async function seedHandoffs(
  api: Api,
  { grace }: People,
  schedules: readonly string[],
): Promise<readonly Temporal.Instant[]> {
  const first = Temporal.Now.instant().round('millisecond').add({ seconds: LEAD_SECONDS });
  const handoffs = moments.map((_, index) => first.add({ seconds: index * BETWEEN_SECONDS }));
  const made = schedules.map((id, index) => {
    const start = handoffs[index % handoffs.length] ?? first;
    const override = { user_id: grace.id, start: `${start}`, end: `${start.add({ hours: 1 })}` };
    return api.create(`on-calls/${id}/overrides`, override);
  });
  await Promise.all(made);
  return handoffs;
}

async function started(sql: Sql, shifts: number): Promise<void> {
  await eventually(`${shifts} shifts have started`, async () => {
    const starts = await sql`select from shift_events where type = 'start'`;
    return starts.length === shifts;
  });
}

/** The leases of those who were killed end now instead of within a minute. */
async function drained(sql: Sql, startedMs: number): Promise<void> {
  await sql`
    update outbox o set wake_at = o.created_at
    from attempts a
    where o.state = 'pending' and a.organization_id = o.organization_id and a.key = o.key
      and a.number = o.attempts and a.outcome is null
      and a.claimed_at < ${Temporal.Instant.fromEpochMilliseconds(startedMs)}`;
  await eventually('every notice has ended', () => isDrained(sql));
}

async function isDrained(sql: Sql): Promise<boolean> {
  const pending = await sql`select from outbox where state = 'pending' limit 1`;
  return pending.length === 0;
}

type EventRow = { schedule: string; at: Temporal.Instant; text: string };

/** In each schedule Ada's shift starts, ends when Grace's starts, and nothing else. */
async function checkLedger(
  sql: Sql,
  { ada, grace }: People,
  handoffs: readonly Temporal.Instant[],
) {
  const rows = await sql<EventRow[]>`
    select e.oncall_schedule_id as schedule, e.at,
      concat_ws(' ', e.type, s.user_id, case when not e.announced then 'in silence' end) as text
    from shift_events e
    join shifts s on s.organization_id = e.organization_id and s.id = e.shift_id
    order by e.at, e.type`;
  const stories = [...Map.groupBy(rows, (row) => row.schedule).values()];
  for (const story of stories)
    assert.deepEqual(
      story.map(({ text }) => text),
      [`start ${ada.id}`, `end ${ada.id}`, `start ${grace.id}`],
    );
  const times = stories.flatMap(([, ...handoff]) => handoff.map(({ at }) => `${at}`));
  const expected = handoffs.flatMap((at) => Array(2 * SCHEDULES_EACH).fill(`${at}`));
  assert.deepEqual(times.sort(), expected);
}

type Arrived = {
  readonly hook: WebhookServer;
  readonly mails: readonly { readonly notice: string }[];
};

/** Each event has one notice by mail and one by webhook, and each of them arrived. */
async function checkNotified(sql: Sql, { hook, mails }: Arrived): Promise<void> {
  const events = await sql<{ key: string }[]>`
    select 'shift/' || shift_id || '/' || type || '/' as key from shift_events`;
  const notices = await sql<{ key: string; state: string }[]>`
    select key, state from outbox where kind in ('shift_start', 'shift_end')`;
  assert.deepEqual(
    notices.filter(({ state }) => state !== 'sent'),
    [],
  );
  assert.equal(notices.length, events.length * 2);
  const arrived = new Set([
    ...mails.map(({ notice }) => notice),
    ...hook.received.map(({ headers }) => String(headers['webhook-id']).replaceAll('-', '/')),
  ]);
  for (const { key } of notices) assert.ok(arrived.has(key), `${key} never arrived`);
}
