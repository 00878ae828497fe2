// The routes that try something out, over one integration of the team ops.

import assert from 'node:assert/strict';
import { integrationTypes } from '../src/alerts/index.ts';
import { incidentRoutes } from '../src/api/incidents/routes.ts';
import { replayRoute } from '../src/api/what-if/replay.ts';
import { ruleTestRoutes } from '../src/api/what-if/rule-test.ts';
import { simulateRoute } from '../src/api/what-if/simulate.ts';
import { createIds } from '../src/engine/ids.ts';
import { Intake } from '../src/engine/intake/intake.ts';
import { silentLog } from '../src/engine/log.ts';
import { createLedger } from '../src/storage/ledger/ledger.ts';
import { activeTeams } from '../src/storage/people/teams.ts';
import { testApi, testSecrets } from './api.ts';
import { compute } from './compute.ts';
import { cacheFor } from './configuration.ts';
import { anyDatabase, testDatabase } from './database.ts';
import { eventReader as reader } from './event-reader.ts';
import { pushed } from './http-event.ts';
import { noFaults as faults } from './no-faults.ts';
import { seedOrganization } from './world.ts';

const now = Temporal.Instant.from('2026-03-04T09:30:00Z');

const typeOf = (slug: string) => integrationTypes.find((type) => type.slug === slug);

/** Its clock stands at 09:30 on a Wednesday; e-mail is set up. */
export async function trialApi() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  const clock = { now: () => now };
  const parts = {
    sql,
    typeOf,
    reader,
    secrets: testSecrets,
    ids: createIds(clock),
    configurations: cacheFor('email'),
    faults,
    teams: (scope: Parameters<typeof activeTeams>[1]) => activeTeams(sql, scope),
  };
  const ledger = createLedger(parts);
  const committed = () => {};
  const intake = new Intake({ ...parts, ledger, clock, log: silentLog, committed, ruled() {} });
  const publicUrl = 'https://pager.test';
  const routes = [
    ...ruleTestRoutes({ sql, compute }),
    simulateRoute({ ...parts, compute }),
    replayRoute({ ...parts, compute }),
    ...incidentRoutes({ ...parts, ledger, clock, publicUrl, committed, compute }),
  ];
  const api = stack.use(await testApi({ sql, clock, routes }));
  const world = await seedOrganization(sql, {
    teams: ['ops', 'web'],
    users: [{ name: 'ada' }, { name: 'lin' }, { name: 'boss', role: 'admin' }],
  });
  const { ops = '', web = '' } = world.teams;
  const { ada = '', lin = '' } = world.users;
  const key = world.caller({ defaultTeamId: ops });
  const send = (request: string, body?: object, caller = key) =>
    api.send(caller, request, body === undefined ? {} : { body });
  async function make(kind: string, body: object): Promise<string> {
    const made = await send(`POST /${kind}`, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  }
  const steps = [{ targets: [{ via: 'email', user_id: ada }] }];
  const policy = await make('escalation-policies', { name: 'Night', steps });
  const service = await make('services', { name: 'Shop' });
  const related = { slug: 'webhook', service_id: service, escalation_policy_id: policy };
  const integration = await make('integrations', { name: 'Checks', ...related });
  return {
    sql,
    world,
    send,
    make,
    ops,
    web,
    ada,
    lin,
    policy,
    service,
    integration,
    event: (fields: object) => ({ integration_id: integration, ...fields }),
    /** The paths of what is wrong with the body. */
    async pathsOf(request: string, body: object): Promise<string[]> {
      const answer = await send(request, body);
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      return answer.body.issues.map(({ path }: { path: string }) => path);
    },
    /** An event arrives, now. */
    async trigger(fields: object): Promise<void> {
      const on = { organizationId: world.organizationId, integrationId: integration };
      const through = { slug: 'webhook', integrationName: 'Checks', source: 'http' as const };
      const body = new TextEncoder().encode(JSON.stringify(fields));
      const request = { path: '/push-events', contentType: 'application/json', body };
      await intake.receive({ ...on, ...through, ...request });
    },
    /** The number of the newest. */
    async incident(): Promise<string> {
      const { data } = (await send('GET /incidents')).body;
      return String(data[0].number);
    },
    /** As if an event had arrived then; answers its id. */
    async logged(time: string, fields: object): Promise<string> {
      const received_at = Temporal.Instant.from(time);
      const id = createIds({ now: () => received_at }).next();
      const body = { body: JSON.stringify(fields), body_encoding: 'utf-8', times: 1 };
      const key = { organization_id: world.organizationId, id, integration_id: integration };
      await sql`insert into events ${sql({ ...key, received_at, ...pushed, ...body })}`;
      return id;
    },
    /** How many rows each table has. */
    async rows(): Promise<Readonly<Record<string, number>>> {
      const tables = await sql<{ name: string }[]>`
        select tablename as name from pg_tables where schemaname = 'public'`;
      const counted = tables.map(async ({ name }) => {
        const [row] = await sql<{ count: number }[]>`
          select count(*)::int as count from ${sql(name)}`;
        return [name, row?.count ?? 0] as const;
      });
      return Object.fromEntries(await Promise.all(counted));
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
