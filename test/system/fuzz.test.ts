// Everything that anybody may send: no fault of the server, no hang, no end.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { testDatabase } from '../database.ts';
import {
  anyBody,
  anyContentType,
  anyHeaders,
  anyPart,
  anyQuery,
  anyText,
  type Known,
  mutated,
  type Schema,
} from './any-input.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startMailServer } from './notice-servers.ts';
import { isProper, type RawCall, rawCall, talk } from './raw-call.ts';
import { createInstallation, mailTo } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

type Operation = {
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
};
type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const world = new AsyncDisposableStack();
after(() => world.disposeAsync());
const database = world.use(
  await testDatabase({ server: await systemPostgres(), migrations: 'none' }),
);
const mail = world.use(await startMailServer());
const installation = world.use(
  await createInstallation({ ...mailTo(mail), PAGER_DATABASE_URL: database.url }),
);
const server = await installation.start();

const [integration] = await server.api.list('integrations');
const hookPath = new URL(integration.webhook_url).pathname;
await postJson(integration.webhook_url, { title: 'the first' });
const first = await mail.arrival('the first page', () => true);
const links = [...first.text.matchAll(/\/act\/\S+/g)].map(([link]) => link);

test('no request to a hook is answered by a fault', async () => {
  const bodies = fc.oneof(
    mutated(['{"title":"a","status":"resolve","dedup_key":"b"}', '[{"labels":{"a":"b"}}]']),
    mutated(['title=a&status=trigger', '<a>b</a>', '{"title":"\\ud800","body":{"a":"\\u0000"}}']),
    fc.uint8Array({ maxLength: 200 }),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.record({ title: anyText, body: anyText, status: anyText }).map((all) => JSON.stringify(all)),
  );
  const token = fc.oneof(
    { weight: 9, arbitrary: fc.constant(hookPath.split('/')[2] ?? '') },
    { weight: 1, arbitrary: fc.constantFrom('0'.repeat(40), 'x', '%') },
  );
  const calls = fc
    .record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'GET', 'DELETE', 'OPTIONS'),
      path: fc
        .tuple(token, anyPart(['push-events', 'v2/enqueue']), anyQuery(['5']))
        .map(([one, two, query]) => `/hooks/${one}/${two}${query}`),
      headers: fc
        .tuple(anyHeaders, anyContentType)
        .map(([some, type]) => ({ ...some, 'content-type': type })),
      body: bodies,
    })
    .map((call) => (call.method === 'GET' ? { ...call, body: '' } : call));
  await fuzz({ calls, seconds: 4, check: async (call) => isProper(await send(call)) });
});

test('no request to an address of another service is answered by a fault', async () => {
  const known = hookPath.split('/')[2] ?? '';
  const key = fc.oneof(
    { weight: 9, arbitrary: fc.constant(known) },
    { weight: 1, arbitrary: fc.constantFrom('0'.repeat(40), 'x', '%25') },
  );
  const name = anyPart(['one', '1', `${'a'.repeat(24)}00000000`, 'requests', 'close', 'enqueue']);
  const paths = fc
    .tuple(key, name, name, anyQuery(['alias', 'tiny', 'id', known]))
    .chain(([secret, one, two, query]) =>
      fc.constantFrom(
        ...['/v2/enqueue', '/v2/change/enqueue', '/generic/2010-04-15/create_event.json'],
        ...[`/integration/${secret}/enqueue`, `/v2/alerts${query}`, `/v2/alerts/${one}/${query}`],
        ...[`/v2/alerts/${one}/${two}?identifierType=alias`, `/v2/alerts/${one}/close${query}`],
        ...[`/v2/alerts/1/close?identifierType=tiny`, `/v2/heartbeats/${one}/ping`],
        ...[`/v1/json/${one}?apiKey=${secret}`, `/v1/json/alert/${two}?apiKey=${secret}`],
        ...[`/${secret}/api/v2/alerts`, '/api/v1/alerts', `/v1/api/alerts?token=${secret}`],
        ...[`/integrations/generic/20131114/alert/${secret}/${one}`],
        ...[`/api/v2/generic/incoming?token=${secret}`, `/api/v2/grafana/incoming${query}`],
        ...[`/integrations/v1/${one}/${secret}/`, `/integrations/v1/webhook/${secret}/heartbeat/`],
      ),
    );
  const bodies = fc.oneof(
    mutated([
      `{"routing_key":"${known}","event_action":"trigger","payload":{"summary":"a","links":[]}}`,
      `{"service_key":"${known}","event_type":"resolve","incident_key":"b"}`,
      ...['{"message":"a","alias":"b","priority":"P1"}', '[{"labels":{"a":"b"}}]'],
      ...['{"message_type":"CRITICAL","entity_id":"a"}', `token=${known}&summary=a&action=close`],
    ]),
    fc.uint8Array({ maxLength: 200 }),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
  const authorization = fc.constantFrom(`GenieKey ${known}`, `Bearer ${known}`, 'Basic Og==', '');
  const calls = fc
    .record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'DELETE', 'PATCH'),
      path: fc.tuple(fc.constantFrom('', '/hooks'), paths).map((parts) => parts.join('')),
      headers: fc
        .tuple(anyHeaders, anyContentType, authorization)
        .map(([some, type, way]) => ({ ...some, 'content-type': type, authorization: way })),
      body: bodies,
    })
    .map((call) => (call.method === 'GET' ? { ...call, body: '' } : call));
  const check = async (call: RawCall) => {
    const { status, text } = await send(call);
    // Its clients send again after such a status only.
    const isBusy = status === 503 && call.path.includes('/20131114/');
    assert.ok(status >= 200 && (status < 500 || isBusy), `${call.path}: ${status} ${text}`);
  };
  await fuzz({ calls, seconds: 4, check });
});

