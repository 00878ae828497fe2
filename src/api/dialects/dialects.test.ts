import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { key, openDialects, type Sent, unknown } from '../../../test/dialect-server.ts';
import { withPager } from '../../../test/stories/story.ts';
import { confirmation, notification } from '../../../test/vendors/sns.ts';
import { Room } from '../../admission/room.ts';
import type { SnsClient } from '../../alerts/sns.ts';
import { findIntegration } from '../../storage/incidents/events.ts';
import { type EventRow, eventColumns, storedEvent } from '../../storage/ledger/events.ts';
import { readEvent } from '../what-if/trial-event.ts';

const genie = { authorization: `GenieKey ${key}` };

test('PagerDuty: a trigger, its acknowledgement and its end are one incident', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const send = async (event: object, to = '/v2/enqueue') => {
      const body = { routing_key: key, ...event };
      const { headers: _, ...answer } = await server.send(`POST ${to}`, { body });
      return answer;
    };
    const payload = { summary: 'Disk full', source: 'db-1', severity: 'critical' };
    const dedup_key = 'db-1/disk';
    const success = { status: 'success', message: 'Event processed', dedup_key };
    const want = { status: 202, body: success, after: undefined };
    assert.deepEqual(await send({ event_action: 'trigger', dedup_key, payload }), want);
    assert.deepEqual(
      await send({ event_action: 'acknowledge', dedup_key }, '/hooks/v2/enqueue/'),
      want,
    );
    assert.deepEqual(await pager.incidents(), ['1 acknowledged']);
    assert.deepEqual(await send({ event_action: 'resolve', dedup_key }), want);
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
    const [incident] = await pager.sql`select title, severity from incidents`;
    assert.deepEqual(incident, { title: 'Disk full', severity: 'sev1' });
  }));

test('PagerDuty: without a key of the alert its contents are one, and the answer has it', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const body = {
      routing_key: key,
      event_action: 'trigger',
      payload: { summary: 'Disk full', source: 'db-1', severity: 'error' },
    };
    const first = await server.send('POST /v2/enqueue', { body });
    const again = await server.send('POST /v2/enqueue', { body });
    assert.equal(first.body.dedup_key.length, 32);
    assert.deepEqual(again.body, first.body);
    const { dedup_key } = first.body;
    const end = { routing_key: key, event_action: 'resolve', dedup_key };
    await server.send('POST /v2/enqueue', { body: end });
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
  }));

test('PagerDuty: a key that a template left blank, in part or whole, is answered by the one that was made', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const send = async (event_action: string, of: object) => {
      const payload = { summary: 'Disk full', source: 'db-1', severity: 'critical' };
      const body = { routing_key: key, event_action, payload, ...of };
      return (await server.send('POST /v2/enqueue', { body })).body.dedup_key;
    };
    for (const left of ['{{ key }}', 'disk-']) {
      const dedup_key = await send('trigger', { dedup_key: left });
      assert.match(dedup_key, /^[0-9a-f]{32}$/);
      await send('resolve', { dedup_key, payload: undefined });
    }
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
  }));

test('PagerDuty: version 1, and an address with the key in it', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const body = {
      service_key: key,
      event_type: 'trigger',
      incident_key: 'one',
      description: 'Down',
    };
    const answer = await server.send('POST /generic/2010-04-15/create_event.json', { body });
    assert.deepEqual([answer.status, answer.body.incident_key], [200, 'one']);
    const to = `POST /integration/${key}/enqueue`;
    const event = { event_action: 'resolve', dedup_key: 'one' };
    assert.equal((await server.send(to, { body: event })).status, 202);
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
    // A tool's own body is read by the integration's type.
    await server.send(to, { body: { title: 'Own form' } });
    assert.deepEqual(
      (await server.log()).map(({ path }) => path),
      ['/generic/2010-04-15/create_event.json', '/v2/enqueue', '/integration/enqueue'],
    );
  }));

test('PagerDuty: a change opens nothing', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const body = { routing_key: key, payload: { summary: 'Deployed' } };
    const { status } = await server.send('POST /v2/change/enqueue', { body });
    const [event] = await server.log();
    assert.deepEqual([status, event?.outcome, event?.reason], [202, 'ignored', 'a change']);
  }));

test('PagerDuty: what is refused is refused in its form', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const form = { status: 'invalid event', message: 'Event object is invalid' };
    const refusal = async (sent: Sent) => {
      const { status, body } = await server.send('POST /v2/enqueue', sent);
      const { error, ...rest } = body;
      // Some clients look for the same in an object of its own.
      assert.deepEqual(error, { code: 2001, message: rest.message, errors: rest.errors });
      return [status, rest];
    };
    const badKey = { ...form, errors: ['Invalid routing key'] };
    const event = { event_action: 'trigger', payload: { summary: 'Disk full' } };
    assert.deepEqual(await refusal({ body: { routing_key: unknown, ...event } }), [400, badKey]);
    assert.deepEqual(await refusal({ body: event }), [400, badKey]);
    assert.deepEqual(await refusal({ text: 'no JSON' }), [400, badKey]);
    const errors = ['event_action: must be trigger, acknowledge or resolve'];
    assert.deepEqual(await refusal({ body: { routing_key: key } }), [400, { ...form, errors }]);
    assert.deepEqual(await refusal({ body: { routing_key: key, event_action: 'resolve' } }), [
      400,
      { ...form, errors: ['dedup_key: is required to resolve'] },
    ]);
    const large = { routing_key: key, ...event, details: 'x'.repeat(1024 * 1024) };
    assert.equal((await refusal({ body: large }))[0], 400);
    await server.archive();
    assert.deepEqual(await refusal({ body: { routing_key: key, ...event } }), [
      400,
      { ...form, errors: ['The integration is archived.'] },
    ]);
  }));

