// What configurations look up, against the API itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf, isList } from '../../src/terraform/convert.ts';
import { Unknown, type Value } from '../../src/terraform/protocol/value.ts';
import { Core, errorsOf, warningsOf } from './core.ts';
import { beforeScheduleRoutes } from './proxy.ts';
import { startProvider } from './running-provider.ts';

const field = (value: Value, ...names: readonly string[]) =>
  names.map((name) => fieldOf(value, name));

test('integration types are listed by slug', async () => {
  await using at = await startProvider();
  const { state, diagnostics } = await at.core.readData('pager_integration_types', {});
  assert.deepEqual(diagnostics, []);
  const types = fieldOf(state.value, 'types');
  const slugs = isList(types) ? types.map((type) => String(fieldOf(type, 'slug'))) : [];
  assert.ok(slugs.includes('webhook'));
  assert.deepEqual(slugs, slugs.toSorted());
});

test('a person is found by address in any case of letters, or by id', async () => {
  await using at = await startProvider();
  const byId = await at.core.readData('pager_user', { id: at.ada });
  const [email] = field(byId.state.value, 'email');
  const shouted = String(email).toUpperCase();
  const byEmail = await at.core.readData('pager_user', { email: shouted });
  assert.deepEqual(field(byEmail.state.value, 'id', 'email', 'active'), [at.ada, shouted, true]);
  assert.deepEqual([byId.diagnostics, byEmail.diagnostics], [[], []]);
});

test('a person is found by an address in any Unicode form', async () => {
  await using at = await startProvider();
  const address = 'Zoë.Łuç@exämple.test';
  for (const form of ['NFC', 'NFD'] as const) {
    const email = address.normalize(form);
    await at.sql`update users set email = ${email} where id = ${at.ada}`;
    for (const configured of [address, address.normalize('NFD'), address.toUpperCase()]) {
      const { state, diagnostics } = await at.core.readData('pager_user', { email: configured });
      assert.deepEqual([errorsOf(diagnostics), field(state.value, 'id')], [[], [at.ada]]);
    }
  }
});

test('whoever is not active is found, with a warning', async () => {
  await using at = await startProvider();
  const { state, diagnostics } = await at.core.readData('pager_user', { id: at.bob });
  assert.deepEqual(field(state.value, 'id', 'active'), [at.bob, false]);
  assert.match(warningsOf(diagnostics).join(), /is not active: .* never paged/);
});

for (const kind of ['service', 'escalation_policy', 'integration', 'oncall_schedule']) {
  test(`${kind}: found by id and by name, and not once it is archived`, async () => {
    await using at = await startProvider();
    const type = `pager_${kind}`;
    const [id = ''] = at.existing[kind] ?? [];
    const route = kind === 'oncall_schedule' ? 'on-calls' : `${kind.replace('_', '-')}s`;
    const path = `/${kind === 'escalation_policy' ? 'escalation-policies' : route}/${id}`;
    const body = { name: 'Only “one”' };
    assert.equal((await at.api.send(at.key, `PATCH ${path}`, { body })).status, 200);
    for (const config of [{ id }, body, { ...body, team_id: at.ops }]) {
      const { state, diagnostics } = await at.core.readData(type, config);
      assert.deepEqual(diagnostics, []);
      assert.deepEqual(field(state.value, 'id', 'name', 'team_id'), [id, body.name, at.ops]);
    }
    await at.api.send(at.key, `DELETE ${path}`);
    for (const config of [{ id }, body, { id: 'f'.repeat(24) }]) {
      const { diagnostics } = await at.core.readData(type, config);
      assert.match(errorsOf(diagnostics).join(), /^No such .*: There is no active/);
    }
  });
}

test('a name that several have is an error with all of them', async () => {
  await using at = await startProvider();
  const webhook = (diagnostics: object) =>
    at.make('outbound-webhooks', { name: 'Chat', url: 'https://chat.test', ...diagnostics });
  const ids = [await webhook({}), await webhook({ team_id: at.web })];
  const { diagnostics } = await at.core.readData('pager_outbound_webhook', { name: 'Chat' });
  for (const id of ids)
    assert.match(errorsOf(diagnostics).join(), new RegExp(`- ${id} \\(counter .*team`));
  const one = await at.core.readData('pager_outbound_webhook', { name: 'Chat', team_id: at.web });
  assert.deepEqual(field(one.state.value, 'id', 'url'), [ids[1], 'https://chat.test']);
});

test('a team is found by name', async () => {
  await using at = await startProvider();
  const { state } = await at.core.readData('pager_team', { name: 'web' });
  assert.deepEqual(field(state.value, 'id', 'default'), [at.web, false]);
});

test('a schedule is only ever looked up where older servers have it, too', async () => {
  await using at = await startProvider();
  const [id = ''] = at.existing['oncall_schedule'] ?? [];
  at.proxy.instead = beforeScheduleRoutes;
  const { state, diagnostics } = await at.core.readData('pager_oncall_schedule', { id });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(field(state.value, 'name', 'timezone', 'covered'), ['o', 'Etc/UTC', null]);
  assert.ok(at.proxy.passed.every((request) => !request.endsWith('/config')));
});

test('a server that lacks a route is told to be too old, with the request', async () => {
  await using at = await startProvider();
  const message = 'Unknown route: GET /x';
  const body = { error: 'unknown_route', message, issues: [], request_id: 'req-7' };
  at.proxy.instead = () => ({ status: 404, body });
  const configs = { pager_integration_types: {}, pager_user: { id: at.ada } };
  for (const [type, config] of Object.entries(configs)) {
    const { diagnostics } = await at.core.readData(type, config);
    assert.match(
      errorsOf(diagnostics).join(),
      /Unknown route: GET \/x \(request req-7\)\. .* too old/,
    );
  }
});

test('what is sought is named once, as far as that is known', async () => {
  const core = new Core();
  for (const config of [{}, { id: 'a', name: 'b' }]) {
    const { diagnostics } = await core.readData('pager_service', config);
    assert.match(errorsOf(diagnostics).join(), /Set exactly one of id and name/);
  }
  const empty = await core.readData('pager_user', { email: '' });
  assert.match(errorsOf(empty.diagnostics).join(), /email must not be empty/);
  const { diagnostics } = await core.readData('pager_service', { id: 'a', name: new Unknown() });
  assert.doesNotMatch(errorsOf(diagnostics).join(), /exactly one/);
});