test('no link and no page is answered by a fault', async () => {
  const paths = fc.oneof(
    mutated(links).map((bytes) => Buffer.from(bytes).toString('latin1')),
    anyPart(['x', `${'a'.repeat(5_000)}.b`]).map((part) => `/act/${part}`),
    anyPart(['sign-in', 'docs', 'openapi.json', 'auth/session']).map((part) => `/${part}`),
    fc.constantFrom('/auth/sign-in', '/auth/sign-out', '/auth/change-password', '//', '/*'),
  );
  const calls = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    path: paths.map((path) => path.replace(/[^\x21-\x7e]/g, '~')),
    headers: anyHeaders.map((some) => ({ ...some, 'content-type': 'application/json' })),
    body: fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constant('{"email":"a\\u0000@example.test","password":"\\ud800"}'),
    ),
  });
  await fuzz({ calls, seconds: 2, check: async (call) => isProper(await send(call)) });
});

test('what is not HTTP is refused and the connection closed', async () => {
  const request = `POST ${hookPath} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`;
  const port = Number(new URL(server.url).port);
  const ended = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.from('\r\n\r\n\0\r\n\r\n')]);
  const check = async (bytes: Uint8Array) => {
    const heard = await talk({ port, bytes: ended(bytes) });
    assert.doesNotMatch(heard, /^HTTP\/1.1 5/m);
    // Without a Host, Node itself answers, and says nothing.
    const isBare = heard.endsWith('\r\n\r\n0\r\n\r\n');
    if (/^HTTP\/1.1 4/.test(heard) && !isBare)
      assert.match(heard, /"issues":\[.*\],"request_id":"/);
  };
  await fuzz({ calls: mutated([request]), seconds: 2, check });
});

test('no mail, and nothing else said to the mail door, is answered by a fault', async () => {
  const token = hookPath.split('/')[2] ?? '';
  const hello = `EHLO a\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<${token}@alerts.test>\r\nDATA\r\n`;
  const content =
    'Subject: =?utf-8?q?a=00b?=\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x';
  const calls = fc.oneof(
    mutated([content, 'Subject: [RESOLVED] a\r\n\r\nb']).map((bytes) =>
      Buffer.concat([Buffer.from(hello), bytes]),
    ),
    mutated([`${hello}Subject: a\r\n\r\nb`]),
  );
  const check = async (bytes: Uint8Array) => {
    const ending = Buffer.from('\r\n.\r\nQUIT\r\n\r\n.\r\nQUIT\r\n');
    const sent = Buffer.concat([bytes, ending]);
    const heard = await talk({ port: server.mailPort, bytes: sent, isGreeted: true });
    assert.doesNotMatch(heard, /^451/m);
  };
  await fuzz({ calls, seconds: 3, check });
});

