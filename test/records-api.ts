import assert from 'node:assert/strict';
import type { Fault } from '../src/engine/faults.ts';
import type { Resource } from '../src/resources/declaration/resource.ts';
import { testApi } from './api.ts';
import { anyDatabase, testDatabase } from './database.ts';
import { seedOrganization } from './world.ts';

/** Absent: the records and the migrations of the product. */
export type RecordsApiOptions = {
  readonly declared?: readonly Resource[];
  readonly migrations?: string;
};

/** An API over an organisation of two teams, one active user and one who left. */
export async function startRecordsApi({ migrations, ...options }: RecordsApiOptions = {}) {
  const stack = new AsyncDisposableStack();
  const faults: Fault[] = [];
  const database = stack.use(
    await testDatabase({ server: await anyDatabase(), ...(migrations && { migrations }) }),
  );
  const api = stack.use(
    await testApi({ ...options, sql: database.sql, faults: (fault) => faults.push(fault) }),
  );
  const world = await seedOrganization(database.sql, {
    teams: ['ops', 'web'],
    users: [{ name: 'ada' }, { name: 'bob', active: false }],
  });
  const { ops = '', web = '' } = world.teams;
  const { ada = '', bob = '' } = world.users;
  const key = world.caller({ defaultTeamId: ops });
  async function make(route: string, body: object): Promise<string> {
    const made = await api.send(key, `POST /${route}`, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  }
  const policy = (fields: object = {}) =>
    make('escalation-policies', {
      name: 'p',
      steps: [{ targets: [{ via: 'email', user_id: ada }] }],
      ...fields,
    });
  const integration = (service_id: string, escalation_policy_id: string) =>
    make('integrations', { slug: 'webhook', service_id, escalation_policy_id });
  const rule = (action: object) =>
    make('alert-rules', {
      name: 'r',
      condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
      actions: [action],
    });
  const playbook = (...actions: readonly object[]) => make('playbooks', { name: 'b', actions });
  return {
    faults,
    api,
    world,
    key,
    ops,
    web,
    ada,
    bob,
    make,
    policy,
    integration,
    rule,
    playbook,
    sql: database.sql,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
