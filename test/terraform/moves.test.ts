// What points to a record when that goes to another team, or goes for good.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { postJson } from '../system/api-client.ts';
import { eventually } from '../system/eventually.ts';
import { type Fields, type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

describe('records that move and go', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  let user: string;
  let teams: readonly string[];
  before(async () => {
    at = await startTerraform();
    [{ id: user }] = (await at.server.api.list('users')) as [{ id: string }];
    const make = async (name: string) => (await at.server.api.create('teams', { name })).id;
    teams = [await make('one'), await make('two')];
  });
  after(() => at[Symbol.asyncDispose]());

  const mail = () => [{ targets: [{ via: 'email', user_id: user }] }];

  /** All six, in one team or in that of the provider. */
  const all = (team: Fields) => ({
    pager_service: {
      shop: { ...team, name: 'Shop', lifecycle: { create_before_destroy: true } },
    },
    pager_oncall_schedule: {
      shop: {
        ...team,
        name: 'Shop',
        layers: [{ users: [user], rotation: { length: 1, unit: 'weeks' } }],
      },
    },
    pager_escalation_policy: { shop: { ...team, name: 'Shop', steps: mail() } },
    pager_integration: {
      shop: {
        ...team,
        slug: 'webhook',
        service_id: '${pager_service.shop.id}',
        escalation_policy_id: '${pager_escalation_policy.shop.id}',
      },
    },
    pager_outbound_webhook: { shop: { ...team, name: 'Shop', url: 'https://shop.test' } },
    pager_alert_routing_rule: {
      shop: {
        ...team,
        name: 'Shop',
        integration_ids: ['${pager_integration.shop.id}'],
        condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
        actions: [{ type: 'priority', priority: 'p1' }],
      },
    },
  });
  const actionsOf = async () =>
    Object.fromEntries((await at.changes()).map(({ address, actions }) => [address, actions]));
  const activeIn = async (route: string, team: string | undefined) =>
    (await at.server.api.list(route)).filter(({ team_id }) => team_id === team);

  test('another team replaces all six, and no team or another default moves none', async () => {
    await at.configure({ resource: all({ team_id: teams[0] }) });
    await at.apply();
    await at.configure({ resource: all({ team_id: teams[1] }) });
    assert.deepEqual(await actionsOf(), {
      'pager_service.shop': 'create delete',
      'pager_oncall_schedule.shop': 'delete create',
      'pager_escalation_policy.shop': 'delete create',
      'pager_integration.shop': 'delete create',
      'pager_outbound_webhook.shop': 'delete create',
      'pager_alert_routing_rule.shop': 'delete create',
    });
    await at.apply('-parallelism=50', 'planned');
    assert.deepEqual(await at.changes(), []);
    assert.deepEqual(await activeIn('services', teams[0]), []);

    for (const pager of [{}, { team_id: teams[0] }]) {
      await at.configure({ provider: { pager }, resource: all({}) });
      assert.deepEqual(await at.changes(), []);
    }
    await at.succeeds('destroy', '-auto-approve', '-parallelism=50');
    for (const route of ['services', 'on-calls', 'integrations'])
      assert.deepEqual(await activeIn(route, teams[1]), []);
  });

  test('what the replacement of one record alone loses is reported', async () => {
    const webhook = { name: 'Alone', url: 'https://w.test' };
    const configure = (team_id: string | undefined) =>
      at.configure({ resource: { pager_outbound_webhook: { alone: { ...webhook, team_id } } } });
    await configure(teams[0]);
    await at.apply();
    await configure(teams[1]);
    assert.match(
      (await at.succeeds('plan')).replace(/\s+/g, ' '),
      /Warning: The outbound webhook "Alone" is replaced .* archived and a new one is created/,
    );
    await at.succeeds('destroy', '-auto-approve');
  });

  test('a team that is not there, or is archived, is told by the plan, and all stay', async () => {
    const { id: archived } = await at.server.api.create('teams', { name: 'gone' });
    await at.server.api.send(`DELETE /teams/${archived}`);
    const refuses = async (team_id: string) => {
      await at.configure({ resource: all({ team_id }) });
      const { code, errors } = await at.workspace.run('apply', '-auto-approve');
      assert.equal(code, 1);
      // What depends on those is not planned.
      const reported = [
        ...errors.matchAll(/^Error: (.*)\n\n {2}with (\w+)[^\n]*\n {2}on .*\n.*"(.*)":/gm),
      ];
      assert.deepEqual(
        reported.map(([, ...parts]) => parts).sort(),
        ['escalation_policy', 'oncall_schedule', 'outbound_webhook', 'service'].map((name) => [
          'Invalid team_id',
          `pager_${name}`,
          'team_id',
        ]),
      );
      assert.match(
        errors.replace(/\s+/g, ' '),
        new RegExp(`${team_id} does not match any active team`),
      );
    };
    await refuses('f'.repeat(24));
    assert.deepEqual([...(await at.state()).keys()], []);
    await at.configure({ resource: all({ team_id: teams[0] }) });
    await at.apply();
    await refuses('f'.repeat(24));
    await refuses(archived);
    await at.configure({ resource: all({ team_id: teams[0] }) });
    assert.deepEqual(await at.changes(), []);
    await at.succeeds('destroy', '-auto-approve');
  });

  test('a policy that goes hands what used it to its replacement', async () => {
    const { pager_escalation_policy: policies, ...others } = all({});
    const other = { name: 'Other', steps: mail() };
    const leaving = {
      ...policies.shop,
      archive_replacement_policy_id: '${pager_escalation_policy.other.id}',
    };
    await at.configure({
      resource: { ...others, pager_escalation_policy: { shop: leaving, other } },
    });
    await at.apply();
    const id = async (address: string) => String((await at.state()).get(address)?.['id']);
    const replacement = await id('pager_escalation_policy.other');
    // The integration is out of this configuration from now on, and keeps its policy.
    const integration = await id('pager_integration.shop');
    await at.succeeds('state', 'rm', 'pager_integration.shop', 'pager_alert_routing_rule.shop');
    const { pager_integration: _i, pager_alert_routing_rule: _r, ...rest } = others;
    await at.configure({ resource: { ...rest, pager_escalation_policy: { other } } });
    await at.apply();
    const { body } = await at.server.api.send(`GET /integrations/${integration}`);
    assert.equal(body.escalation_policy_id, replacement);
  });

  test('policies that replace one another in a circle are destroyed in one go', async () => {
    await at.succeeds('destroy', '-auto-approve');
    const names = ['shop', 'p1', 'p2'];
    const { pager_escalation_policy: _, ...others } = all({});
    const circle = (replacements: readonly unknown[]) => ({
      ...others,
      pager_escalation_policy: Object.fromEntries(
        names.map((name, index) => [
          name,
          { name, steps: mail(), archive_replacement_policy_id: replacements[index] },
        ]),
      ),
    });
    await at.configure({ resource: circle([]) });
    await at.apply();
    const state = await at.state();
    const [first, ...rest] = names.map(
      (name) => state.get(`pager_escalation_policy.${name}`)?.['id'],
    );
    // By plain ids, as an export writes it: among addresses Terraform allows no circle.
    await at.configure({ resource: circle([...rest, first]) });
    await at.apply();
    await at.succeeds('destroy', '-auto-approve');
    const left = await at.server.api.list('escalation-policies');
    assert.deepEqual(
      left.filter(({ name }) => names.includes(name)),
      [],
    );
  });

  test('what an output shows takes events', async () => {
    await at.configure({
      resource: all({}),
      output: { url: { value: '${pager_integration.shop.webhook_url}', sensitive: true } },
    });
    await at.apply();
    const url = await at.succeeds('output', '-raw', 'url');
    const { status } = await postJson(url, { title: 'Disk full' });
    assert.equal(status, 202);
    const opened = async () => (await at.server.api.list('incidents'))[0];
    const { title } = await eventually('an incident is open', opened);
    assert.equal(title, 'Disk full');
  });
});
