// What people are told when the API cannot be asked, or says no.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { Unknown, type Value } from '../../src/terraform/protocol/value.ts';
import { Core, errorsOf, warningsOf } from './core.ts';
import { startProvider } from './running-provider.ts';

const refusals = [
  { status: 401, code: 'unauthorized', message: /Set api_key \(or PAGER_API_KEY\)/ },
  { status: 403, code: 'forbidden', message: /role manager or above/ },
  { status: 400, code: 'team_required', message: /Set team_id/ },
  { status: 409, code: 'replacement_not_active', message: /active policy/ },
  { status: 413, code: 'too_large', message: /several records/ },
];

for (const { status, code, message } of refusals) {
  test(`${status} ${code} is told with what helps and the request, never with the key`, async () => {
    await using at = await startProvider();
    at.proxy.instead = ({ headers }) => {
      const message = `No, ${headers['x-api-key']}.`;
      return { status, body: { error: code, message, issues: [], request_id: 'req-7' } };
    };
    const planned = await at.core.plan('pager_service', { name: 'Shop' });
    const { state, diagnostics } = await at.core.apply('pager_service', planned);
    assert.equal(state.value, null);
    assert.match(
      errorsOf(diagnostics).join(),
      /^Could not create the service "Shop": No, .* req-7/,
    );
    assert.match(errorsOf(diagnostics).join(), message);
    assert.ok(!errorsOf(diagnostics).join().includes(at.key.id));
  });
}

test('a setting that is yet to be known lets creates be planned, and reads fail clearly', async () => {
  const core = new Core();
  assert.deepEqual(await core.configure({ api_key: 'k', base_url: new Unknown() }), []);
  const planned = await core.plan('pager_service', { name: 'Shop' });
  assert.deepEqual([planned.isChange, planned.diagnostics], [true, []]);
  const dataSource = await core.readData('pager_team', { name: 'ops' });
  const read = await core.read('pager_service', planned.state);
  for (const { diagnostics } of [dataSource, read])
    assert.match(errorsOf(diagnostics).join(), /with -target/);
});

test('what answers but is not Pager is told as that', async () => {
  await using at = await startProvider();
  const state = await at.core.make('pager_service', { name: 'Shop' });
  at.proxy.instead = () => ({ status: 200, body: { hello: 'world' } });
  const read = await at.core.read('pager_service', state);
  assert.deepEqual(read.state, state);
  assert.match(errorsOf(read.diagnostics).join(), /is not Pager’s API: .* Check the base URL/);
});

test('values of other types than ours are told, and the state stays', async () => {
  await using at = await startProvider();
  const state = await at.core.make('pager_service', { name: 'Shop' });
  const { id } = state.value as object & { readonly id: string };
  at.proxy.instead = () => ({ status: 200, body: { id, version: 1, name: { en: 'Shop' } } });
  const read = await at.core.read('pager_service', state);
  assert.deepEqual(read.state, state);
  const dataSource = await at.core.readData('pager_service', { id });
  for (const { diagnostics } of [read, dataSource])
    assert.match(errorsOf(diagnostics).join(), /values of types that this version/);
});

test('a record whose team is not told is not taken for gone', async () => {
  await using at = await startProvider();
  const state = await at.core.make('pager_service', { name: 'Shop' });
  const { id, counter } = state.value as { readonly [name: string]: Value };
  at.proxy.instead = () => ({ status: 200, body: { id, counter, version: 1, name: 'Shop' } });
  const read = await at.core.read('pager_service', state);
  assert.deepEqual(read.state, state);
  assert.match(errorsOf(read.diagnostics).join(), /values of types that this version/);
});

test('a record that is in another team now is not taken for gone', async () => {
  await using at = await startProvider();
  const state = await at.core.make('pager_service', { name: 'Shop' });
  const moved = { ...(state.value as object), version: 2, team_id: at.web };
  at.proxy.instead = () => ({ status: 200, body: moved });
  const read = await at.core.read('pager_service', state);
  assert.equal(fieldOf(read.state.value, 'team_id'), at.web);
});

test('a record that exists is kept, however strange the answer to its creation', async () => {
  await using at = await startProvider();
  const id = '0123456789abcdef01234567';
  at.proxy.instead = ({ method }) =>
    method === 'POST' ? { status: 201, body: { id, version: 1, counter: true } } : undefined;
  const planned = await at.core.plan('pager_service', { name: 'Shop' });
  const { state, diagnostics } = await at.core.apply('pager_service', planned);
  assert.deepEqual(diagnostics, []);
  const { name, ...others } = state.value as object & { readonly name: string };
  assert.equal(name, 'Shop');
  assert.deepEqual(others, { id, counter: null, team_id: null, description: null });
});

test('a create that is stopped, its answer lost, says that it may have been done', async () => {
  await using at = await startProvider();
  const made = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  at.proxy.done = async ({ method }) => {
    if (method !== 'POST') return undefined;
    made.resolve();
    await stopped.promise;
    return 'lost';
  };
  const planned = await at.core.plan('pager_service', { name: 'Shop' });
  const applying = at.core.apply('pager_service', planned);
  await made.promise;
  await at.core.call('StopProvider', {});
  stopped.resolve();
  const { state, diagnostics } = await applying;
  assert.match(String(fieldOf(state.value, 'id')), /^unconfirmed:/);
  assert.match(errorsOf(diagnostics).join(), /stopped before the server responded/);
  assert.match(
    errorsOf(diagnostics).join(),
    /may have been created .* Apply again within 24 hours/s,
  );
});

