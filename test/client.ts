import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '../src/client/client.ts';
import { createNodeClient } from '../src/client/node.ts';
import { createRecords } from '../src/client/records.ts';
import { systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import type { Existing } from './any-fields.ts';
import { type RecordsApiOptions, startRecordsApi } from './records-api.ts';

type ClientOptions = RecordsApiOptions & {
  /** Of each request of that method the first answer is lost on its way, its work done. */
  readonly losesAnswersOf?: string;
};

/** A client of the API over HTTP, in an organisation with records to point to. */
export async function startClient({ losesAnswersOf, ...options }: ClientOptions = {}) {
  const stack = new AsyncDisposableStack();
  const at = stack.use(await startRecordsApi(options));
  const existing = await seedExisting(at);
  const lost = new Set<string>();
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const payload = Buffer.concat(await request.toArray());
    const answer = await at.api.app.inject({ method: method as 'GET', url, headers, payload });
    const sent = `${method} ${url} ${headers['idempotency-key']}`;
    if (method === losesAnswersOf && !lost.has(sent)) {
      lost.add(sent);
      response.destroy();
    } else response.writeHead(answer.statusCode, answer.headers).end(answer.rawPayload);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  stack.defer(() => new Promise<void>((closed) => void server.close(() => closed())));
  // Listening on a port, a server never has a path or nothing for an address.
  const { port } = server.address() as AddressInfo;
  const direct = createNodeClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    apiKey: at.key.id,
    userAgent: 'test',
    wait: async () => {},
  });
  stack.defer(() => direct.close());
  let sent = 0;
  const client: Client = {
    ...direct,
    send(request) {
      sent += 1;
      return direct.send(request);
    },
  };
  return {
    ...at,
    existing,
    client,
    records: createRecords(client),
    /** How many requests the client was asked to send. */
    sent: () => sent,
    lost: () => lost.size,
    services: (count: number) => services(at, count),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

type At = Awaited<ReturnType<typeof startRecordsApi>>;

/** Something of each kind that a record may point to. */
async function seedExisting({ make, policy, integration, ada, ops }: At): Promise<Existing> {
  const service = await make('services', { name: 's' });
  const escalation_policy = await policy();
  const layers = [{ users: [ada], rotation: { length: 1, unit: 'weeks' } }];
  return {
    service: [service],
    escalation_policy: [escalation_policy],
    integration: [await integration(service, escalation_policy)],
    outbound_webhook: [await make('outbound-webhooks', { name: 'w', url: 'https://w.test' })],
    oncall_schedule: [await make('on-calls', { name: 'o', layers })],
    user: [ada],
    team: [ops],
  };
}

/** So many more services; answers their ids. */
async function services({ sql, world, ops }: At, count: number): Promise<string[]> {
  const ids = createIds(systemClock);
  const now = systemClock.now();
  const [{ last } = { last: 0 }] = await sql<{ last: number }[]>`
    select max(counter) as last from services`;
  const rows = Array.from({ length: count }, (_, index) => ({
    organization_id: world.organizationId,
    team_id: ops,
    id: ids.next(),
    counter: last + index + 1,
    version: 1,
    name: `s${index}`,
    created_at: now,
    updated_at: now,
  }));
  await sql`insert into services ${sql(rows)}`;
  return rows.map(({ id }) => id);
}
