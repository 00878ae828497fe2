import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { anyDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { buildShiftIntent } from '../../../test/shift-intent.ts';
import { startWebhookCalls, type WebhookCalls } from '../../../test/webhook-calls.ts';
import { startWebhookServer } from '../../../test/webhook-server.ts';
import type { Fault } from '../../engine/faults.ts';
import { listDeliveries } from '../../storage/webhooks/deliveries.ts';

const server = await anyDatabase();
const setting = () => startWebhookCalls(server);

/** A webhook that was called once, and where the call is in the log. */
async function calledOnce(calls: WebhookCalls, url: string) {
  const hook = await calls.webhook({ url });
  const incident = await calls.trigger('disk full');
  await calls.call(incident, hook);
  await calls.send();
  const [delivery] = await calls.deliveries(hook);
  const path = `/outbound-webhooks/${hook}/deliveries`;
  return { hook, incident, delivery, path, one: `${path}/${delivery.id}` };
}

test('the log tells of each call what it was about, and of each try what was answered', async () => {
  await using webhookServer = await startWebhookServer((_, response) => {
    response.writeHead(503).end('x'.repeat(5_000));
  });
  await using calls = await setting();
  const url = `${webhookServer.url}/in`;
  const { delivery, incident } = await calledOnce(calls, url);
  const { id, tries, ...body } = delivery;
  assert.match(id, /^[0-9a-f]{24}$/);
  assert.deepEqual(body, {
    event_type: 'incident_requested',
    incident: { id: incident, number: 1 },
    state: 'pending',
    reason: 'answered 503',
    created_at: '2026-03-02T12:00:00.000Z',
    next_try_at: '2026-03-02T12:00:05.000Z',
  });
  assert.deepEqual(tries, [
    {
      number: 1,
      at: '2026-03-02T12:00:00.000Z',
      finished_at: '2026-03-02T12:00:00.000Z',
      outcome: 'retry',
      reason: 'answered 503',
      status: 503,
      answer: 'x'.repeat(2_048),
      method: 'POST',
      url,
      headers: {},
    },
  ]);
});

test('below manager the address is masked and the body is not shown', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  await using calls = await setting();
  const { hook, one } = await calledOnce(calls, `${webhookServer.url}/secret-path`);
  const viewer = calls.world.caller({ role: 'viewer' });
  const [listed] = await calls.deliveries(hook, viewer);
  assert.equal(listed.tries[0].url, '•••');
  const url = `${webhookServer.url}/headers`;
  const typed = await calls.webhook({ url, headers: { Authorization: 'very-secret' } });
  await calls.call(await calls.trigger('memory full'), typed);
  await calls.send();
  const headersFor = async (caller: Parameters<typeof calls.deliveries>[1]) =>
    (await calls.deliveries(typed, caller))[0].tries[0].headers;
  assert.deepEqual(await headersFor(viewer), { Authorization: '•••' });
  assert.deepEqual(await headersFor(undefined), { Authorization: 'very-secret' });
  const { body } = await calls.api.send(viewer, `GET ${one}`);
  assert.equal(JSON.stringify(body).includes('secret-path'), false);
  assert.deepEqual(body.content, { type: 'application/json', body: '•••' });
  const shown = (await calls.api.send(calls.key, `GET ${one}`)).body;
  assert.equal(shown.content.body, webhookServer.received[0]?.body);
});

test('the log is read page by page, newest first', async () => {
  await using calls = await setting();
  const hook = await calls.webhook({ url: 'http://127.0.0.1:1' });
  const incident = await calls.trigger('disk full');
  for (const minute of [1, 2, 3]) {
    calls.at(minute);
    await calls.call(incident, hook);
  }
  const path = `GET /outbound-webhooks/${hook}/deliveries`;
  const { data, next_cursor } = (await calls.api.send(calls.key, `${path}?limit=2`)).body;
  const rest = await calls.api.send(calls.key, `${path}?limit=2&cursor=${next_cursor}`);
  const times = [...data, ...rest.body.data].map(({ created_at }) => created_at.slice(11, 16));
  assert.deepEqual(times, ['12:03', '12:02', '12:01']);
  assert.equal(rest.body.next_cursor, null);
  const wrong = await calls.api.send(calls.key, `${path}?cursor=x`);
  assert.equal(wrong.status, 422);
});

test('calls about shifts are in the same log, and can be asked for again', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  await using calls = await setting();
  const hook = await calls.webhook({ url: webhookServer.url });
  await calls.insertShiftNotice(
    buildShiftIntent('shift_start', { channel: 'webhook', address: hook, shiftEnd: noon }),
  );
  await calls.send();
  const [late] = await calls.deliveries(hook);
  assert.deepEqual([late.event_type, late.oncall_schedule.name], ['oncall_shift_start', 'Rota']);
  assert.deepEqual([late.state, late.reason], ['cancelled', 'the shift is over']);
  const path = `/outbound-webhooks/${hook}/deliveries`;
  await calls.api.send(calls.key, `POST ${path}/${late.id}/redeliver`);
  await calls.send();
  const { event_type } = JSON.parse(webhookServer.received[0]?.body ?? '{}');
  assert.equal(event_type, 'oncall_shift_start');
  const sent = (await calls.deliveries(hook)).find(({ state }) => state === 'sent');
  assert.equal(sent.redelivery_of, late.id);
});

test('a call is not made again before it was made', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  await using calls = await setting();
  const hook = await calls.webhook({ url: webhookServer.url });
  await calls.call(await calls.trigger('disk full'), hook);
  const [{ id }] = await calls.deliveries(hook);
  const line = `POST /outbound-webhooks/${hook}/deliveries/${id}/redeliver`;
  const early = await calls.api.send(calls.key, line);
  assert.deepEqual([early.status, early.body.error], [409, 'invalid_state']);
  await calls.send();
  assert.equal((await calls.api.send(calls.key, line)).status, 202);
});

