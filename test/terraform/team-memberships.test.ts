// Single memberships of teams: the real Terraform, the real server.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { startProvider } from './running-provider.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const type = 'pager_team_membership';
const address = `${type}.owner`;

test('Terraform adds a person to a team, imports that, and removes nobody else', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { api } = at.server;
  const [{ id: owner }] = await api.list('users');
  const ada = { first_name: 'Ada', last_name: 'L', email: 'ada@example.test', role: 'responder' };
  const { id: adaId } = await api.create('users', ada);
  const data = { pager_user: { owner: { email: 'owner@example.test' } } };
  const membership = {
    [type]: {
      owner: { team_id: '${pager_team.shop.id}', user_id: '${data.pager_user.owner.id}' },
    },
  };
  const teamOf = (fields: object) => ({ pager_team: { shop: { name: 'Shop', ...fields } } });
  const configured = (fields: object = {}, more: object = membership) =>
    at.configure({ data, resource: { ...teamOf(fields), ...more } });
  const members = async () => (await api.send(`GET /teams/${(await shop()).id}`)).body.user_ids;
  const shop = async () =>
    (await api.list('teams')).find(({ name }: { readonly name: string }) =>
      name.startsWith('Shop'),
    );

  // The id of the team is known only at the apply, which refuses it before it adds anybody.
  await configured({ user_ids: [adaId] });
  await at.fails(/Two resources set the same memberships/, 'apply', '-auto-approve');
  assert.deepEqual(await members(), [adaId]);
  await at.fails(/user_ids is the whole list, so each would undo the other/, 'plan');

  await configured();
  await at.apply();
  assert.deepEqual(await members(), [adaId, owner]);
  assert.deepEqual(await at.changes(), []);

  // A second resource of the same membership is refused, and one that is replaced is none.
  const { owner: own } = membership[type];
  await configured({}, { [type]: { owner: own, other: own } });
  await at.fails(/Two resources set the same membership/, 'plan');
  await configured();
  await at.succeeds('apply', '-auto-approve', `-replace=${address}`);
  assert.deepEqual(await members(), [adaId, owner]);

  // The team changes and its membership goes, in either order.
  await configured({ name: 'Shop 2' });
  await at.apply();
  assert.deepEqual(await at.changes(), []);

  await at.succeeds('state', 'rm', address);
  const { id } = await shop();
  await at.fails(/must have the form <team_id>\/<user_id>/, 'import', address, owner);
  await at.fails(/is not found/, 'import', address, `${id}/${'e'.repeat(24)}`);
  await at.succeeds('import', address, `${id}/${owner}`);
  assert.deepEqual(await at.changes(), []);

  await api.send(`DELETE /teams/${id}/members/${owner}`);
  assert.deepEqual(
    (await at.changes()).map(({ address, actions }) => [address, actions]),
    [[address, 'create']],
  );
  await at.apply();
  assert.deepEqual(await members(), [adaId, owner]);

  await configured({ name: 'Shop 3' }, {});
  await at.apply();
  assert.deepEqual(await members(), [adaId]);
  await configured({ name: 'Shop 3' });
  await at.apply();
  await at.succeeds('destroy', '-auto-approve');
});

test('a membership that is there already is taken over, and another team replaces it without a warning', async () => {
  await using at = await startProvider();
  const admin = at.world.caller({ role: 'admin' });
  // A caller is known once it has called.
  await at.api.send(admin, 'GET /organization');
  /** Each plan and each apply is a process of its own. */
  const configure = async () =>
    assert.deepEqual(await at.core.configure({ ...at.settings, api_key: admin.id }), []);
  await configure();
  const config = { team_id: at.web, user_id: at.ada };
  const made = await at.core.make(type, config);
  assert.deepEqual(made.value, { id: at.ada, ...config });
  await configure();
  const again = await at.core.make(type, config);
  assert.deepEqual(again.value, made.value);
  await configure();
  const read = await at.core.read(type, made);
  assert.equal(fieldOf(read.state.value, 'user_id'), at.ada);
  assert.equal((await at.core.plan(type, config, read.state)).isChange, false);
  const moved = await at.core.plan(type, { ...config, team_id: at.ops }, read.state);
  assert.equal(moved.replaces, true);
  assert.deepEqual(moved.diagnostics, []);
});