test('bodies whose key is not known yet have a room of their own, and 429 beyond it', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager, {
      strangers: new Room({ slots: 10, bytes: 200 }),
    });
    const body = { routing_key: key, event_action: 'trigger', payload: { summary: 'Disk full' } };
    assert.equal((await server.send('POST /v2/enqueue', { body })).status, 202);
    const large = { ...body, client: 'x'.repeat(300) };
    const { status, body: answer, after } = await server.send('POST /v2/enqueue', { body: large });
    assert.deepEqual([status, answer.status, after], [429, 'throttle exceeded', '1']);
    const old = { service_key: key, event_type: 'trigger', details: 'x'.repeat(300) };
    const path = '/generic/2010-04-15/create_event.json';
    assert.equal((await server.send(`POST ${path}`, { body: old })).status, 403);
    // Where the key stands before the body, its integration has the usual room.
    const to = `POST /integration/${key}/enqueue`;
    assert.equal((await server.send(to, { body: large })).status, 202);
  }));

test('of the room for bodies whose key is not known yet, one network leaves some to others', () =>
  withPager(async (pager) => {
    const strangers = new Room({ slots: 10, bytes: 2_000 });
    await using server = await openDialects(pager, { strangers });
    const [greedy, other] = ['192.0.2.1', '198.51.100.1'];
    using _held = strangers.enter(greedy, 1_000);
    const body = { routing_key: key, event_action: 'trigger', payload: { summary: 'Disk full' } };
    const send = async (from: string) =>
      (await server.send('POST /v2/enqueue', { body, from })).status;
    assert.deepEqual([await send(greedy), await send(other)], [429, 202]);
  }));

const alertmanagerBody = {
  version: '4',
  status: 'firing',
  alerts: [{ status: 'firing', labels: { alertname: 'Down' } }],
};

/** Where Alertmanager's webhook sends, and whatever else sends again on 5xx only. */
const retriedOn5xx: readonly (readonly [line: string, slug?: string])[] = [
  ...[
    ...['alertmanager', 'prometheus', 'mimir', 'thanos', 'loki', 'victoriametrics', 'signoz'],
    ...['grafana', 'aws-sns', 'datadog'],
  ].map((slug) => [`POST /hooks/${key}/push-events`, slug] as const),
  [`POST /${key}/api/v2/alerts`],
  [`POST /${key}/api/v1/alerts`],
  [`POST /integrations/v1/alertmanager/${key}/`],
  [`POST /integrations/v1/alertmanagerV2/${key}/`],
  [`POST /integrations/v1/grafana_alerting/${key}/`],
  [`POST /integrations/v1/webhook/${key}/`, 'alertmanager'],
  [`POST /api/v2/prometheusalertmanager/incoming?token=${key}`],
  [`POST /integration/${key}/enqueue`, 'aws-cloudwatch'],
  [`POST /v1/json/datadog?apiKey=${key}`, 'datadog'],
  [`POST /integrations/generic/20131114/alert/${key}/ops`],
];

test('without room the answer is 503 where a tool sends again on nothing else', () =>
  withPager(async (pager) => {
    for (const [line, slug] of retriedOn5xx) {
      await using server = await openDialects(pager, slug === undefined ? {} : { slug });
      using _rest = server.leave(0);
      const { status, after } = await server.send(line, { body: alertmanagerBody });
      assert.deepEqual([status, after], [503, '1'], `${line} ${slug}`);
    }
  }));

test('without room it is 429 where a tool sends again on that', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    using _rest = server.leave(0);
    for (const [line, want] of [
      [`POST /hooks/${key}/push-events`, 429],
      [`POST /v2/alerts?apiKey=${key}`, 429],
      [`POST /v2/alerts/one/close?apiKey=${key}`, 429],
      [`POST /integration/${key}/enqueue`, 429],
      [`POST /api/v2/generic/incoming?token=${key}`, 429],
      [`POST /integrations/v1/formatted_webhook/${key}/`, 429],
    ] as const) {
      const { status, after } = await server.send(line, { body: {} });
      assert.deepEqual([status, after], [want, '1'], line);
    }
    const event = { event_action: 'trigger', payload: { summary: 'Disk full' } };
    const body = { routing_key: key, service_key: key, ...event };
    assert.equal((await server.send('POST /v2/enqueue', { body })).status, 429);
    const old = await server.send('POST /generic/2010-04-15/create_event.json', { body });
    assert.equal(old.status, 403);
  }));

