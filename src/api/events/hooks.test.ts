import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { testApi } from '../../../test/api.ts';
import { eventReader, reading } from '../../../test/event-reader.ts';
import { webhookType } from '../../../test/http-event.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { eventually } from '../../../test/system/eventually.ts';
import { noSns } from '../../../test/vendors/sns.ts';
import { answerCloudEvents, answerEventGrid } from '../../alerts/handshakes.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import type { Mapping } from '../../alerts/reading/notation.ts';
import { createIds } from '../../engine/ids.ts';
import { decideBacklog } from '../../engine/intake/backlog.ts';
import { Intake } from '../../engine/intake/intake.ts';
import { Refusals } from '../../engine/intake/refusals.ts';
import { silentLog } from '../../engine/log.ts';
import { noteRefusing } from '../../storage/ledger/deaf-spells.ts';
import { type EventRow, eventColumns, storedEvent } from '../../storage/ledger/events.ts';
import { limitGuesses } from '../http/guesses.ts';
import { mountHooks } from './hooks.ts';
import { readingOf } from './read-event.ts';
import { typeOf } from './stored-events.ts';

const token = 'a'.repeat(40);
const unknown = 'b'.repeat(40);
const MEBIBYTE = 1024 * 1024;

type Sent = {
  readonly method?: 'POST' | 'PUT';
  readonly to?: string;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The door of one integration. */
async function openHooks(
  pager: Pager,
  intake = pager.serve().intake,
  {
    mapping = null,
    slug = 'webhook',
    ...parts
  }: Partial<Parameters<typeof mountHooks>[1]> & {
    readonly mapping?: Mapping | null;
    readonly slug?: string;
  } = {},
) {
  const { sql, clock } = pager;
  const { id } = await pager.integration({ steps: [pager.step('ada')], slug });
  const { organizationId } = pager.scope;
  const known = {
    organizationId,
    integrationId: id,
    slug,
    integrationName: 'Checks',
    mapping,
  };
  const { app } = await testApi({ sql, clock });
  const refusals = new Refusals({
    clock,
    log: silentLog,
    record: intake.record,
    recordDeaf: (refusing) => noteRefusing(sql, refusing),
  });
  mountHooks(app, {
    intake,
    refusals,
    typeOf: () => undefined,
    sns: noSns,
    log: silentLog,
    ...parts,
    recognise: limitGuesses(async (secret) => (secret === token ? known : null), { clock }),
  });
  return {
    refusals,
    refused: () => sql<{ outcome: string; reason: string; alerts: { outcome: string }[] }[]>`
      select outcome, reason, alerts from events
      where integration_id = ${id} and outcome = 'refused' order by id`,
    async send({ method = 'POST', to = `${token}/push-events`, body = '{}', ...more }: Sent) {
      const { type, from, headers } = more;
      const sent = {
        body,
        ...(type !== undefined && { headers: { 'content-type': type } }),
        ...(headers && { headers }),
        ...(from && { remoteAddress: from }),
      };
      const answer = await app.inject({ method, url: `/hooks/${to}`, ...sent });
      const { error, alerts, note } = answer.json();
      const after = answer.headers['retry-after'];
      return { status: answer.statusCode, after, error, alerts, ...(note && { note }) };
    },
    /** For those who do not send what they announced. */
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    async refusal(method: 'GET' | 'POST' | 'PUT', to: string) {
      const answer = await app.inject({ method, url: `/hooks/${to}` });
      const { error, message } = answer.json();
      return { status: answer.statusCode, error, message };
    },
    request: (method: 'GET' | 'HEAD' | 'OPTIONS', to: string, headers = {}) =>
      app.inject({ method, url: `/hooks/${to}`, headers }),
    answer: (payload: object) =>
      app.inject({ method: 'POST', url: `/hooks/${token}/push-events`, payload }),
    log: () => sql<{ body: string; outcome: string }[]>`
      select body, outcome from events where integration_id = ${id} order by id`,
    archive: () => sql`update integrations set archived_at = ${clock.now()} where id = ${id}`,
    [Symbol.asyncDispose]: () => app.close(),
  };
}

test('an event is a body, by POST or PUT, or else its query', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const opened = { status: 202, after: undefined, error: undefined };
    for (const [number, sent] of [
      { body: '{"title":"one"}' },
      { method: 'PUT' as const, body: '{"title":"two"}' },
      { to: `${token}/?title=three`, body: '' },
    ].entries()) {
      const dedup_key = ['one', 'two', 'three'][number];
      const alerts = [{ dedup_key, outcome: 'opened', incident: number + 1 }];
      assert.deepEqual(await server.send(sent), { ...opened, alerts });
    }
  }));