test('no request to the API is answered by a fault', async () => {
  const document = join(import.meta.dirname, '../../docs/openapi.json');
  const api: OpenApi = JSON.parse(await readFile(document, 'utf8'));
  const known = { schemas: api.components.schemas, ids: await idsThatExist() };
  // The answer of a stream has no end.
  const paths = Object.entries(api.paths).filter(([path]) => !path.endsWith('/stream'));
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const calls = fc.oneof(...operations.map((operation) => anyCall(operation, known)));
  await fuzz({ calls, seconds: 8, check: async (call) => isProper(await send(call)) });
});

test('after all of it the server is as it was', async () => {
  assert.equal((await request(`${server.url}/readyz`)).status, 200);
  const { api } = server;
  await eventually('the limit of requests is over', async () => {
    const { status } = await api.send('GET /teams');
    return status === 200;
  });
  const { id: team_id } = await api.create('teams', { name: 'Last' });
  const service = await api.create('services', { name: 'Last', team_id });
  const steps = [{ targets: [{ via: 'email', user_id: await ownerId() }] }];
  const policy = await api.create('escalation-policies', { name: 'Last', steps, team_id });
  const last = await api.create('integrations', {
    slug: 'webhook',
    team_id,
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  assert.equal((await postJson(last.webhook_url, { title: 'the last' })).status, 202);
  await mail.arrival('the last page', ({ subject }) => subject.includes('the last'));
  const troubles = server
    .output()
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line));
  assert.deepEqual(troubles, []);
  assert.equal(await server.stop(), 0);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

async function ownerId(): Promise<string> {
  const users = await server.api.list('users');
  return users.find(({ email }) => email === 'owner@example.test').id;
}

type Fuzz<T> = {
  readonly calls: fc.Arbitrary<T>;
  readonly seconds: number;
  readonly check: (call: T) => Promise<void>;
};

async function fuzz<T>({ calls, seconds, check }: Fuzz<T>): Promise<void> {
  const limits = { numRuns: 4_000, interruptAfterTimeLimit: seconds * 1_000 };
  let last = Promise.resolve();
  const checked = (call: T): Promise<void> => {
    last = check(call);
    return last;
  };
  await fc.assert(fc.asyncProperty(calls, checked), limits);
  // The end of its time does not wait for it.
  await last;
}

const send = (call: RawCall) => rawCall(server.url, call);

type Described = { method: string; path: string; operation: Operation };

function anyCall({ method, path, operation }: Described, known: Known): fc.Arbitrary<RawCall> {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const bodies = schema ? anyBody(schema, known).map((body) => JSON.stringify(body)) : null;
  const placeholders = path.split('{').length - 1;
  const ids = ['1', ...(known.ids[path.split('/')[1] ?? ''] ?? [])];
  return fc
    .record({
      parts: fc.array(anyPart(ids), { minLength: placeholders, maxLength: placeholders }),
      query: method === 'get' ? anyQuery(ids) : fc.constant(''),
      some: anyHeaders,
      type: anyContentType,
      body: bodies ?? fc.constant(null),
    })
    .map(({ parts, query, some, type, body }) => {
      const { authorization: _, ...others } = some;
      const filled = path.replace(/\{[^}]*\}/g, () => parts.shift() ?? '');
      const key = { 'x-api-key': server.apiKey };
      return {
        method: method.toUpperCase(),
        path: `/api/v1${filled}${query}`,
        headers: { ...others, ...key, ...(body !== null && { 'content-type': type }) },
        ...(body !== null && { body }),
      };
    });
}

/** The owner is left out, lest the key loses its maker. */
async function idsThatExist(): Promise<Record<string, string[]>> {
  const { api } = server;
  const grace = { first_name: 'Grace', last_name: '', email: 'grace@example.test', role: 'viewer' };
  const { id } = await api.create('users', grace);
  const kinds = ['services', 'escalation-policies', 'integrations', 'incidents', 'teams'];
  const replies = await Promise.all(
    kinds.map(async (kind) => [kind, (await api.list(kind)).map((one) => one.id)]),
  );
  return { ...Object.fromEntries(replies), users: [id] };
}