test('it is 503 wherever in a body the room ends, and where the key stands in it', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager, {
      strangers: new Room({ slots: 9, bytes: 999 }),
    });
    const send = async (line: string, alert: object = {}) =>
      (await server.send(line, { body: { ...alertmanagerBody, ...alert } })).status;
    const line = `POST /integrations/v1/alertmanager/${key}/`;
    const inBody = 'POST /api/v2/prometheusalertmanager/incoming';
    {
      using _rest = server.leave(20_000);
      const bytes = gzipSync(JSON.stringify({ ...alertmanagerBody, more: 'x'.repeat(30_000) }));
      assert.equal((await server.send(line, { bytes })).status, 503);
    }
    {
      using _rest = server.leave(150);
      assert.equal(await send(line), 503);
    }
    {
      using _rest = server.leave(0);
      assert.equal(await send(inBody, { token: key }), 503);
    }
    assert.equal(await send(inBody, { token: key, more: 'x'.repeat(1_000) }), 503);
    assert.equal(await send(inBody, { token: key }), 204);
  }));

test('a key in a body or a query is stored as so many stars', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const stars = '*'.repeat(key.length);
    const event = { event_action: 'trigger', payload: { summary: `Größe ${key}` } };
    await server.send('POST /v2/enqueue', { body: { routing_key: key, ...event } });
    await server.send(`POST /api/v2/generic/incoming?token=${key}&summary=Down`);
    await server.send(`POST /v2/alerts?apiKey=${key}`, { body: { message: 'Down' } });
    const stored = await server.log();
    assert.ok(!JSON.stringify(stored).includes(key));
    assert.deepEqual(JSON.parse(stored[0]?.body ?? ''), {
      routing_key: stars,
      event_action: 'trigger',
      payload: { summary: `Größe ${stars}` },
    });
    assert.equal(stored[1]?.query, `token=${stars}&summary=Down`);
    assert.equal(stored[2]?.query, `apiKey=${stars}`);
  }));

const uuidForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{4}0{8}$/;

test('Opsgenie: an alert is made, found, acknowledged and closed by alias, id or number', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const post = (to: string, body: object = {}) =>
      server.send(`POST ${to}`, { body, headers: genie });
    const alias = 'queue/ä & co';
    const made = await post('/v2/alerts', { message: 'Queue is long', alias, priority: 'P2' });
    assert.deepEqual([made.status, made.body.result], [202, 'Request will be processed']);
    assert.match(made.body.requestId, uuidForm);
    const request = await server.send(`GET /v2/alerts/requests/${made.body.requestId}`, {
      headers: genie,
    });
    const { data } = request.body;
    assert.equal(request.status, 200);
    assert.deepEqual(
      [data.success, data.isSuccess, data.action, data.alias],
      [true, true, 'Create', alias],
    );
    assert.match(data.alertId, uuidForm);
    const encoded = encodeURIComponent(alias);
    for (const name of [`${encoded}?identifierType=alias`, data.alertId, '1?identifierType=tiny']) {
      const { body } = await server.send(`GET /v2/alerts/${name}`, { headers: genie });
      assert.deepEqual([body.data.id, body.data.status], [data.alertId, 'open'], name);
      assert.ok(!JSON.stringify(body).includes('Queue is long'));
    }
    await post('/v2/alerts/', { message: 'Queue is longer', alias });
    await post('/v2/alerts/1/acknowledge/?identifierType=tiny');
    assert.deepEqual(await pager.incidents(), ['1 acknowledged']);
    await post(`/hooks/v2/alerts/${data.alertId}/close`);
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
    await post('/v2/alerts', { message: 'Queue is long', alias });
    await post(`/v2/alerts/${encoded}/close?identifierType=alias`);
    await post('/v2/alerts', { message: 'Queue is long', alias });
    await server.send(`DELETE /v2/alerts/${encoded}?identifierType=alias`, { headers: genie });
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved', '3 resolved']);
    const paths = (await server.log()).map(({ path, query }) => `${path}?${query}`);
    assert.equal(paths[2], '/v2/alerts/queue%2Fä & co/acknowledge?identifierType=alias');
  }));

test('Opsgenie: an alias has slashes, encoded or not, whatever is asked of it', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const send = (line: string, body: object = {}) => server.send(line, { body, headers: genie });
    const aliases = ['depot/eu', 'a/b/c/d', 'x/close', 'entity/check', 'team/tags', 'ü/ä'];
    for (const [index, alias] of aliases.entries()) {
      await send('POST /v2/alerts', { message: alias, alias });
      const by = '?identifierType=alias';
      const { body } = await server.send(`GET /v2/alerts/${alias}${by}`, { headers: genie });
      // An end that is called like an action is told from one only where it is encoded.
      const isPlain = !/\/(?:close|tags)$/.test(alias);
      if (isPlain) assert.equal(body.data.alias, alias);
      await send(`POST /v2/alerts/${alias}/acknowledge${by}`);
      const path = isPlain && index % 2 === 0 ? alias : encodeURIComponent(alias);
      await send(`POST /v2/alerts/${path}/close/${by}`);
    }
    assert.deepEqual(
      await pager.incidents(),
      aliases.map((_, index) => `${index + 1} resolved`),
    );
    const refused = await send('POST /v2/alerts/depot/eu?identifierType=alias');
    assert.deepEqual(
      [refused.status, refused.body.errors.body],
      [422, 'eu: is not an alert action'],
    );
  }));