test('who opens or previews an address sends no event', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    // By GET Uptime Kuma alone sends, and this is the address of another type.
    for (const method of ['GET', 'HEAD'] as const)
      for (const query of ['title=one', 'msg=one']) {
        const answer = await server.request(method, `${token}/?${query}`);
        assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'POST, PUT']);
      }
    assert.deepEqual([...(await server.log())], []);
  }));

test('Uptime Kuma sends by GET, in a query with its own fields alone', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager, pager.serve().intake, {
      slug: 'uptime-kuma',
      typeOf,
    });
    const get = async (fields: Record<string, string>) => {
      const query = new URLSearchParams(fields);
      return (await server.request('GET', `${token}/push-events?${query}`)).statusCode;
    };
    const monitor = JSON.stringify({ id: 7, name: 'Shop' });
    const sent = (status: 0 | 1) => ({
      msg: '[Shop] [Down] refused',
      monitor,
      heartbeat: JSON.stringify({ status, msg: 'refused' }),
    });
    assert.equal(await get(sent(0)), 202);
    assert.deepEqual(await pager.incidents(), ['1 triggered']);
    assert.equal(await get({}), 405);
    assert.equal(await get({ ...sent(0), utm_source: 'chat' }), 405);
    assert.equal(await get(sent(1)), 202);
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
  }));

test('what sends as to Alertmanager is answered 200: vmalert counts nothing else as success', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager, pager.serve().intake, {
      slug: 'victoriametrics',
      typeOf,
    });
    const body = '[{"labels":{"alertname":"Down"}}]';
    const to = `${token}/push-events/api/v2/alerts`;
    assert.equal((await server.send({ to, body })).status, 200);
    assert.equal((await server.send({ body })).status, 202);
  }));

test('an event is taken whatever its content type', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const types = ['', 'json', 'application/', '"text/plain"', 'text/plain, text/plain', ';'];
    for (const type of types) {
      const { status } = await server.send({ type, body: '{"title":"disk"}' });
      assert.equal(status, 202, type);
    }
  }));

test('of its request an event keeps what its type reads, and no secret', () =>
  withPager(async (pager) => {
    const { clock } = pager;
    const { ledger } = pager.serve();
    const seen: object[] = [];
    const type: IntegrationType = {
      ...webhookType,
      headers: ['x-signature', 'authorization'],
      read(request, about) {
        if (request.source === 'http') {
          const { method, path, query, headers } = request;
          seen.push({ method, path, query, headers });
        }
        return webhookType.read(request, about);
      },
    };
    const parts = { ledger, clock, ids: createIds(clock), log: silentLog, typeOf: () => type };
    const options = {
      ...parts,
      ...reading,
      committed: () => {},
      ruled() {},
      faults,
      decideUpTo: 0,
    };
    await using server = await openHooks(pager, new Intake(options));
    const secrets = { authorization: 'Bearer secret', cookie: 'session=secret' };
    const headers = { 'content-type': 'application/json', 'x-signature': 'v1,ab=', ...secrets };
    const to = `${token}/path/${token}?a=1&from=${token}`;
    await server.send({ method: 'PUT', to, body: '{"title":"disk"}', headers });
    await decideBacklog(options);
    const [event] = await pager.sql<EventRow[]>`select ${eventColumns(pager.sql)} from events`;
    assert.ok(event);
    readingOf(storedEvent(event), type, { name: 'Checks', mapping: null });
    const { authorization, cookie, ...rest } = headers;
    const want = {
      method: 'PUT',
      path: '/path/***',
      query: 'a=1&from=***',
      headers: { ...rest, 'user-agent': 'lightMyRequest' },
    };
    assert.deepEqual(seen, [want, want, want]);
    assert.ok(!/secret/.test(JSON.stringify(event)));
  }));

test('what cannot be read is refused, and in the log all the same', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const { status, error } = await server.send({ body: '{"title":' });
    assert.deepEqual([status, error], [400, 'unreadable']);
    assert.deepEqual([...(await server.log())], [{ body: '{"title":', outcome: 'unreadable' }]);
  }));