for (const [name, status, body] of [
  ['a fault of the API', 500, { error: 'internal', message: 'No.', issues: [], request_id: 'r' }],
  ['a page of something else', 403, { title: 'Sorry' }],
  ['a record without an id', 201, {}],
] as const) {
  test(`a create that is answered by ${name} may have been done, and its text says so`, async () => {
    await using at = await startProvider();
    at.proxy.instead = ({ method }) => (method === 'POST' ? { status, body } : undefined);
    const planned = await at.core.plan('pager_service', { name: 'Shop' });
    const { state, diagnostics } = await at.core.apply('pager_service', planned);
    assert.match(String(fieldOf(state.value, 'id')), /^unconfirmed:/);
    assert.match(errorsOf(diagnostics).join(), /Apply again within 24 hours/);
  });
}

test('a wrong base URL is told of a create, which leaves nothing', async () => {
  await using at = await startProvider();
  at.proxy.instead = () => ({ status: 200, body: { hello: 'world' } });
  const planned = await at.core.plan('pager_service', { name: 'Shop' });
  const { state, diagnostics } = await at.core.apply('pager_service', planned);
  assert.equal(state.value, null);
  assert.match(errorsOf(diagnostics).join(), /is not Pager’s API: .* Check the base URL\.$/);
});

test('a create that never got to the API leaves nothing', async () => {
  await using at = await startProvider();
  await at.proxy[Symbol.asyncDispose]();
  const planned = await at.core.plan('pager_service', { name: 'Shop' });
  const { state, diagnostics } = await at.core.apply('pager_service', planned);
  assert.equal(state.value, null);
  assert.match(errorsOf(diagnostics).join(), /the connection was refused/);
  assert.match(errorsOf(diagnostics).join(), /Wait until .* max_retries and timeout/s);
});

const active = async ({ api, key }: Awaited<ReturnType<typeof startProvider>>) =>
  (await api.send(key, 'GET /services')).body.data.length;

test('a create whose answers are all lost is archived by its replacement', async () => {
  await using at = await startProvider();
  const before = await active(at);
  at.proxy.done = async ({ method }) => (method === 'POST' ? 'lost' : undefined);
  const planned = await at.core.plan('pager_service', { name: 'Shop' });
  const { state: open, diagnostics } = await at.core.apply('pager_service', planned);
  assert.match(errorsOf(diagnostics).join(), /Could not create the service "Shop"/);
  assert.equal(await active(at), before + 1);
  at.proxy.done = async () => undefined;
  await at.core.configure(at.settings);
  const read = await at.core.read('pager_service', open);
  assert.deepEqual([read.state, errorsOf(read.diagnostics)], [open, []]);
  assert.equal((await at.core.make('pager_service', null, open)).value, null);
  assert.equal(await active(at), before);
});

test('a create that was lost before it was done, and cannot be done, is let go', async () => {
  await using at = await startProvider();
  const [service_id = ''] = at.existing['service'] ?? [];
  const escalation_policy_id = 'f'.repeat(24);
  at.proxy.instead = ({ method }) => (method === 'POST' ? { status: 504, body: {} } : undefined);
  const config = { slug: 'webhook', service_id, escalation_policy_id };
  const planned = await at.core.plan('pager_integration', config);
  const { state: open } = await at.core.apply('pager_integration', planned);
  assert.equal(fieldOf(open.value, 'slug'), 'webhook');
  await at.core.configure(at.settings);
  const ending = await at.core.plan('pager_integration', null, open);
  const saved = await at.core.apply('pager_integration', ending, open);
  assert.deepEqual(saved.state, open);
  assert.match(
    errorsOf(saved.diagnostics).join(),
    /Could not check whether .* exists.*`terraform state rm`/s,
  );
  at.proxy.instead = () => undefined;
  await at.core.configure(at.settings);
  assert.equal((await at.core.make('pager_integration', null, open)).value, null);
});

test('a create that is refused while it is stopped is not tried again', async () => {
  await using at = await startProvider();
  const arrived = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  at.proxy.instead = async ({ method }) => {
    if (method !== 'POST') return undefined;
    arrived.resolve();
    await stopped.promise;
    return { status: 503, body: { error: 'restoring', message: 'Later.', request_id: '' } };
  };
  const planned = await at.core.plan('pager_service', { name: 'Shop' });
  const applying = at.core.apply('pager_service', planned);
  await arrived.promise;
  await at.core.call('StopProvider', {});
  stopped.resolve();
  const { state, diagnostics } = await applying;
  assert.equal(state.value, null);
  assert.match(errorsOf(diagnostics).join(), /Later/);
  assert.equal(at.proxy.passed.filter((each) => each === 'POST /services').length, 1);
});

test('an unconfirmed creation that is not replaced names the ways out, at each refresh and change', async () => {
  await using at = await startProvider();
  at.proxy.done = async ({ method }) => (method === 'POST' ? 'lost' : undefined);
  await at.core.configure({ ...at.settings, max_retries: 0 });
  const planned = await at.core.plan('pager_service', { name: 'Shop' });
  const { state } = await at.core.apply('pager_service', planned);
  assert.match(String(fieldOf(state.value, 'id')), /^unconfirmed:/);
  const ways = /prevent_destroy.* terraform state rm ADDRESS\. .* terraform import ADDRESS ID/s;
  const read = await at.core.read('pager_service', state);
  assert.deepEqual(read.state, state);
  assert.match(warningsOf(read.diagnostics).join(), ways);
  const change = await at.core.plan('pager_service', { name: 'Shop', description: 'x' }, state);
  const applied = await at.core.apply('pager_service', change, state);
  assert.deepEqual(applied.state.value, state.value);
  assert.match(errorsOf(applied.diagnostics).join(), ways);
});