test('Opsgenie: the id of a request stands in the header, and for the alert that it made', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const made = await server.send('POST /v2/alerts', {
      body: { message: 'Queue is long', alias: 'queue' },
      headers: genie,
    });
    const { requestId } = made.body;
    assert.equal(made.headers['x-request-id'], requestId);
    const polled = await server.send(`GET /v2/alerts/requests/${made.headers['x-request-id']}`, {
      headers: genie,
    });
    assert.equal(polled.body.data.alias, 'queue');
    const { body } = await server.send(`GET /v2/alerts/${requestId}`, { headers: genie });
    assert.equal(body.data.alias, 'queue');
    const count = () => server.send('GET /v2/alerts/count?query=status:open', { headers: genie });
    assert.deepEqual((await count()).body.data, { count: 1 });
    await server.send(`POST /v2/alerts/${requestId}/close`, { body: {}, headers: genie });
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
    assert.deepEqual((await count()).body.data, { count: 0 });
  }));

test('Opsgenie: what is done to an alert beyond that is taken, and ignored with the reason', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    for (const action of [
      'notes',
      'tags',
      'snooze',
      'assign',
      'teams',
      'details',
      'actions/restart',
    ]) {
      const to = `POST /v2/alerts/one/${action}?identifierType=alias`;
      const { status, body } = await server.send(to, { body: { note: 'x' }, headers: genie });
      assert.equal(status, 202, action);
      const of = await server.send(`GET /v2/alerts/requests/${body.requestId}`, { headers: genie });
      assert.equal(of.body.data.success, true);
    }
    const [event] = await server.log();
    assert.deepEqual(
      [event?.outcome, event?.reason],
      ['ignored', 'notes is not supported for alerts'],
    );
  }));

test('Opsgenie: a request that is not decided yet is not found, so that a client asks again', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const { body } = await server.send('POST /v2/alerts', {
      body: { message: 'Queue is long', alias: 'queue' },
      headers: genie,
    });
    const getRequest = () =>
      server.send(`GET /v2/alerts/requests/${body.requestId}`, { headers: genie });
    assert.equal((await getRequest()).status, 200);
    await pager.sql`update events set decided_at = null, outcome = null, alerts = null`;
    const { status, body: refusal } = await getRequest();
    const message = 'Request not found. It might not be processed yet.';
    assert.deepEqual([status, refusal.message], [404, message]);
  }));

test('Opsgenie: a close without an alert succeeds for nobody who waits for it', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const to = 'POST /v2/alerts/none/close?identifierType=alias';
    const { body } = await server.send(to, { body: {}, headers: genie });
    const of = await server.send(`GET /v2/alerts/requests/${body.requestId}`, { headers: genie });
    assert.deepEqual(
      [of.body.data.success, of.body.data.status],
      [false, 'There is no open alert'],
    );
  }));

test('Opsgenie: what is refused is refused in its form, and heartbeats too', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const refusal = async (line: string, sent: Sent = { body: {} }) => {
      const { status, body } = await server.send(line, sent);
      assert.match(body.requestId, uuidForm);
      assert.equal(typeof body.took, 'number');
      assert.equal(typeof body.message, 'string');
      return status;
    };
    const stranger = { authorization: `GenieKey ${unknown}` };
    assert.equal(await refusal('POST /v2/alerts', { body: {}, headers: stranger }), 401);
    assert.equal(await refusal('POST /v2/alerts'), 401);
    assert.equal(await refusal('POST /v2/alerts', { text: '[1', headers: genie }), 422);
    assert.equal(await refusal('GET /v2/alerts', { headers: genie }), 403);
    assert.equal(await refusal('GET /v2/alerts/one/notes', { headers: genie }), 403);
    assert.equal(await refusal('GET /v2/alerts/requests/one', { headers: genie }), 404);
    assert.equal(await refusal('GET /v2/alerts/one', { headers: genie }), 404);
    for (const line of ['POST /v2/heartbeats/cron/ping', 'GET /v2/heartbeats/cron/ping/'])
      assert.equal(await refusal(line, { headers: genie }), 404);
    await server.archive();
    assert.equal(await refusal('POST /v2/alerts', { body: { message: 'x' }, headers: genie }), 403);
  }));

test('Opsgenie: an old address of one of its integrations is read by the type of ours', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const to = `POST /v1/json/nagios?apiKey=${key}`;
    assert.equal((await server.send(to, { body: { title: 'Own form' } })).status, 202);
    const [incident] = await pager.sql`select title from incidents`;
    assert.equal(incident?.['title'], 'Own form');
  }));

test('Opsgenie: the key of an old address may stand in the body, and of others it may not', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const body = { apiKey: key, title: 'Own form' };
    assert.equal((await server.send('POST /v1/json/nagios', { body })).status, 202);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = { text: `apiKey=${key}&title=Own`, headers };
    assert.equal((await server.send('POST /v1/json/nagios', form)).status, 202);
    const stored = await server.log();
    assert.ok(!JSON.stringify(stored).includes(key));
    assert.equal((await server.send('POST /v2/alerts', { body })).status, 401);
    const wrong = { apiKey: unknown, title: 'Own form' };
    assert.equal((await server.send('POST /v1/json/nagios', { body: wrong })).status, 401);
  }));

