import assert from 'node:assert/strict';
import { connectionRoutes } from '../src/api/connections/routes.ts';
import { coverRequestRoutes } from '../src/api/oncall/cover-requests.ts';
import { overrideRoutes } from '../src/api/oncall/overrides.ts';
import { oncallRoutes } from '../src/api/oncall/routes.ts';
import { usesRoutes } from '../src/api/records/uses.ts';
import {
  type ChangePreviewRouteParts,
  changePreviewRoutes,
} from '../src/api/what-if/change-preview-routes.ts';
import { overridePreviewRoutes } from '../src/api/what-if/override-preview.ts';
import { unreachableStepsRoute } from '../src/api/what-if/unreachable-steps.ts';
import { createIds } from '../src/engine/ids.ts';
import type { Wake } from '../src/engine/wake.ts';
import { connectedChannels } from '../src/storage/connections/connections.ts';
import { activeTeams } from '../src/storage/people/teams.ts';
import { changeUser } from '../src/storage/people/users.ts';
import { createRecords } from '../src/storage/records/records.ts';
import { testApi, testSecrets } from './api.ts';
import { compute } from './compute.ts';
import { cacheFor } from './configuration.ts';
import { anyDatabase, testDatabase } from './database.ts';
import { seedOrganization } from './world.ts';

const MONDAY = Temporal.Instant.from('2026-03-02T00:00:00Z');

const slugs = new Set(['webhook']);

export const daily = { length: 1, unit: 'days' } as const;
export const weekly = { length: 1, unit: 'weeks' } as const;

/** An API of schedules on a clock that stands still, at first on a Monday. */
export async function startOnCallApi() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  let now = MONDAY;
  const clock = { now: () => now };
  let pokes = 0;
  const committed = ({ shifts }: Wake) => {
    if (shifts) pokes += 1;
  };
  const ids = createIds(clock);
  const overrides = overrideRoutes({ sql, ids, committed });
  const coverRequests = coverRequestRoutes({
    sql,
    ids,
    secrets: testSecrets,
    configurations: cacheFor('email', 'sms', 'phone'),
    committed,
  });
  const whatIf: ChangePreviewRouteParts = {
    sql,
    compute,
    configurations: cacheFor('email'),
    records: createRecords({ sql, ids, secrets: testSecrets }),
    teams: (scope) => activeTeams(sql, scope),
    async capabilitiesOf(organizationId) {
      const connected = await connectedChannels(sql, organizationId);
      return {
        channels: new Set(['email', ...connected]),
        connected: new Set(connected),
        slugs,
        refusalOf: () => undefined,
      };
    },
    hasMailServer: true,
  };
  const overridePreviews = overridePreviewRoutes({
    sql,
    compute,
    configurations: cacheFor('email'),
  });
  const connections = connectionRoutes({
    sql,
    ids,
    secrets: testSecrets,
    publicUrl: 'https://pager.test',
    hasMailServer: true,
    callbackUrlOf: () => null,
    isPublic: false,
    checkConnection: async () => [],
  });
  const routes = [
    ...oncallRoutes({ sql, compute }),
    ...usesRoutes(sql),
    ...overrides,
    ...coverRequests,
    ...connections,
    ...overridePreviews,
    ...changePreviewRoutes(whatIf),
    unreachableStepsRoute(whatIf),
  ];
  const api = stack.use(await testApi({ sql, clock, routes }));
  const world = await seedOrganization(sql, {
    teams: ['ops', 'web'],
    users: [{ name: 'ada' }, { name: 'bob' }, { name: 'eve', active: false }],
    clock,
  });
  const { ops = '', web = '' } = world.teams;
  const { ada = '', bob = '', eve = '' } = world.users;
  const key = world.caller({ defaultTeamId: ops });
  const actor = {
    organizationId: world.organizationId,
    teamIds: null,
    actor: { kind: 'key', id: key.id, name: key.name },
    requestId: null,
  };
  return {
    sql,
    clock,
    api,
    world,
    key,
    ops,
    web,
    ada,
    bob,
    eve,
    /** How often whoever watches schedules was told to look. */
    pokes: () => pokes,
    pass(duration: Temporal.DurationLike) {
      now = now.add(duration);
    },
    /** As the first key unless told otherwise. */
    send: (request: string, body?: object, caller = key) =>
      api.send(caller, request, body === undefined ? {} : { body }),
    /** As `PATCH /users/:id` does. */
    setActive: (id: string, active: boolean) =>
      changeUser(sql, {
        act: { ...actor, now },
        ids,
        id,
        change: (before) => ({ ...before, active }),
      }),
    /** A schedule of these layers. */
    async schedule(layers: readonly object[], fields: object = {}): Promise<string> {
      const made = await api.send(key, 'POST /on-calls', {
        body: { name: 'o', layers, ...fields },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.id;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
