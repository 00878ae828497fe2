// A state of one team and an API key that is confined to another, in a real Terraform.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inProcessKey } from '../system/in-process.ts';
import { Core, errorsOf as problemsOf } from './core.ts';
import { type Fields, type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

describe('a state of a team that the API key does not see', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  let user: string;
  let team: string;
  let own: string;
  let confined: string;
  /** The ids of records that others are below, as Terraform has them. */
  let known: ReadonlyMap<string, Fields>;
  before(async () => {
    at = await startTerraform();
    const { api } = at.server;
    [{ id: user }] = (await api.list('users')) as [{ id: string }];
    team = (await api.create('teams', { name: 'Owners' })).id;
    own = (await api.create('teams', { name: 'Others' })).id;
    const key = { name: 'Others', role: 'admin', team_ids: [own], default_team_id: own };
    confined = (await api.create('api-keys', key)).key;
    await at.configure({ resource: resources('Shop', reference) });
    await at.apply();
    known = await at.state();
  });
  after(() => at[Symbol.asyncDispose]());

  const reference = (type: string) => `\${${type}.shop.id}`;
  /** Without references Terraform plans each of them, whatever becomes of the others. */
  const literal = (type: string) => known.get(`${type}.shop`)?.['id'];

  /** One of each kind that Terraform manages, and that a team owns. */
  function resources(name: string, idOf: (type: string) => unknown) {
    const of = (fields: Fields) => ({ shop: { team_id: team, name, ...fields } });
    const integration_id = idOf('pager_integration');
    return {
      pager_team: { shop: { name } },
      pager_service: of({}),
      pager_oncall_schedule: of({
        layers: [{ users: [user], rotation: { length: 1, unit: 'weeks' } }],
      }),
      pager_escalation_policy: of({ steps: [{ targets: [{ via: 'email', user_id: user }] }] }),
      pager_outbound_webhook: of({ url: 'https://shop.test' }),
      pager_integration: of({
        slug: 'webhook',
        service_id: idOf('pager_service'),
        escalation_policy_id: idOf('pager_escalation_policy'),
      }),
      pager_alert_routing_rule: of({
        integration_ids: [integration_id],
        condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
        actions: [{ type: 'priority', priority: 'p1' }],
      }),
      pager_playbook: of({ actions: [{ type: 'acknowledgeIncident' }] }),
      pager_integration_key: {
        shop: { integration_id, kind: 'pagerduty', key: 'R0UT1NGKEY'.repeat(3) },
      },
      pager_integration_mapping: { shop: { integration_id, forms: [{ title: ['summary'] }] } },
      pager_override: {
        shop: {
          oncall_schedule_id: idOf('pager_oncall_schedule'),
          user_id: user,
          start: '2090-01-01T00:00:00Z',
          end: '2090-01-02T00:00:00Z',
        },
      },
    };
  }

  const asOther = (resource: Fields) => ({ provider: { pager: { api_key: confined } }, resource });

  /** Each error that Terraform ends with, however it is broken into lines. */
  async function errorsOf(...args: readonly string[]): Promise<readonly string[]> {
    const { code, errors } = await at.workspace.run(...args);
    assert.equal(code, 1, errors);
    const [, ...each] = errors.split(/^Error: /m);
    return each.map((text) => text.replaceAll(/\s+/g, ' '));
  }
  /** The addresses that are told to be out of reach: all errors are about that. */
  async function outOfReach(...args: readonly string[]): Promise<readonly string[]> {
    const errors = await errorsOf(...args);
    for (const error of errors) {
      assert.match(error, /API key has no access to/);
      assert.match(error, /terraform state rm/);
    }
    return errors.map((error) => /with (\w+\.\w+)/.exec(error)?.[1] ?? error).toSorted();
  }
  async function holdsAll() {
    assert.deepEqual([...(await at.state()).keys()].sort(), [...known.keys()].sort());
    await at.configure({ resource: resources('Shop', reference) });
    assert.deepEqual(await at.changes(), []);
  }

  test('nothing of it is taken for gone by a plan, an apply, a refresh or a destroy', async () => {
    await at.configure(asOther(resources('Renamed', literal)));
    for (const args of [
      ['plan', '-input=false'],
      ['apply', '-auto-approve', '-input=false'],
      ['apply', '-refresh-only', '-auto-approve', '-input=false'],
      ['destroy', '-auto-approve', '-input=false'],
    ])
      assert.deepEqual(await outOfReach(...args), [...known.keys()].sort(), args.join(' '));
    await holdsAll();
  });

  test('nor without a refresh, by a destroy or an update', async () => {
    await at.configure(asOther(resources('Renamed', literal)));
    const args = ['-auto-approve', '-input=false', '-refresh=false'];
    const destroyed = (await outOfReach('destroy', ...args)).join('\n');
    // What others need is not tried.
    for (const what of [
      /The override "\w+" belongs to an on-call schedule that/,
      /The integration key "\w+" belongs to an integration that/,
      /The integration mapping "\w+" belongs to an integration that/,
      /The outbound webhook "Shop" belongs to a team that/,
      /The API key has no access to the team "Shop"/,
    ])
      assert.match(destroyed, what);
    const updated = (await errorsOf('apply', ...args)).join('\n');
    assert.match(updated, /Could not change the team "Shop".* may be limited to other teams/);
    assert.match(updated, /Could not change the service "Shop".* may be limited to other teams/);
    await holdsAll();
  });

  test('what gives access is read once in a run, however many records it has', async () => {
    await at.configure(asOther(resources('Shop', literal)));
    const before = at.proxy.passed.length;
    await outOfReach('plan', '-input=false');
    const passed = at.proxy.passed.slice(before);
    const count = (path: string) => passed.filter((line) => line === `GET ${path}`).length;
    assert.equal(count(`/teams/${team}`), 1);
    // As the record that it is, and for the two below it.
    assert.equal(count(`/integrations/${literal('pager_integration')}`), 2);
  });

  test('a record that is truly gone is planned anew by a key of its team', async () => {
    const { id } = known.get('pager_playbook.shop') ?? {};
    const { sql } = at.server;
    await sql`update playbooks set id = ${'f'.repeat(24)} where id = ${String(id)}`;
    await at.configure({ resource: resources('Shop', reference) });
    const changes = await at.changes();
    assert.deepEqual(
      changes.map(({ address, actions }) => [address, actions]),
      [['pager_playbook.shop', 'create']],
    );
    await sql`update playbooks set id = ${String(id)} where id = ${'f'.repeat(24)}`;
    await holdsAll();
  });

  test('a creation whose answer was lost is not forgotten by a key that cannot look for it', async () => {
    const core = new Core();
    const of = (api_key: string) => ({ api_key, base_url: at.proxy.address, max_retries: 0 });
    await core.configure(of(inProcessKey));
    const config = { name: 'Lost', team_id: team };
    const planned = await core.plan('pager_service', config);
    at.proxy.done = async ({ method }) => (method === 'POST' ? 'lost' : undefined);
    const { state } = await core.apply('pager_service', planned);
    at.proxy.done = async () => undefined;
    const named = async () =>
      (await at.server.api.send('GET /services?name=Lost')).body.data.length;
    assert.equal(await named(), 1);

    await core.configure(of(confined));
    const ending = await core.plan('pager_service', null, state);
    const hidden = await core.apply('pager_service', ending, state);
    assert.deepEqual(hidden.state, state);
    assert.match(
      problemsOf(hidden.diagnostics).join(),
      /belongs to a team that the API key has no/,
    );

    await core.configure(of(inProcessKey));
    assert.equal((await core.make('pager_service', null, state)).value, null);
    assert.equal(await named(), 0);
  });

  test('an import finds nothing of it, and a list of it is an error and not empty', async () => {
    const state = await at.state();
    const { id, team_id } = state.get('pager_service.shop') ?? {};
    const lone = { resource: { pager_service: { other: { name: 'Shop' } } } };
    await at.configure({ provider: { pager: { api_key: confined } }, ...lone });
    for (const importId of [id, `${team_id}/${id}`, `${own}/${id}`])
      await at.fails(/"[0-9a-f]+" is not found/, 'import', 'pager_service.other', String(importId));
    for (const source of [
      { pager_services: { all: { team_id } } },
      { pager_users: { all: { team_id } } },
      { pager_service: { one: { name: 'Shop', team_id } } },
    ]) {
      await at.configure({ provider: { pager: { api_key: confined } }, data: source });
      const { code, errors } = await at.workspace.run('plan', '-input=false', '-refresh=false');
      assert.equal(code, 1, `${JSON.stringify(source)} ${errors}`);
      assert.match(errors.replaceAll(/\s+/g, ' '), /that the API key can see/);
    }
    await holdsAll();
  });
});
