import assert from 'node:assert/strict';
import { oncallRoutes } from '../src/api/oncall/routes.ts';
import { testApi } from './api.ts';
import { anyDatabase, testDatabase } from './database.ts';
import { givenOrganization } from './world.ts';

const MONDAY = Temporal.Instant.from('2026-03-02T00:00:00Z');

export const daily = { length: 1, unit: 'days' } as const;
export const weekly = { length: 1, unit: 'weeks' } as const;

/** An API of schedules on a clock that stands still, at first on a Monday. */
export async function givenOnCall() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  let now = MONDAY;
  const clock = { now: () => now };
  const api = stack.use(await testApi({ sql, clock, routes: oncallRoutes(sql) }));
  const world = await givenOrganization(sql, {
    teams: ['ops', 'web'],
    users: [{ name: 'ada' }, { name: 'bob' }, { name: 'eve', active: false }],
    clock,
  });
  const { ops = '', web = '' } = world.teams;
  const { ada = '', bob = '', eve = '' } = world.users;
  const key = world.caller({ defaultTeamId: ops });
  return {
    ...{ sql, api, world, key, ops, web, ada, bob, eve },
    pass(duration: Temporal.DurationLike) {
      now = now.add(duration);
    },
    /** As the first key unless told otherwise. */
    ask: (request: string, body?: object, caller = key) =>
      api.send(caller, request, body === undefined ? {} : { body }),
    /** A schedule of these layers. */
    async schedule(layers: readonly object[], said: object = {}): Promise<string> {
      const made = await api.send(key, 'POST /on-calls', { body: { name: 'o', layers, ...said } });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.id;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