test('Opsgenie: version 1 makes, acknowledges, closes and deletes an alert, named in its body', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const at = (action: string, fields: object) =>
      server.send(`POST /v1/json/alert${action}`, { body: { apiKey: key, ...fields } });
    const done = { status: 'successful', code: 200, took: 0 };
    const made = await at('/', { alias: 'job/1', message: 'Job failed', source: 'CI' });
    const { took, ...rest } = made.body;
    assert.deepEqual(
      [made.status, rest],
      [200, { message: 'alert created', alertId: 'job/1', status: 'successful', code: 200 }],
    );
    assert.equal(typeof took, 'number');
    assert.deepEqual(await pager.incidents(), ['1 triggered']);
    const acknowledged = await at('/acknowledge', { alias: 'job/1', user: 'ci' });
    assert.deepEqual({ ...acknowledged.body, took: 0 }, done);
    assert.deepEqual(await pager.incidents(), ['1 acknowledged']);
    assert.equal((await at('/note', { id: 'job/1', note: 'again' })).status, 200);
    assert.equal((await at('/close', { alias: '{{ alias }}', tinyId: 1 })).status, 200);
    const { alertId } = (await at('', { message: 'Disk full' })).body;
    assert.equal((await at('/close', { id: alertId })).status, 200);
    // An alias that could be an id of ours.
    const objectId = '507f1f77bcf86cd799439011';
    const ofObject = (await at('', { message: 'Host is down', alias: objectId })).body;
    assert.equal(ofObject.alertId, objectId);
    assert.equal((await at('/close', { id: objectId })).status, 200);
    // An id of Opsgenie's own is none of ours.
    await at('', { message: 'Queue is long', alias: 'queue' });
    await at('/close', { id: '2098f33c-4333-45d0-adb3-79d5cb8237ff', alias: 'queue' });
    await at('', { message: 'Load', alias: 'load' });
    await server.send(`DELETE /v1/json/alert?apiKey=${key}&alias=load`);
    assert.deepEqual(await pager.incidents(), [
      ...['1 resolved', '2 resolved', '3 resolved', '4 resolved', '5 resolved'],
    ]);
    const reasons = await pager.sql`select reason from events where reason is not null`;
    assert.deepEqual(
      reasons.map(({ reason }) => reason),
      ['note is not supported for alerts'],
    );
    assert.ok(!JSON.stringify(await server.log()).includes(key));
  }));

test('Opsgenie: version 1 refuses an end that names no alert, and logs it', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const body = { apiKey: key, user: 'ci' };
    const { status, body: answer } = await server.send('POST /v1/json/alert/close', { body });
    assert.deepEqual(
      [status, answer.errors.body],
      [422, 'alias, id or tinyId: one of them is required'],
    );
    const [row] = await pager.sql`select outcome from events`;
    assert.equal(row?.['outcome'], 'unreadable');
    const wrong = { apiKey: unknown, alias: 'one' };
    assert.equal((await server.send('POST /v1/json/alert/close', { body: wrong })).status, 401);
  }));

test('Alertmanager: alerts come with the token in the path, as a bearer or as a password', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const places: readonly (readonly [string, Sent['headers']])[] = [
      [`/${key}/api/v2/alerts`, {}],
      [`/hooks/${key}/api/v1/alerts`, {}],
      ['/api/v2/alerts', { authorization: `Bearer ${key}` }],
      ['/api/v1/alerts', { authorization: basic(`prometheus:${key}`) }],
      ['/hooks/api/v2/alerts', { authorization: basic(`${key}:`) }],
    ];
    for (const [index, [url, headers = {}]] of places.entries()) {
      const body = [{ labels: { alertname: `Down ${index}` } }];
      const { status } = await server.send(`POST ${url}`, { body, headers });
      assert.equal(status, 200, url);
    }
    assert.equal((await pager.incidents()).length, places.length);
    // What a webhook receiver posts, whose guide names this way for a token that is in no address.
    const headers = { authorization: `Bearer ${key}` };
    const alert = { labels: { alertname: 'Group' }, fingerprint: 'aa11' };
    for (const status of ['firing', 'resolved'])
      await server.send('POST /api/v2/alerts', {
        body: { version: '4', status, groupKey: '{}', alerts: [{ ...alert, status }] },
        headers,
      });
    assert.equal((await pager.incidents()).at(-1), `${places.length + 1} resolved`);
    const refused = await server.send(`POST /${unknown}/api/v2/alerts`, { body: [] });
    assert.deepEqual([refused.status, typeof refused.body], [401, 'string']);
    const old = await server.send(`POST /${unknown}/api/v1/alerts`, { body: [] });
    assert.equal(old.body.status, 'error');
    assert.deepEqual((await server.send(`GET /${key}/api/v2/alerts`)).body, []);
    for (const path of ['api/v2/status', 'api/v1/status', '-/ready', '-/healthy'])
      assert.equal((await server.send(`GET /hooks/${key}/${path}`)).status, 200, path);
  }));

test('Splunk On-Call: a state opens and ends, and INFO is nothing', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const send = (message_type: string, to = key) =>
      server.send(`POST /integrations/generic/20131114/alert/${to}/database`, {
        body: { message_type, entity_id: 'db-1', state_message: 'Disk full\nof db-1' },
      });
    const success = { result: 'success', entity_id: 'db-1' };
    assert.deepEqual((await send('INFO')).body, success);
    assert.deepEqual(await pager.incidents(), []);
    assert.deepEqual((await send('CRITICAL')).body, success);
    await send('ACKNOWLEDGEMENT');
    assert.deepEqual(await pager.incidents(), ['1 acknowledged']);
    await send('RECOVERY');
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
    const { status, body } = await send('CRITICAL', unknown);
    assert.deepEqual([status, body.result], [404, 'failure']);
  }));

