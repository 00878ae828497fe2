// A server inside the test with something of every kind, and requests to it.
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { anyDatabase } from '../database.ts';
import { createApiClient } from '../system/api-client.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import { sessionOf } from '../system/sign-in.ts';
import { seedAll } from '../system/tenants.ts';
import type { AnyRequest, Existing } from './any-request.ts';

export type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
};

export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type Target = AsyncDisposable & {
  readonly pager: InProcess;
  /** Of all kinds, those that are there now. */
  existing(): Promise<Existing>;
  /** Sends by a key, or as the signed-in owner. */
  send(request: AnyRequest, as: 'key' | 'session'): Promise<Answer>;
  raw(sent: Sent): Promise<Answer>;
};

const PASSWORD = 'correct horse battery';
const nowhere = 'http://127.0.0.1:1';
/** Beyond this share of its rate, the next key is used. */
const REQUESTS_PER_KEY = 800;

export async function startTarget(): Promise<Target> {
  await using stack = new AsyncDisposableStack();
  const vendors = ['slack', 'telegram', 'twilio'].map((name) => `${name}=${nowhere}`).join(',');
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: PASSWORD,
      PAGER_VENDOR_URLS: vendors,
    }),
  );
  const agent = new Agent({ keepAlive: true });
  stack.defer(() => agent.destroy());
  const raw = (sent: Sent) => exchange(pager.url, agent, sent);
  const seeded = await seed(pager);
  const session = await sessionOf(pager, PASSWORD);
  const keys = new Keys(pager);
  const all = stack.move();
  return {
    pager,
    existing: () => existingOn(pager, seeded),
    raw,
    async send(request, as) {
      const credentials =
        as === 'session' ? { ...session, origin: pager.url } : { 'x-api-key': await keys.next() };
      for (;;) {
        const answer = await raw(asSent(request, credentials));
        // Of all requests; those of codes and tests are about minutes.
        const isSoon = answer.status === 429 && Number(answer.headers['retry-after']) <= 1;
        if (!isSoon) return answer;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Keys of the owner, each for a number of requests. */
class Keys {
  readonly #pager: InProcess;
  #key = inProcessKey;
  #sent = 0;

  constructor(pager: InProcess) {
    this.#pager = pager;
  }

  async next(): Promise<string> {
    this.#sent += 1;
    if (this.#sent % REQUESTS_PER_KEY === 0) {
      const api = createApiClient(this.#pager.url, this.#key);
      this.#key = (await api.create('api-keys', { name: 'next', role: 'owner' })).key;
    }
    return this.#key;
  }
}

type Seeded = {
  readonly owner: string;
  readonly team: string;
  readonly ids: Record<string, string>;
};

async function seed(pager: InProcess): Promise<Seeded> {
  const { api } = pager;
  const [team] = await api.list('teams');
  const [owner] = await api.list('users');
  const person = { first_name: 'Grace', last_name: 'Hopper', role: 'responder' };
  const grace = await api.create('users', { ...person, email: 'grace@example.test' });
  const tenant = { api, name: 'Seeded', ids: { team: team.id, user: grace.id } };
  const { ids } = await seedAll(tenant);
  await api.create(`integrations/${ids['integration']}/adopted-keys`, {
    kind: 'pagerduty',
    key: 'a'.repeat(32),
  });
  return { owner: owner.id, team: team.id, ids: { ...ids } };
}

const kinds: Readonly<Record<string, string>> = {
  services: 'service',
  'escalation-policies': 'escalation_policy',
  integrations: 'integration',
  'alert-rules': 'alert_routing_rule',
  'outbound-webhooks': 'outbound_webhook',
  'on-calls': 'oncall_schedule',
  playbooks: 'playbook',
  incidents: 'incident',
  'api-keys': 'api_key',
  users: 'user',
  teams: 'team',
  'calendar-feeds': 'calendar_feed',
  'channel-connections': 'channel_connection',
};
const teamless = ['users', 'teams', 'api-keys', 'calendar-feeds', 'channel-connections'];

/** By the path of a kind and by the name of its references, the seeded first. */
async function existingOn({ api }: InProcess, { owner, team, ids }: Seeded): Promise<Existing> {
  const existing: Record<string, string[]> = {};
  for (const [path, kind] of Object.entries(kinds)) {
    const { body } = await api.send(
      `GET /${path}?${path === 'channel-connections' ? '' : 'limit=20'}${teamless.includes(path) ? '' : `&team_id=${team}`}`,
    );
    const listed: string[] = (body.data ?? []).map((one: { id: string }) => one.id);
    // Of the one who calls nothing is changed, and the last keys are in use.
    const own = path === 'api-keys' ? [ids['key'] ?? ''] : listed.filter((id) => id !== owner);
    existing[path] = own;
    existing[kind] = own;
  }
  const named: Record<string, string | undefined> = { team };
  for (const [kind, id] of Object.entries(named)) if (id) existing[kind] = [id];
  const below = async (line: string): Promise<string[]> =>
    ((await api.send(`GET ${line}`)).body.data ?? []).map((one: { id: string }) => one.id);
  return {
    ...existing,
    'on-calls with parts': [ids['schedule'] ?? ''],
    'outbound-webhooks with parts': [ids['webhook'] ?? ''],
    'integrations with parts': [ids['integration'] ?? ''],
    'users with parts': [ids['user'] ?? ''],
    override_id: await below(`/on-calls/${ids['schedule']}/overrides`),
    secret_id: await below(`/outbound-webhooks/${ids['webhook']}/secrets`),
    delivery_id: await below(`/outbound-webhooks/${ids['webhook']}/deliveries`),
    key_id: await below(`/integrations/${ids['integration']}/adopted-keys`),
    contact_id: await below(`/users/${ids['user']}/contacts`),
    event: await below(`/integrations/${ids['integration']}/events`),
  };
}

function asSent(request: AnyRequest, credentials: Readonly<Record<string, string>>): Sent {
  const { operation, path, query, headers, body } = request;
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const pairs = Object.entries(query).map(
    ([name, value]) =>
      `${name}=${[value]
        .flat()
        .map((one) => encodeURIComponent(String(one)))
        .join(',')}`,
  );
  const { 'content-type': _, ...rest } = credentials;
  const isJson = body !== undefined;
  return {
    method: operation.method,
    path: `/api/v1${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
    headers: { ...rest, ...headers, ...(isJson && { 'content-type': 'application/json' }) },
    ...(isJson && { body: JSON.stringify(body) }),
  };
}

const ANSWER_MILLISECONDS_MAX = 30_000;

async function exchange(url: string, agent: Agent, sent: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { method, path, headers, body = '' } = sent;
  const signal = AbortSignal.timeout(ANSWER_MILLISECONDS_MAX);
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const outgoing = httpRequest({
    hostname,
    port,
    method,
    path,
    agent,
    signal,
    headers: { ...headers, ...length },
  });
  outgoing.end(body);
  const [answer]: IncomingMessage[] = await once(outgoing, 'response');
  if (answer === undefined) throw new Error('there was no answer');
  const of = { status: answer.statusCode ?? 0, headers: answer.headers };
  if (!answer.headers['content-type']?.startsWith('text/event-stream'))
    return { ...of, text: Buffer.concat(await answer.toArray()).toString() };
  // It has no end: what comes first is enough.
  const [chunk]: Buffer[] = await once(answer, 'data');
  outgoing.destroy();
  return { ...of, text: String(chunk) };
}