test('no two bodies ever bear one id, though the first call was cancelled', async () => {
  await using webhookServer = await startWebhookServer((_, response) => response.end());
  await using calls = await setting();
  const { api, key, sql } = calls;
  const hook = await calls.webhook({ url: webhookServer.url });
  const incident = await calls.trigger('disk full');
  await calls.call(incident, hook);
  await sql`update outbound_webhooks set archived_at = ${noon}`;
  await calls.send();
  await sql`update outbound_webhooks set archived_at = null`;
  const path = `/outbound-webhooks/${hook}/deliveries`;
  const again = async (id: string): Promise<string> => {
    const { body } = await api.send(key, `POST ${path}/${id}/redeliver`);
    await calls.send();
    return body.id;
  };
  const [{ id }] = await calls.deliveries(hook);
  await again(id);
  await api.send(key, `POST /incidents/${incident}/priority`, { body: { priority: 'p2' } });
  await again(await again(id));
  const sent = webhookServer.received.map(({ headers, body }) => ({
    id: headers['webhook-id'],
    body,
  }));
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent.map(({ body }) => body)).size, 2);
  assert.notEqual(sent[0]?.id, sent[1]?.id);
  assert.deepEqual(sent[2], sent[1]);
});

test('tests and calls anew are for managers, and nobody reaches into another team', async () => {
  await using calls = await setting();
  const { api, world } = calls;
  const { hook, path, one } = await calledOnce(calls, 'http://127.0.0.1:1');
  const writes = [`POST ${one}/redeliver`, `POST /outbound-webhooks/${hook}/test`];
  const reads = [`GET ${path}`, `GET ${one}`];
  const { web = '' } = world.teams;
  const callers = [
    [world.caller({ role: 'responder' }), writes, 403],
    [world.caller({ role: 'responder' }), reads, 200],
    [world.caller({ teamIds: [web] }), [...reads, ...writes], 404],
    [world.caller({ organizationId: 'f'.repeat(24) }), [...reads, ...writes], 404],
  ] as const;
  for (const [caller, lines, status] of callers)
    for (const line of lines)
      assert.equal((await api.send(caller, line)).status, status, `${caller.role} ${line}`);
  const other = await calls.webhook({ url: 'http://127.0.0.1:1' });
  const crossing = one.replace(hook, other);
  assert.equal((await api.send(calls.key, `GET ${crossing}`)).status, 404);
  assert.equal((await api.send(calls.key, `POST ${crossing}/redeliver`)).status, 404);
});

test('an address is sealed at rest, in the log as well', async () => {
  await using calls = await setting();
  await calledOnce(calls, 'http://127.0.0.1:1/secret-path');
  const rows = await calls.sql<{ text: string }[]>`
    select row_to_json(o)::text as text from outbox o union all
    select row_to_json(a)::text from attempts a union all
    select row_to_json(t)::text from timeline t union all
    select row_to_json(l)::text from audit_log l`;
  for (const { text } of rows) assert.equal(text.includes('secret-path'), false, text);
});

test('a try whose address cannot be read keeps nobody from the log', async () => {
  await using calls = await setting();
  const { hook, delivery } = await calledOnce(calls, 'http://127.0.0.1:1');
  await calls.sql`update attempts set called = '{"url": {"sealed": "v2:AAAA"}}'`;
  const faults: Fault[] = [];
  const reading = {
    sql: calls.sql,
    secrets: testSecrets,
    faults: (fault: Fault) => faults.push(fault),
  };
  const of = { key: hook, scope: calls.key };
  const listed = await listDeliveries(reading, of, { limit: 10, before: null });
  assert.ok(listed !== 'not_found');
  const [{ id, tries: [first] = [] } = { id: '' }] = listed;
  assert.deepEqual(
    [id, first?.reason, first?.called],
    [delivery.id, delivery.tries[0].reason, null],
  );
  assert.deepEqual(
    faults.map((fault) => fault.of),
    ['call'],
  );
});

test('a responder calls a webhook of the incident’s own team, for one incident or many', async () => {
  await using calls = await setting();
  const { api, world } = calls;
  const { web } = world.teams;
  const hook = await calls.webhook({ url: 'http://127.0.0.1:1' });
  const others = await calls.webhook({ url: 'http://127.0.0.1:1', team_id: web });
  const ids = [await calls.trigger('disk full'), await calls.trigger('cpu')];
  const responder = world.caller({ role: 'responder' });
  const call = (line: string, body: object, who = responder) => api.send(who, line, { body });
  const one = `POST /incidents/${ids[0]}/call-webhook`;
  assert.equal((await call(one, { outbound_webhook_id: hook })).status, 200);
  calls.at(1);
  const many = await call('POST /incidents/call-webhook', { ids, outbound_webhook_id: hook });
  assert.deepEqual(
    many.body.results.map(({ result }: { result: string }) => result),
    ['done', 'done'],
  );
  assert.equal((await calls.deliveries(hook)).length, 3);
  for (const wrong of [others, 'f'.repeat(24)]) {
    const refused = await call(one, { outbound_webhook_id: wrong });
    assert.deepEqual([refused.status, refused.body.error], [409, 'invalid_state'], wrong);
    assert.match(refused.body.message, /the webhook does not exist/);
  }
  const viewer = world.caller({ role: 'viewer' });
  assert.equal((await call(one, { outbound_webhook_id: hook }, viewer)).status, 403);
});