test('GoAlert: fields in a query or a form, ended by its action', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const path = '/api/v2/generic/incoming';
    const get = await server.send(
      `GET ${path}?token=${key}&summary=Down&dedup=db-1&details=Since+9`,
    );
    assert.deepEqual([get.status, get.body], [204, '']);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const text = `token=${key}&summary=Down&dedup=db-1&action=close`;
    assert.equal((await server.send(`POST ${path}`, { text, headers })).status, 204);
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
    const asJson = { headers: { accept: 'application/json' } };
    const answer = await server.send(`POST ${path}?token=${key}&summary=Up`, asJson);
    assert.deepEqual([answer.status, answer.body.AlertID], [200, 2]);
    assert.equal((await server.send(`POST ${path}?token=${unknown}&summary=x`)).status, 401);
  }));

test('GoAlert: its old addresses are read as the new ones', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const old = `/v1/api/alerts?token=${key}&summary=Down&dedup=db-1`;
    assert.equal((await server.send(`GET ${old}`)).status, 204);
    const asJson = { headers: { accept: 'application/json' } };
    const ended = await server.send(`POST /hooks${old}&action=close`, asJson);
    assert.deepEqual([ended.status, ended.body.AlertID], [200, 1]);
    const body = { ruleId: 7, ruleName: 'Disk full', state: 'alerting' };
    const to = `POST /v1/webhooks/grafana?token=${key}`;
    assert.equal((await server.send(to, { body })).status, 204);
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
    const rows = await pager.sql`select path from events order by id`;
    assert.deepEqual(
      rows.map(({ path }) => path),
      [...Array(2).fill('/api/v2/generic/incoming'), '/api/v2/grafana/incoming'],
    );
    assert.equal((await server.send('POST /v1/api/alerts?summary=x')).status, 401);
  }));

test('GoAlert: its key has four names, in a query and in a form', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const path = '/api/v2/generic/incoming';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const name of ['token', 'integrationKey', 'integration_key', 'key']) {
      const query = `${name}=${key}&summary=Down&dedup=${name}`;
      assert.equal((await server.send(`POST ${path}?${query}`)).status, 204, name);
      const text = `${name}=${key}&summary=Down&dedup=${name}&action=close`;
      assert.equal((await server.send(`POST ${path}`, { text, headers })).status, 204, name);
    }
    assert.deepEqual(await pager.incidents(), [
      '1 resolved',
      '2 resolved',
      '3 resolved',
      '4 resolved',
    ]);
    assert.ok(!JSON.stringify(await server.log()).includes(key));
    // A tool may have a member of that name for something else.
    const body = { key: 'db-1', token: key, summary: 'Down' };
    assert.equal((await server.send(`POST ${path}`, { body })).status, 204);
    // Who has the key before it is not asked for another: what looks like one is not stored.
    const text = `integrationKey=${unknown}&key=other-secret&summary=Down`;
    await server.send(`POST ${path}?token=${key}`, { text, headers });
    const [last] = (await server.log()).slice(-1);
    assert.doesNotMatch(String(last?.body), /bbbb|other-secret/);
  }));

