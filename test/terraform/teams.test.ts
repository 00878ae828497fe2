// Teams as Terraform's resources: the real Terraform, the real server.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const owner = 'data "pager_user" "owner" { email = "owner@example.test" }';

describe('teams', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  before(async () => {
    at = await startTerraform({}, { PAGER_TEAM_ID: 'f'.repeat(24) });
  });
  after(() => at[Symbol.asyncDispose]());
  beforeEach(async () => {
    at.proxy.instead = () => undefined;
    at.proxy.done = async () => undefined;
    await at.workspace.configure(company());
    await at.apply();
  });

  /** A team with what it owns. */
  const company = (inTeam = '') => `
    ${owner}
    resource "pager_team" "shop" {
      name = "Shop"
      ${inTeam}
    }
    resource "pager_service" "shop" {
      name    = "Shop"
      team_id = pager_team.shop.id
    }`;
  const id = async () => String((await at.state()).get('pager_team.shop')?.['id']);
  const changes = async () =>
    (await at.changes()).map(({ address, actions, attributes }) => [address, actions, attributes]);

  test('a team is made with what it owns, and nothing is left to do', async () => {
    assert.deepEqual(await changes(), []);
    const state = await at.state();
    assert.equal(state.get('pager_service.shop')?.['team_id'], await id());
  });

  test('members and the default are left alone until they are configured', async () => {
    const { api } = at.server;
    const [{ id: user }] = await api.list('users');
    await api.send(`PATCH /teams/${await id()}`, { user_ids: [user], default: true });
    assert.deepEqual(await changes(), []);
    await at.workspace.configure(company('user_ids = []'));
    assert.deepEqual(await changes(), [['pager_team.shop', 'update', ['user_ids']]]);
    await at.apply();
    const { body } = await api.send(`GET /teams/${await id()}`);
    assert.deepEqual([body.user_ids, body.default], [[], true]);
  });

  test('what is changed by hand is seen and set back, and not overwritten by a stale plan', async () => {
    const { api } = at.server;
    await at.workspace.configure(company('user_ids = [data.pager_user.owner.id]'));
    await at.changes();
    await api.send(`PATCH /teams/${await id()}`, { name: 'By hand' });
    await at.fails(
      /Could not change the team "Shop".*Run terraform plan again/,
      'apply',
      'planned',
    );
    assert.deepEqual(await changes(), [['pager_team.shop', 'update', ['name', 'user_ids']]]);
    await at.apply();
    assert.equal((await api.send(`GET /teams/${await id()}`)).body.name, 'Shop');
    assert.deepEqual(await changes(), []);
  });

  test('what cannot be is an error of the plan, at its line', async () => {
    const twice = 'user_ids = [data.pager_user.owner.id, data.pager_user.owner.id]';
    await at.workspace.configure(company(twice));
    await at.fails(/user_ids\[1\] is already in the list/, 'plan');
    await at.workspace.configure(company('id = "5f0c1e2d3c4b5a6978877665"'));
    await at.fails(/Invalid Configuration for Read-Only Attribute .* pager_team/, 'plan');
  });

  test('it is imported by its id, and by nothing else', async () => {
    const known = await id();
    await at.succeeds('state', 'rm', 'pager_team.shop');
    await at.fails(/"3" must have the form <id>/, 'import', 'pager_team.shop', '3');
    const none = 'e'.repeat(24);
    await at.fails(/The team "e{24}" is not found/, 'import', 'pager_team.shop', none);
    await at.succeeds('import', 'pager_team.shop', known);
    assert.deepEqual(await changes(), []);
  });

  test('one that owns something is not archived, and the error says what', async () => {
    const team_id = await id();
    const service = await at.server.api.create('services', { name: 'By hand', team_id });
    const still = /Could not archive the team "Shop".*the service "By hand" is still active/;
    await at.fails(still, 'destroy', '-auto-approve');
    await at.server.api.send(`DELETE /services/${service.id}`);
    await at.succeeds('destroy', '-auto-approve');
    assert.ok('archived_at' in (await at.server.api.send(`GET /teams/${team_id}`)).body);
  });

  test('one that was archived by hand is planned anew', async () => {
    const team = await id();
    const service = (await at.state()).get('pager_service.shop')?.['id'];
    await at.server.api.send(`DELETE /services/${service}`);
    await at.server.api.send(`DELETE /teams/${team}`);
    assert.deepEqual(
      (await changes()).map(([address, actions]) => [address, actions]),
      [
        ['pager_service.shop', 'create'],
        ['pager_team.shop', 'create'],
      ],
    );
    await at.apply();
    assert.notEqual(await id(), team);
  });

  test('no answer to a creation leaves no second team', async () => {
    await at.succeeds('destroy', '-auto-approve');
    at.proxy.done = async ({ method, path }) =>
      method === 'POST' && path === '/teams'
        ? { status: 500, type: 'text/html', text: 'Oops' }
        : undefined;
    await at.workspace.configure(`provider "pager" { max_retries = 1 }\n${company()}`);
    await at.fails(/It may have been created anyway/, 'apply', '-auto-approve');
    at.proxy.done = async () => undefined;
    await at.apply();
    const named = (await at.server.api.list('teams')).filter(({ name }) => name === 'Shop');
    assert.equal(named.length, 1);
  });
});