test('of a list what cannot be read is named in the answer and in the log, and the rest is done', () =>
  withPager(async (pager) => {
    const hooks = await openHooks(pager);
    const body = '[{"title":"A"},null,{"title":"B"}]';
    const note = '1 of 3 in the list cannot be read: [1]: must be an object';
    const taken = await hooks.send({ body });
    assert.deepEqual([taken.status, taken.note, taken.alerts?.length], [202, note, 2]);
    assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
    // What became of the others does not hide it.
    const ends = '[{"title":"C","status":"ok"},null,{"title":"D","status":"ok"}]';
    assert.equal((await hooks.send({ body: ends })).note, note);
    const reasons = await pager.sql`select reason from events order by id`;
    const [first, second] = reasons.map(({ reason }) => String(reason));
    assert.equal(first, note);
    assert.match(second ?? '', /; 1 of 3 in the list cannot be read/);
    assert.equal((await hooks.send({ body: '{"title":"A"}' })).note, undefined);
    assert.equal((await hooks.send({ body: '[null,null]' })).status, 400);
  }));

test('a body is kept without the token that it was sent to, and else as it came', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const at = `https://pager.test/hooks/${token}/push-events`;
    await server.send({ body: JSON.stringify({ title: 'Größe ☎', details: { at, token } }) });
    const [stored] = await server.log();
    const masked = { at: 'https://pager.test/hooks/***/push-events', token: '***' };
    assert.deepEqual(JSON.parse(stored?.body ?? ''), { title: 'Größe ☎', details: masked });
    const [incident] = await pager.sql`select title, details from incidents`;
    assert.equal(incident?.['title'], 'Größe ☎');
    assert.ok(!JSON.stringify(incident).includes(token));
  }));

test('an event has at most 8 MiB', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const body = '{"title":"disk"}';
    const largest = body.padEnd(8 * MEBIBYTE, ' ');
    assert.equal((await server.send({ body: largest })).status, 202);
    assert.equal((await server.send({ body: `${largest} ` })).status, 413);
  }));

test('what is too large is in the log, opens one incident and notifies the admins once an hour', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const body = '{"title":"disk"}'.padEnd(8 * MEBIBYTE + 1, ' ');
    const type = 'application/json';
    const send = async () => {
      assert.equal((await server.send({ body, type })).status, 413);
      await server.refusals.flush();
    };
    await send();
    await send();
    const reason = 'refused with 413: the body is larger than 8388608 bytes';
    assert.deepEqual(
      (await server.refused()).map((row) => [row.outcome, row.reason, row.alerts[0]?.outcome]),
      [['refused', reason, 'opened']],
    );
    pager.awayUntil('09:02');
    await server.refusals.flush();
    await send();
    const rows = await server.refused();
    assert.deepEqual(
      rows.map((row) => row.alerts[0]?.outcome),
      ['opened', 'suppressed'],
    );
    const incidents = await pager.sql`select number, title from incidents`;
    assert.deepEqual(
      incidents.map(({ number }) => number),
      [1],
    );
    assert.match(incidents[0]?.['title'], /^Checks: an event was too large/);
    const notified = await pager.sql`select key from outbox where kind = 'undecided'`;
    assert.equal(notified.length, 1);
  }));

test('a picture that is too large is in the log and opens nothing', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const body = Buffer.alloc(8 * MEBIBYTE + 1);
    assert.equal((await server.send({ body, type: 'image/png' })).status, 413);
    await server.refusals.flush();
    assert.deepEqual(
      (await server.refused()).map(({ alerts }) => alerts),
      [[]],
    );
    assert.equal((await pager.sql`select from incidents`).length, 0);
  }));

test('what is refused since there is no room is counted, one row a minute', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager, buildIntake(pager, { eventsMax: 0 }));
    for (let count = 0; count < 3; count += 1) await server.send({});
    await server.refusals.flush();
    assert.equal((await server.refused()).length, 0);
    pager.awayUntil('09:01');
    await server.refusals.flush();
    const [row, ...others] = await server.refused();
    assert.equal(others.length, 0);
    assert.match(row?.reason ?? '', /^refused with 429: 3 times: [Tt]oo many events are waiting/);
  }));

test('an event that names its fields in the query is a form, whatever type it has', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const to = `${token}/push-events?monitorID=7&status=up&dedup_key=7`;
    for (const type of ['application/json', 'text/plain']) {
      const { status, alerts } = await server.send({ to, type, body: '' });
      assert.deepEqual([status, alerts[0].dedup_key, alerts[0].outcome], [202, '7', 'ignored']);
    }
  }));