test('a key is found in a form in parts, and masked there', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const send = (line: string, fields: Readonly<Record<string, string>>) => {
      const parts = Object.entries(fields).map(
        ([name, value]) =>
          `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      return server.send(line, { text: `${parts.join('')}--x--\r\n`, headers });
    };
    const down = { summary: 'Down', dedup: 'db-1', token: key };
    const goalert = 'POST /api/v2/generic/incoming';
    assert.equal((await send(goalert, down)).status, 204);
    assert.equal((await send(goalert, { ...down, action: 'close' })).status, 204);
    const job = { apiKey: key, alias: 'job', message: 'Job failed' };
    assert.equal((await send('POST /v1/json/alert', job)).status, 200);
    assert.equal((await send('POST /v1/json/alert/close', job)).status, 200);
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
    assert.ok(!JSON.stringify(await server.log()).includes(key));
    assert.equal((await send(goalert, { ...down, token: unknown })).status, 401);
  }));

test('OnCall: Sentry opens, and ends what it opened, at an integration of any type', () =>
  withPager(async (pager) => {
    for (const slug of ['sentry', 'webhook']) {
      await using server = await openDialects(pager, { slug });
      const send = (action: string, title: string, id: string) =>
        server.send(`POST /integrations/v1/sentry/${key}/`, {
          headers: { 'sentry-hook-resource': 'issue' },
          body: { action, data: { issue: { id, title, status: action } } },
        });
      await send('created', 'TypeError', '1');
      await send('created', 'RangeError', '2');
      await send('resolved', 'TypeError', '1');
    }
    assert.deepEqual(await pager.incidents(), [
      ...['1 resolved', '2 triggered'],
      ...['3 resolved', '4 triggered'],
    ]);
  }));

test('OnCall: Amazon SNS is confirmed, and its alarms are unwrapped', () =>
  withPager(async (pager) => {
    const confirmed: unknown[] = [];
    const sns: SnsClient = {
      checkSignature: async () => ({ result: 'good' }),
      async confirm({ fields }) {
        confirmed.push(fields['SubscribeURL']);
        return null;
      },
    };
    await using server = await openDialects(pager, { sns });
    const to = `POST /integrations/v1/amazon_sns/${key}/`;
    assert.equal((await server.send(to, { body: confirmation })).status, 200);
    assert.deepEqual(confirmed, [confirmation.SubscribeURL]);
    const alarm = { AlarmName: 'Queue is long', NewStateValue: 'ALARM', AlarmArn: 'arn:1' };
    for (const NewStateValue of ['ALARM', 'OK'])
      await server.send(to, {
        body: { ...notification, Message: JSON.stringify({ ...alarm, NewStateValue }) },
      });
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
  }));

test('GoAlert and OnCall: Uptime Kuma ends what it opened, though no key comes with it', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const goalert = `POST /api/v2/generic/incoming?token=${key}`;
    await server.send(goalert, { body: { summary: '[Shop] [🔴 Down] timeout' } });
    await server.send(goalert, { body: { summary: '[Shop] [✅ Up] 200 - OK', action: 'close' } });
    const oncall = `POST /integrations/v1/formatted_webhook/${key}/`;
    const down = await server.send(oncall, { body: { title: 'Mail is down', state: 'alerting' } });
    assert.deepEqual([down.status, down.body], [200, 'Ok.']);
    await server.send(oncall, { body: { title: 'Mail is up', state: 'ok' } });
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
    const bad = `POST /integrations/v1/formatted_webhook/${unknown}/`;
    assert.equal((await server.send(bad, { body: {} })).status, 403);
    assert.equal((await server.send(`${oncall}heartbeat/`, { body: {} })).status, 404);
  }));

test('a key that is not known is noted with its service and its program', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const headers = { 'user-agent': 'tool/1' };
    await server.send('POST /v2/enqueue', { body: { routing_key: unknown }, headers });
    await server.send(`GET /v2/alerts/one?apiKey=${unknown}`, { headers });
    await server.send(`POST /integrations/v1/webhook/${unknown}`, { body: {}, headers });
    await server.send('POST /v2/enqueue', { body: {}, headers });
    assert.deepEqual(server.noted, [
      'pagerduty bbbb tool/1',
      'opsgenie bbbb tool/1',
      'grafana_oncall bbbb tool/1',
    ]);
  }));

test('an address guesses 20 keys a second, and is then refused in the form of the service', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const guess = () => server.send('POST /v2/enqueue', { body: { routing_key: unknown } });
    for (let count = 1; count <= 20; count += 1) assert.equal((await guess()).status, 400);
    const { status, body, after } = await guess();
    assert.deepEqual([status, body.status, after], [429, 'throttle exceeded', '1']);
  }));

test('a compressed body is read, and a whole one counts', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const event = { event_action: 'trigger', payload: { summary: 'Disk full' } };
    const send = (body: object) =>
      server.send('POST /v2/enqueue', { bytes: gzipSync(JSON.stringify(body)) });
    assert.equal((await send({ routing_key: key, ...event })).status, 202);
    const [stored] = await server.log();
    assert.ok(stored?.body.includes('*'.repeat(key.length)));
    const large = { routing_key: key, ...event, more: 'x'.repeat(1024 * 1024) };
    assert.equal((await send(large)).status, 400);
  }));

test('an alarm of CloudWatch comes to an address of PagerDuty, signed by Amazon SNS', () =>
  withPager(async (pager) => {
    const checked: string[] = [];
    const sns: SnsClient = {
      async checkSignature({ type }) {
        checked.push(type);
        return { result: 'good' };
      },
      confirm: async () => null,
    };
    await using server = await openDialects(pager, { slug: 'aws-cloudwatch', sns });
    const alarm = { AlarmName: 'Queue is long', NewStateValue: 'ALARM', AlarmArn: 'arn:1' };
    const send = (Message: object) =>
      server.send(`POST /integration/${key}/enqueue`, {
        body: { ...notification, Message: JSON.stringify(Message) },
      });
    assert.equal((await send(alarm)).status, 202);
    await send({ ...alarm, NewStateValue: 'OK' });
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
    assert.deepEqual(checked, ['Notification', 'Notification']);
  }));

test('a stored event is read again as it was on its arrival, whatever the integration is', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const payload = { summary: 'Disk full', severity: 'critical' };
    const body = { routing_key: key, event_action: 'trigger', dedup_key: 'db-1', payload };
    await server.send('POST /v2/enqueue', { body });
    const [row] = await pager.sql<EventRow[]>`select ${eventColumns(pager.sql)} from events`;
    assert.ok(row);
    const event = storedEvent(row);
    const { organizationId, teamId } = pager.scope;
    const scope = { organizationId, teamIds: [teamId] };
    const integration = await findIntegration(pager.sql, scope, event.integration_id);
    assert.ok(integration);
    const reading = await readEvent(event, integration);
    assert.ok('alerts' in reading);
    assert.deepEqual(
      reading.alerts.map(({ dedup_key, title }) => [dedup_key, title]),
      [['db-1', 'Disk full']],
    );
    await pager.sql`update events set decided_at = null, outcome = null, alerts = null`;
    const [first] = pager.servers;
    assert.ok(first);
    await pager.workOn(first);
    assert.deepEqual(
      (await server.log()).map(({ outcome }) => outcome),
      ['suppressed'],
    );
  }));

test('who previews an address sends no event', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const path = `/api/v2/generic/incoming?token=${key}&summary=Down`;
    assert.equal((await server.send(`HEAD ${path}`)).status, 405);
    assert.deepEqual([...(await server.log())], []);
  }));

test('Opsgenie: an alias of any length and of any characters is closed', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const aliases = [
      '障'.repeat(512),
      '/'.repeat(512),
      '100 % / a?b#c',
      '%2F',
      'c'.repeat(600),
      `of ${key}`,
    ];
    for (const alias of aliases) {
      const headers = genie;
      await server.send('POST /v2/alerts', { body: { message: 'Down', alias }, headers });
      const name = encodeURIComponent(alias);
      await server.send(`POST /v2/alerts/${name}/close?identifierType=alias`, { headers });
    }
    assert.deepEqual(
      await pager.incidents(),
      aliases.map((_, index) => `${index + 1} resolved`),
    );
  }));

test('a heartbeat is refused by 404, and logged', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const warned = server.warnings;
    for (const line of [
      `GET /v2/heartbeats/cron/ping?apiKey=${key}`,
      `POST /integrations/v1/webhook/${key}/heartbeat/`,
      'POST /api/v2/heartbeat/0123',
    ])
      assert.equal((await server.send(line)).status, 404, line);
    assert.deepEqual(
      warned.map(({ service, integration_id }) => [service, integration_id !== undefined]),
      [
        ['opsgenie', true],
        ['grafana_oncall', true],
        ['goalert', false],
      ],
    );
  }));

test('every address for heartbeats is refused by 404 in the form of its service, and opens nothing', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const body = { name: 'cron', title: 'cron', summary: 'cron' };
    for (const [line, service] of [
      [`POST /v1/json/heartbeat/send?apiKey=${key}`, 'opsgenie'],
      [`GET /v1/json/heartbeat/send?apiKey=${key}`, 'opsgenie'],
      [`POST /v1/json/heartbeat?apiKey=${key}`, 'opsgenie'],
      [`GET /v2/heartbeats?apiKey=${key}`, 'opsgenie'],
      [`POST /v2/heartbeats?apiKey=${key}`, 'opsgenie'],
      [`PATCH /v2/heartbeats/cron?apiKey=${key}`, 'opsgenie'],
      [`POST /v2/heartbeats/cron/enable?apiKey=${key}`, 'opsgenie'],
      [`POST /v2/heartbeats/cron/disable/?apiKey=${key}`, 'opsgenie'],
      [`POST /integrations/v1/heartbeat/${key}/`, 'grafana_oncall'],
      [`GET /hooks/integrations/v1/heartbeat/${key}`, 'grafana_oncall'],
      [`POST /integrations/v1/alertmanagerV2/${key}/heartbeat/`, 'grafana_oncall'],
    ] as const) {
      const isBodiless = line.startsWith('GET');
      const { status, body: answer } = await server.send(line, isBodiless ? {} : { body });
      const message = 'Heartbeats are not supported.';
      const inForm = service === 'opsgenie' ? answer.message : answer;
      assert.deepEqual([status, inForm], [404, message], line);
      const [warning] = server.warnings.slice(-1);
      assert.deepEqual(
        [warning?.['service'], typeof warning?.['integration_id']],
        [service, 'string'],
      );
    }
    assert.equal(server.warnings.length, 11);
    // Of these nobody is known: they are logged once a minute.
    for (const line of [
      ...['POST /v1/api/heartbeat/0123', 'POST /api/v2/heartbeat/0123/'],
      ...['GET /v1/api/heartbeat/0123/', 'POST /hooks/v1/api/heartbeat/0123'],
    ])
      assert.equal((await server.send(line)).body, 'Heartbeats are not supported.', line);
    assert.equal(server.warnings.length, 12);
    const inBody = { body: { apiKey: key, name: 'cron' } };
    assert.equal((await server.send('POST /v1/json/heartbeat/send', inBody)).status, 404);
    const wrong = `POST /v1/json/heartbeat/send?apiKey=${unknown}`;
    assert.equal((await server.send(wrong)).status, 401);
    assert.deepEqual([await pager.incidents(), [...(await server.log())]], [[], []]);
  }));

test('what the form of a tool says is secret is not stored, by whichever address it comes', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager, { slug: 'statuscake' });
    const body = { Name: 'Shop', Status: 'Down', TestID: '7', Token: '4f1d2c3b4a5e6f70' };
    await server.send(`POST /integration/${key}/enqueue`, { body });
    const [stored] = await pager.sql<{ body: Buffer }[]>`select body from events`;
    assert.match(String(stored?.body), /"Token":"\*{16}"/);
  }));

test('Opsgenie: an alert is closed by the longest alias, in any script', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const alias = '高%/'.repeat(170);
    const post = (to: string, body: object) => server.send(`POST ${to}`, { body, headers: genie });
    await post('/v2/alerts', { message: 'Queue is long', alias });
    assert.deepEqual(await pager.incidents(), ['1 triggered']);
    const to = `/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`;
    assert.equal((await post(to, {})).status, 202);
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
  }));
