// API keys as resources: the provider's calls, and the real Terraform.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { Unknown } from '../../src/terraform/protocol/value.ts';
import { anyDatabase } from '../database.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import { Core, errorsOf, type State, warningsOf } from './core.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const type = 'pager_api_key';
const address = `${type}.reports`;
const keyOf = ({ value }: State) => String(fieldOf(value, 'key'));
const idOf = ({ value }: State) => String(fieldOf(value, 'id'));

describe('an API key', () => {
  const core = new Core();
  let server: InProcess;
  before(async () => {
    server = await startInProcess(await anyDatabase(), {});
    await core.configure({ api_key: inProcessKey, base_url: `${server.url}/api/v1` });
  });
  after(() => server[Symbol.asyncDispose]());

  const statusWith = async (key: string) =>
    (await fetch(`${server.url}/api/v1/teams`, { headers: { 'x-api-key': key } })).status;

  test('its text is known only after the creation, and stays in the state', async () => {
    const config = { name: 'Reports', role: 'viewer', expires_at: '2099-01-01T00:00:00+01:00' };
    const planned = await core.plan(type, config);
    assert.ok(fieldOf(planned.state.value, 'key') instanceof Unknown);
    const made = await core.make(type, config);
    assert.match(keyOf(made), /^pgr_[0-9a-f]{40}$/);
    assert.equal(await statusWith(keyOf(made)), 200);
    const { state, diagnostics } = await core.read(type, made);
    assert.deepEqual([state.value, diagnostics], [made.value, []]);
    assert.equal((await core.plan(type, config, state)).isChange, false);
  });

  test('its name and expiry change in place, and anything else replaces it', async () => {
    const [{ id: team }] = await server.api.list('teams');
    const config = { name: 'CI', role: 'viewer', team_ids: [team] };
    const made = await core.make(type, config);
    const renamed = { ...config, name: 'CI 2', expires_at: '2099-01-01T00:00:00Z' };
    assert.equal((await core.plan(type, renamed, made)).replaces, false);
    const changed = await core.make(type, renamed, made);
    assert.deepEqual([idOf(changed), keyOf(changed)], [idOf(made), keyOf(made)]);
    const same = await core.plan(type, { ...renamed, team_ids: [team] }, changed);
    assert.deepEqual([same.replaces, same.isChange], [false, false]);
    for (const other of [{ role: 'responder' }, { team_ids: null }, { default_team_id: team }])
      assert.equal((await core.plan(type, { ...renamed, ...other }, changed)).replaces, true);
  });

  test('its end revokes it, and one that was revoked elsewhere is planned anew', async () => {
    const config = { name: 'Short', role: 'viewer' };
    const made = await core.make(type, config);
    await core.make(type, null, made);
    assert.equal(await statusWith(keyOf(made)), 401);
    const again = await core.make(type, config);
    await server.api.send(`DELETE /api-keys/${idOf(again)}`);
    const { state, diagnostics } = await core.read(type, again);
    assert.equal(state.value, null);
    assert.match(warningsOf(diagnostics).join(), /API key "Short" is revoked.*cannot be restored/);
    const imported = await core.import(type, idOf(again));
    assert.match(errorsOf(imported.diagnostics).join(), /is revoked.*cannot be restored/);
  });

  test('the provider makes none with more rights than its own key, and they end with it', async () => {
    const maker = await server.api.create('api-keys', { name: 'Terraform', role: 'admin' });
    const admin = new Core();
    await admin.configure({ api_key: maker.key, base_url: `${server.url}/api/v1` });
    const planned = await admin.plan(type, { name: 'x', role: 'owner' });
    const refused = await admin.apply(type, planned);
    assert.match(errorsOf(refused.diagnostics).join(), /Could not create the API key "x"/);
    assert.equal(refused.state.value, null);
    const made = await admin.make(type, { name: 'y', role: 'manager' });
    await server.api.send(`DELETE /api-keys/${maker.id}`);
    assert.equal(await statusWith(keyOf(made)), 401);
  });
});

test('Terraform makes a key, imports it without its text, and revokes it', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform();
  const { api } = at.server;
  const reports = { name: 'Reports', role: 'viewer' };
  const output = { key: { value: `\${${address}.key}`, sensitive: true } };
  await at.configure({ resource: { [type]: { reports } }, output });
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  const key = (await at.succeeds('output', '-raw', 'key')).trim();
  assert.match(key, /^pgr_/);
  assert.equal((await at.succeeds('show')).includes(key), false);
  const { id } = (await at.state()).get(address) ?? {};

  await at.succeeds('state', 'rm', address);
  await at.succeeds('import', address, String(id));
  assert.equal((await at.state()).get(address)?.['key'], null);
  assert.deepEqual(
    (await at.changes()).map(({ actions }) => actions),
    [],
  );

  await api.send(`DELETE /api-keys/${id}`);
  assert.deepEqual(
    (await at.changes()).map(({ address, actions }) => [address, actions]),
    [[address, 'create']],
  );
  await at.apply('planned');
  const active = async () =>
    (await api.list('api-keys')).filter(({ name }: { readonly name: string }) =>
      /^(Reports|Lost)/.test(name),
    );
  assert.equal((await active()).length, 1);

  // A creation whose first answer is lost is repeated, and makes no second key.
  let losses = 1;
  at.proxy.done = async ({ method, path }) => {
    const isLost = losses > 0 && method === 'POST' && path === '/api-keys';
    if (isLost) losses -= 1;
    return isLost ? { status: 500, type: 'text/html', text: 'Oops' } : undefined;
  };
  const lost = { name: 'Lost', role: 'viewer' };
  await at.configure({ resource: { [type]: { reports, lost } } });
  await at.apply();
  assert.equal((await active()).length, 2);
  assert.match(String((await at.state()).get(`${type}.lost`)?.['key']), /^pgr_/);

  // Where all are lost, nobody has the text.
  losses = 9;
  const provider = { pager: { max_retries: 1 } };
  const lostToo = { ...lost, name: 'Lost too' };
  await at.configure({ provider, resource: { [type]: { reports, lost, lostToo } } });
  await at.fails(/its secret is lost.*revoke it, and apply again/, 'apply', '-auto-approve');
  at.proxy.done = async () => undefined;
  await at.succeeds('destroy', '-auto-approve');
  assert.deepEqual(
    (await active()).map(({ name }) => name),
    ['Lost too'],
  );
});