test('an event may come as a form in parts', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const body = new FormData();
    body.set('data', JSON.stringify({ title: 'Größe', dedup_key: 'size' }));
    const url = `${await server.listen()}/hooks/${token}/push-events`;
    const answer = await fetch(url, { method: 'POST', body });
    assert.equal(answer.status, 202);
    const [incident] = await pager.sql`select title, dedup_key from incidents`;
    assert.deepEqual({ ...incident }, { title: 'Größe', dedup_key: 'size' });
  }));

test('a compressed event is stored as what it is, without its token', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const event = (title: string) => JSON.stringify({ title, at: `/hooks/${token}/` });
    const masked = (title: string) => JSON.stringify({ title, at: '/hooks/***/' });
    const sent = [
      { body: gzipSync(event('one')), headers: { 'content-encoding': 'gzip' } },
      { body: gzipSync(event('two')) },
      { body: deflateSync(event('three')), headers: { 'content-encoding': 'deflate' } },
      { body: event('four'), headers: { 'content-encoding': 'gzip' } },
      { body: event('five'), headers: { 'content-encoding': 'deflate' } },
    ];
    for (const one of sent) assert.equal((await server.send(one)).status, 202);
    const bodies = (await server.log()).map(({ body }) => body);
    assert.deepEqual(bodies, ['one', 'two', 'three', 'four', 'five'].map(masked));
  }));

test('an event in UTF-16 is stored without its token too', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const body = Buffer.from(JSON.stringify({ title: `disk ${token} full` }), 'utf16le');
    for (const bytes of [body, Buffer.from(body).swap16()]) {
      const { status, alerts } = await server.send({ body: bytes });
      assert.deepEqual([status, alerts[0].dedup_key], [202, 'disk *** full']);
    }
    const stored = await pager.sql<EventRow[]>`select ${eventColumns(pager.sql)} from events`;
    assert.equal(stored.length, 2);
    for (const row of stored)
      assert.ok(!Buffer.from(storedEvent(row).body).includes(Array.from(token).join('\0')));
  }));

test('an event that cannot be decompressed is refused, and in the log', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const { status, error } = await server.send({
      body: gzipSync('{"title":"disk"}').subarray(0, 20),
    });
    assert.deepEqual([status, error], [400, 'unreadable']);
    assert.equal((await server.log())[0]?.outcome, 'unreadable');
  }));

test('a decompressed event has at most 8 MiB', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const sizes = [8 * MEBIBYTE, 8 * MEBIBYTE + 1, 100 * MEBIBYTE];
    const answers = [];
    for (const size of sizes)
      answers.push((await server.send({ body: gzipSync(Buffer.alloc(size, ' ')) })).status);
    assert.deepEqual(answers, [400, 413, 413]);
  }));

test('an archived integration is gone', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    await server.archive();
    assert.equal((await server.send({})).status, 410);
  }));

test('an address guesses 20 tokens a second, and others are not held up', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const event = { body: '{"title":"disk"}', from: '192.0.2.1' };
    assert.equal((await server.send(event)).status, 202);
    const guess = (from = '192.0.2.1') => server.send({ to: `${unknown}/push-events`, from });
    for (let count = 1; count <= 20; count += 1) assert.equal((await guess()).status, 404);
    const refused = await guess();
    assert.deepEqual([refused.status, refused.after], [429, '1']);
    assert.equal((await guess('192.0.2.2')).status, 404);
    assert.equal((await server.send(event)).status, 202);
    pager.awayUntil('09:01');
    assert.equal((await guess()).status, 404);
  }));

/** An intake with room for so many events or bytes, or as usual. */
function buildIntake(pager: Pager, room: { eventsMax?: number; bytesMax?: number }): Intake {
  const { clock } = pager;
  const { ledger } = pager.serve();
  return new Intake({
    ledger,
    clock,
    ids: createIds(clock),
    log: silentLog,
    ...room,
    typeOf: () => ({ ...webhookType, read: () => ({ alerts: [] }) }),
    reader: eventReader,
    committed: () => {},
    ruled() {},
    faults,
  });
}

test('a tool is told to come back when too many events wait', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager, buildIntake(pager, { eventsMax: 0 }));
    const { status, error, after } = await server.send({});
    assert.deepEqual([status, error, after], [429, 'rate_limited', '1']);
  }));

