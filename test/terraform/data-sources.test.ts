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
      assert.match(errorsOf(diagnostics).join(), /^No such .*: The API key can see no active/);
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

const listOf = (value: Value, name: string) => {
  const list = fieldOf(value, name);
  return isList(list) ? list : assert.fail(`${name} is no list`);
};

test('records are listed by id, all pages of them, and narrowed down by name and team', async () => {
  await using at = await startProvider();
  for (let index = 0; index < 201; index += 1)
    await at.make('services', { name: `Zoë’s shop ${index}` });
  const theirs = await at.make('services', { name: 'zoë’s SHOP', team_id: at.web });
  const read = async (config: { readonly [name: string]: Value }) => {
    const { state, diagnostics } = await at.core.readData('pager_services', config);
    assert.deepEqual(diagnostics, []);
    return listOf(state.value, 'services').map((one) => String(fieldOf(one, 'id')));
  };
  const ids = await read({ name_contains: 'ZOE\u0308’s shop' });
  assert.equal(ids.length, 202);
  assert.deepEqual(ids, ids.toSorted());
  assert.ok((await read({})).length > ids.length);
  assert.deepEqual(await read({ name_contains: 'shop', team_id: at.web }), [theirs]);
  assert.deepEqual(await read({ name_contains: 'none of them' }), []);
});

for (const [type, list] of [
  ['pager_escalation_policies', 'escalation_policies'],
  ['pager_integrations', 'integrations'],
  ['pager_alert_routing_rules', 'alert_routing_rules'],
  ['pager_outbound_webhooks', 'outbound_webhooks'],
  ['pager_oncall_schedules', 'oncall_schedules'],
] as const) {
  test(`${type}: each is what is found of it alone`, async () => {
    await using at = await startProvider();
    const single =
      type === 'pager_escalation_policies' ? 'pager_escalation_policy' : type.slice(0, -1);
    const { state, diagnostics } = await at.core.readData(type, { team_id: at.ops });
    assert.deepEqual(diagnostics, []);
    const all = listOf(state.value, list);
    if (list === 'alert_routing_rules') return;
    assert.ok(all.length > 0);
    for (const one of all) {
      const id = fieldOf(one, 'id');
      const { state: alone } = await at.core.readData(single, { id });
      const { covered: _covered, ...fields } = alone.value as Record<string, Value>;
      assert.deepEqual(one, fields);
    }
  });
}

test('of a list, too, an API key below manager has null in place of secrets', async () => {
  await using at = await startProvider();
  await at.make('outbound-webhooks', { name: 'Chat', url: 'https://chat.test/s3cret' });
  const url = async () => {
    const { state, diagnostics } = await at.core.readData('pager_outbound_webhooks', {
      name_contains: 'chat',
    });
    const [webhook = null] = listOf(state.value, 'outbound_webhooks');
    return [fieldOf(webhook, 'url'), warningsOf(diagnostics).length];
  };
  assert.deepEqual(await url(), ['https://chat.test/s3cret', 0]);
  const viewer = at.world.caller({ role: 'viewer' });
  await at.api.send(viewer, 'GET /services');
  await at.core.configure({ ...at.settings, api_key: viewer.id });
  assert.deepEqual(await url(), [null, 1]);
});

test('people and teams are listed', async () => {
  await using at = await startProvider();
  const read = async (type: string, config: { readonly [name: string]: Value } = {}) => {
    const { state, diagnostics } = await at.core.readData(type, config);
    assert.deepEqual(errorsOf(diagnostics), []);
    return listOf(state.value, type.replace('pager_', ''));
  };
  const people = await read('pager_users');
  const ada = people.find((one) => fieldOf(one, 'id') === at.ada);
  assert.deepEqual(ada, (await at.core.readData('pager_user', { id: at.ada })).state.value);
  assert.ok(people.some((one) => fieldOf(one, 'active') === false));
  const [first = null] = field(ada ?? null, 'first_name');
  const named = await read('pager_users', { name_contains: String(first).toUpperCase() });
  assert.ok(named.length >= 1 && named.length <= people.length);
  const teams = (await read('pager_teams')).map((one) => fieldOf(one, 'id'));
  assert.deepEqual(teams, [at.ops, at.web].toSorted());
  const [web] = await read('pager_teams', { name_contains: 'WE' });
  assert.equal(fieldOf(web ?? null, 'id'), at.web);
});

test('a schedule is read by its id, and by the route that older servers have too', async () => {
  await using at = await startProvider();
  const [id = ''] = at.existing['oncall_schedule'] ?? [];
  at.proxy.instead = beforeScheduleRoutes;
  const { state, diagnostics } = await at.core.readData('pager_oncall_schedule', { id });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(field(state.value, 'name', 'timezone', 'covered'), ['o', 'Etc/UTC', null]);
  const requests = [`GET /on-calls/${id}`, `GET /on-calls/${id}/coverage`];
  assert.deepEqual(at.proxy.passed, requests);
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
