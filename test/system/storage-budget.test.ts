// A token that sends far more than its organization may store in a day: the database grows by what
// is stated, every alert opens and pages, and others lose nothing.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import postgres from 'postgres';
import { eventsLimits } from '../../src/limits/events.ts';
import { KIB, MIB } from '../../src/limits/limit.ts';
import { send as sendMail } from '../mail-client.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, mailTo } from './server-process.ts';

const BUDGET = 1 * MIB;
const ROUNDS = 12;
const LARGE = 200 * KIB;
/** Rows, indexes and notices of an alert that opens an incident and pages, without what it sent. */
const PER_ALERT = 24 * KIB;
const LEAST = eventsLimits.bodyStored + 3 * eventsLimits.detailsStored + eventsLimits.linksStored;

/** What compression makes no smaller. */
const noise = (length: number) => randomBytes((length * 3) / 4).toString('base64');

test('a token cannot fill the disk: beyond the budget events are decided, and cut', async () => {
  await using mail = await startMailServer();
  await using installation = await createInstallation({
    ...mailTo(mail),
    PAGER_EVENT_STORAGE_MIB_PER_DAY: `${BUDGET / MIB}`,
  });
  const server = await installation.start();
  const { api } = server;
  const [flooded] = await api.list('integrations');
  const { service_id, escalation_policy_id } = flooded;
  const create = async (name: string, enabled = true) =>
    (
      await api.send('POST /integrations', {
        slug: 'webhook',
        name,
        service_id,
        escalation_policy_id,
        enabled,
      })
    ).body;
  const quiet = await create('Quiet');
  const disabled = await create('Disabled', false);
  const host = `${installation.dataDir}/postgres/socket`;
  const sql = postgres('postgres://pager@localhost/pager', { host, max: 1, onnotice() {} });
  await using _closing = { [Symbol.asyncDispose]: () => sql.end() };
  const before = await sizeOf(sql);

  const statuses: number[] = [];
  const send = async (to: string, body: string, contentType = 'application/json') => {
    const headers = { 'content-type': contentType };
    const answer = await fetch(to, { method: 'POST', headers, body });
    statuses.push(answer.status);
    return await answer.json();
  };
  let sent = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const json = JSON.stringify({ body: { log: noise(LARGE) }, title: `json ${round}` });
    const form = new URLSearchParams({ log: noise(LARGE), title: `form ${round}` });
    await send(flooded.webhook_url, json);
    await send(flooded.webhook_url, `${form}`, 'application/x-www-form-urlencoded');
    await send(flooded.webhook_url, `{"title":${'['.repeat(9)}"${noise(LARGE)}`);
    await send(disabled.webhook_url, json);
    const mailed = { to: flooded.email_address, subject: `mail ${round}`, text: noise(LARGE) };
    assert.equal(await sendMail({ port: server.mailPort }, mailed), 250);
    sent += 5 * LARGE;
  }
  assert.ok(sent > 10 * BUDGET);
  assert.deepEqual([...new Set(statuses)].toSorted(), [202, 400]);

  const titles = ['json', 'form', 'mail'].flatMap((kind) =>
    Array.from({ length: ROUNDS }, (_, n) => `${kind} ${n}`),
  );
  await eventually('each alert has opened an incident', async () => {
    const { body } = await api.send('GET /incidents?limit=200');
    const opened = new Set(body.data.map(({ title }: { title: string }) => title));
    return titles.every((title) => opened.has(title));
  });
  for (const title of titles)
    await mail.arrival(`a page about ${title}`, ({ subject }) => subject.includes(title));

  const most = BUDGET + titles.length * (PER_ALERT + LEAST);
  const grown = (await sizeOf(sql)) - before;
  assert.ok(grown <= most, `${grown} bytes are stored, ${sent} were sent`);
  assert.ok(grown < sent / 3, `${grown} bytes are stored, ${sent} were sent`);

  const other = JSON.stringify({ title: 'quiet', body: { log: noise(2 * KIB) } });
  await send(quiet.webhook_url, other);
  const { body: log } = await api.send(`GET /integrations/${quiet.id}/events`);
  assert.ok(log.data[0].body === other, 'the body is whole');
  assert.equal(log.data[0].body_cut_from, undefined);
  assert.ok(log.storage.stored_bytes >= other.length && log.storage.cut_events === 0);

  const { body: events } = await api.send(`GET /integrations/${flooded.id}/events?limit=100`);
  type Logged = { body: string; body_cut_from?: number; requests: number; outcome: string };
  const requestsOf = (rows: readonly Logged[]) =>
    rows.reduce((sum, { requests }) => sum + requests, 0);
  const cut: (Logged & { id: string })[] = events.data.filter((one: Logged) => one.body_cut_from);
  assert.ok(cut.length > 2 * ROUNDS);
  for (const { body, body_cut_from = 0 } of cut)
    assert.ok(body.length <= eventsLimits.bodyStored && body_cut_from > LARGE);
  assert.equal(requestsOf(events.data), 4 * ROUNDS);
  assert.equal(requestsOf(cut), events.storage.cut_events);
  // Of those that opened nothing a single row counts what does not fit.
  for (const [outcome, { id }] of Object.entries({ unreadable: flooded, dropped: disabled })) {
    const { body: all } = await api.send(`GET /integrations/${id}/events?limit=100`);
    const rows = all.data.filter((one: Logged) => one.outcome === outcome);
    assert.ok(rows.length <= 3, `${outcome}: ${rows.length} rows`);
    assert.equal(requestsOf(rows), ROUNDS, outcome);
  }
  const { body: attention } = await api.send('GET /attention');
  const facts = attention.data.filter(({ type }: { type: string }) => type === 'integration_cut');
  assert.deepEqual(
    new Set(facts.map((fact: { integration: { id: string } }) => fact.integration.id)),
    new Set([flooded.id, disabled.id]),
  );
  await mail.arrival('a notice', ({ subject }) => subject.includes('only partly stored'));
  const { body: metrics } = await request(`${server.url}/metrics`);
  assert.match(metrics, /^pager_events_cut_total [1-9]/m);

  // A cut event is not taken for the whole.
  const id = cut.find(({ outcome }) => outcome === 'opened')?.id;
  const tried = await api.send(`POST /integrations/${flooded.id}/mapping/try`, {
    forms: [],
    event_ids: [id],
  });
  assert.match(tried.body.data[0].now.note, /^only the first \d+ of \d+ bytes/);
  const tested = await api.send('POST /alert-rules/test', {
    event_id: id,
    rule: { condition_groups: [], actions: [] },
  });
  assert.equal(tested.status, 422);

  // What was stored counts after a restart as well.
  await server.stop();
  const again = await installation.start();
  await postJson(flooded.webhook_url, { title: 'after', body: { log: noise(LARGE) } });
  const { body: later } = await again.api.send(`GET /integrations/${flooded.id}/events?limit=1`);
  assert.ok(later.data[0].body_cut_from > LARGE);
  await again.stop();
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

/** With indexes and what is stored apart of rows. */
async function sizeOf(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`
    select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`;
  return Number(row?.bytes);
}