test('a tool is told to come back before its body is read, until others leave room', () =>
  withPager(async (pager) => {
    const intake = buildIntake(pager, { bytesMax: 1_500 });
    await using server = await openHooks(pager, intake);
    const url = `${await server.listen()}/hooks/${token}/push-events`;
    const headers = { 'content-length': 1_000 };
    const announce = () => request(url, { method: 'POST', headers }).on('error', () => {});
    const first = announce();
    first.write('{');
    await eventually('the first holds its place', () => intake.bytes === 1_000);
    const second = announce();
    second.flushHeaders();
    const [answer] = await once(second, 'response');
    assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [429, '1']);
    second.destroy();
    first.destroy();
    await eventually('the first has left', () => intake.bytes === 0);
    assert.equal((await server.send({ body: ' '.repeat(1_000) })).status, 202);
    assert.equal(intake.bytes, 0);
  }));

test('a body that nobody announced takes room as it comes', () =>
  withPager(async (pager) => {
    const intake = buildIntake(pager, { bytesMax: 100_000 });
    await using server = await openHooks(pager, intake);
    const url = `${await server.listen()}/hooks/${token}/push-events`;
    const send = async (pieces: number) => {
      const body = Readable.from(Array(pieces).fill(Buffer.alloc(10_000, ' ')));
      return (await fetch(url, { method: 'POST', body, duplex: 'half' })).status;
    };
    assert.deepEqual([await send(6), await send(15)], [202, 429]);
    assert.deepEqual([await send(6), intake.bytes], [202, 0]);
  }));

test('what a stranger sends is not read to its end', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const url = `${await server.listen()}/hooks/${unknown}/push-events`;
    const sent = request(url, { method: 'POST', headers: { 'content-length': MEBIBYTE } });
    sent.on('error', () => {}).write('{');
    const [answer] = await once(sent, 'response');
    assert.deepEqual([answer.statusCode, answer.headers.connection], [404, 'close']);
    await once(sent, 'close');
    const small = await fetch(url, { method: 'POST', body: '{}' });
    assert.deepEqual([small.status, small.headers.get('connection')], [404, 'keep-alive']);
  }));

test('more than 8 MiB is refused although nobody announced it', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager);
    const url = `${await server.listen()}/hooks/${token}/push-events`;
    const sent = request(url, { method: 'POST' }).on('error', () => {});
    sent.write(Buffer.alloc(8 * MEBIBYTE + 1, ' '));
    const [answer] = await once(sent, 'response');
    assert.deepEqual([answer.statusCode, answer.headers.connection], [413, 'close']);
    sent.destroy();
  }));

test('an address without its last part is told what is missing, whosever token it has', () =>
  withPager(async (pager) => {
    const server = await openHooks(pager);
    const message = [];
    for (const method of ['POST', 'PUT', 'GET'] as const)
      for (const to of [token, unknown, 'no-token']) message.push(await server.refusal(method, to));
    for (const one of message) {
      assert.deepEqual(one, message[0]);
      assert.deepEqual([one.status, one.error], [404, 'unknown_route']);
      assert.match(one.message, /Send events by POST to \/hooks/);
    }
  }));

test('a handshake is answered as its type wants it, and opens nothing', () =>
  withPager(async (pager) => {
    const typeOf = () => ({ ...webhookType, handshake: answerEventGrid });
    await using server = await openHooks(pager, undefined, { typeOf });
    const to = `${token}/push-events`;
    const origin = { 'webhook-request-origin': 'eventgrid.azure.net' };
    const allowed = await server.request('OPTIONS', to, origin);
    assert.deepEqual(
      [allowed.statusCode, allowed.headers['webhook-allowed-origin'], allowed.json()],
      [200, 'eventgrid.azure.net', { ok: true }],
    );
    const eventType = 'Microsoft.EventGrid.SubscriptionValidationEvent';
    const validation = await server.answer([{ eventType, data: { validationCode: 'a-1' } }]);
    assert.deepEqual(
      [validation.statusCode, validation.headers['content-type'], validation.body],
      [200, 'application/json; charset=utf-8', '{"validationResponse":"a-1"}'],
    );
    assert.deepEqual([...(await server.log())], []);
    assert.equal((await server.answer([{ title: 'validationCode' }])).statusCode, 202);
  }));

test('only who has the token is answered, and only where the type has handshakes', () =>
  withPager(async (pager) => {
    const origin = { 'webhook-request-origin': 'eventgrid.azure.net' };
    const statuses = async (typeOf: () => IntegrationType | undefined) => {
      await using server = await openHooks(pager, undefined, { typeOf });
      const answers = [token, unknown].map((one) =>
        server.request('OPTIONS', `${one}/push-events`, origin),
      );
      return (await Promise.all(answers)).map(({ statusCode, headers }) => [
        ...[statusCode, headers['webhook-allowed-origin'], headers['allow']],
      ]);
    };
    const stranger = [404, undefined, undefined];
    assert.deepEqual(await statuses(() => ({ ...webhookType, handshake: answerCloudEvents })), [
      [200, 'eventgrid.azure.net', 'POST, PUT'],
      stranger,
    ]);
    for (const typeOf of [() => webhookType, () => undefined])
      assert.deepEqual(await statuses(typeOf), [[405, undefined, 'POST, PUT'], stranger]);
  }));

test('a tool that takes only 200 for success gets it, refusals stay as they are', () =>
  withPager(async (pager) => {
    const typeOf = () => ({ ...webhookType, status: 200 }) as const;
    await using server = await openHooks(pager, undefined, { typeOf });
    assert.equal((await server.send({ body: '{"title":"disk"}' })).status, 200);
    assert.equal((await server.send({ body: '{"title":' })).status, 400);
    await server.archive();
    assert.equal((await server.send({ body: '{"title":"disk"}' })).status, 410);
  }));

test('a tool that sends again only on 5xx is told so when too many events wait', () =>
  withPager(async (pager) => {
    const typeOf = () => ({ ...webhookType, busy: 503 }) as const;
    const tooMany = async (room: { eventsMax?: number; bytesMax?: number }, body: string) => {
      await using server = await openHooks(pager, buildIntake(pager, room), { typeOf });
      const { status, error, after } = await server.send({ body });
      return [status, error, after];
    };
    const refused = [503, 'rate_limited', '1'];
    assert.deepEqual(await tooMany({ eventsMax: 0 }, '{}'), refused);
    assert.deepEqual(await tooMany({ bytesMax: 100 }, ' '.repeat(101)), refused);
    assert.deepEqual(await tooMany({ bytesMax: 100 }, '{"title":"disk"}'.padEnd(99)), refused);
  }));

test('what a tool sends of secrets is masked before it is stored', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager, undefined, { slug: 'statuscake' });
    const body = 'Name=Shop&Status=Down&TestID=7&Token=4f1d2c3b4a5e6f70';
    assert.equal((await server.send({ body })).status, 202);
    const [stored] = await server.log();
    assert.equal(stored?.body, 'Name=Shop&Status=Down&TestID=7&Token=****************');
  }));

test('what a mapping says is secret is masked too, in each alert of a list', () =>
  withPager(async (pager) => {
    const mapping = {
      revision: 1,
      forms: [{ each: 'probes', title: ['name'], key: [['id']], omit: ['access.word'] }],
    };
    await using server = await openHooks(pager, undefined, { mapping });
    const probes = [7, 8].map((id) => ({
      id,
      name: `Pump ${id}`,
      access: { word: `open-${id}-sesame` },
    }));
    assert.equal((await server.send({ body: JSON.stringify({ probes }) })).status, 202);
    const [stored] = await server.log();
    assert.ok(!stored?.body.includes('sesame'));
    assert.ok(stored?.body.includes('Pump 8'));
  }));

test('of secrets that may be any words only whole values are masked, however many there are', () =>
  withPager(async (pager) => {
    await using server = await openHooks(pager, undefined, { slug: 'honeybadger' });
    const many = Array.from({ length: 20_000 }, (_, index) => `secret-${index}`);
    const params = { kind: 'message', password: 'hunter/2é', state: 'resolved', many };
    const event = { event: 'occurred', message: 'Shop is slow', project: { token: 'tok/en-7&8' } };
    const sent = { ...event, fault: { id: 7, klass: 'Slow' }, notice: { request: { params } } };
    // As PHP writes it.
    const body = JSON.stringify(sent).replaceAll('/', '\\/').replaceAll('é', '\\u00e9');
    assert.equal((await server.send({ body })).status, 202);
    const [stored] = await server.log();
    const text = stored?.body ?? '';
    assert.ok(!/secret-|hunter|tok..?en-7/.test(text));
    const { message, fault, notice } = JSON.parse(text);
    assert.equal(message, event.message);
    assert.equal(fault.klass, 'Slow');
    assert.equal(notice.request.params.kind, '*******');
    assert.equal(text.length, body.length);
  }));
