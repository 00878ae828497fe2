// Secrets that are written, and stored neither in a plan nor in a state.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { managed, managedAs } from '../../src/terraform/managed.ts';
import { encodeValue, Unknown, type Value } from '../../src/terraform/protocol/value.ts';
import { errorsOf, type State } from './core.ts';
import { startProvider } from './running-provider.ts';
import { startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const webhook = 'pager_outbound_webhook';
const policy = 'pager_escalation_policy';
const secret = (name: string) => `https://chat.test/${name}`;
type Provider = Awaited<ReturnType<typeof startProvider>>;

const written = async ({ client, key }: Provider, state: State, route: string) => {
  const path = `/${route}/${fieldOf(state.value, 'id')}`;
  const answer = await client.send({ method: 'GET', path });
  assert.ok(answer.ok, String(key));
  return answer.body;
};

/** Nothing is to be done, and nothing of the secret is in what Terraform stores. */
async function settled(at: Provider, typeName: string, config: object, state: State) {
  const read = await at.core.read(typeName, state);
  assert.deepEqual(read.diagnostics, []);
  const again = await at.core.plan(typeName, config as never, read.state);
  assert.equal(again.isChange, false);
  const stored = JSON.stringify([state.value, read.state.value, again.state.value]);
  assert.doesNotMatch(stored, /chat\.test/);
  for (const { privateState } of [state, read.state, again.state])
    assert.doesNotMatch(Buffer.from(privateState).toString(), /chat\.test/);
  return read.state;
}

test('a write-only address is sent with a create, and again when its version changes', async () => {
  await using at = await startProvider();
  const config = { name: 'w', url_wo: secret('a'), url_wo_version: 1 };
  let state = await settled(at, webhook, config, await at.core.make(webhook, config));
  const urlNow = async () => (await written(at, state, 'outbound-webhooks'))['url'];
  assert.equal(await urlNow(), secret('a'));

  const other = { ...config, url_wo: secret('b') };
  assert.equal((await at.core.plan(webhook, other, state)).isChange, false);
  const renamed = { ...other, name: 'v' };
  state = await settled(at, webhook, renamed, await at.core.make(webhook, renamed, state));
  assert.equal(await urlNow(), secret('a'));
  const again = { ...renamed, url_wo_version: 2 };
  state = await settled(at, webhook, again, await at.core.make(webhook, again, state));
  assert.equal(await urlNow(), secret('b'));

  const path = `/outbound-webhooks/${fieldOf(state.value, 'id')}`;
  await at.client.send({ method: 'PATCH', path, body: { url: secret('by-hand') } });
  await settled(at, webhook, again, state);
});

test('an address becomes write-only, and comes back, without a replacement', async () => {
  await using at = await startProvider();
  const plain = { name: 'w', url: 'https://plain.test' };
  const only = { name: 'w', url_wo: secret('a'), url_wo_version: 1 };
  let state = await at.core.make(webhook, plain);
  const change = await at.core.plan(webhook, only, state);
  assert.deepEqual([change.isChange, change.replaces], [true, false]);
  state = await settled(at, webhook, only, await at.core.make(webhook, only, state));
  assert.equal((await written(at, state, 'outbound-webhooks'))['url'], secret('a'));
  state = await at.core.make(webhook, plain, state);
  assert.equal((await written(at, state, 'outbound-webhooks'))['url'], plain.url);
  assert.equal((await at.core.plan(webhook, plain, state)).isChange, false);
});

test('an imported address leaves the state with the first apply', async () => {
  await using at = await startProvider();
  const id = await at.make('outbound-webhooks', { name: 'w', url: secret('a') });
  const { state: imported } = await at.core.import(webhook, id);
  const config = { name: 'w', url_wo: secret('b'), url_wo_version: 1 };
  await settled(at, webhook, config, await at.core.make(webhook, config, imported));
});

const targets = (...all: readonly { readonly [name: string]: Value }[]) => ({
  name: 'p',
  steps: [{ targets: all.map((one) => ({ via: 'slack', ...one })) }],
});
const chat = (name: string, version = 1) => ({
  webhook_url_wo: secret(name),
  webhook_url_wo_version: version,
});

test('a chat of a policy may be write-only, and is sent with all steps', async () => {
  await using at = await startProvider();
  const first = targets(chat('a'), { webhook_url: 'https://plain.test' });
  let state = await settled(at, policy, first, await at.core.make(policy, first));
  const urls = async () => {
    const { steps } = (await written(at, state, 'escalation-policies')) as never as {
      readonly steps: readonly [{ readonly targets: readonly { readonly webhook_url: string }[] }];
    };
    return steps[0].targets.map(({ webhook_url }) => webhook_url);
  };
  assert.deepEqual(await urls(), [secret('a'), 'https://plain.test']);

  const passed = at.proxy.passed.length;
  const renamed = { ...targets(chat('b'), { webhook_url: 'https://plain.test' }), name: 'q' };
  state = await settled(at, policy, renamed, await at.core.make(policy, renamed, state));
  assert.ok(at.proxy.passed.length > passed);
  assert.deepEqual(await urls(), [secret('a'), 'https://plain.test']);

  const second = { ...targets(chat('b', 2), { webhook_url: 'https://plain.test' }), name: 'q' };
  state = await settled(at, policy, second, await at.core.make(policy, second, state));
  assert.deepEqual(await urls(), [secret('b'), 'https://plain.test']);
});

test('a target that others put before a write-only one brings no secret into the state', async () => {
  await using at = await startProvider();
  const config = targets(chat('a'), { webhook_url: 'https://plain.test' });
  const state = await at.core.make(policy, config);
  const path = `/escalation-policies/${fieldOf(state.value, 'id')}`;
  const all = [{ via: 'slack', channel_id: 'C1' }, ...[secret('a'), 'https://plain.test']].map(
    (one) => (typeof one === 'string' ? { via: 'slack', webhook_url: one } : one),
  );
  await at.client.send({ method: 'PATCH', path, body: { steps: [{ targets: all }] } });
  const read = await at.core.read(policy, state);
  assert.doesNotMatch(JSON.stringify(read.state.value), /chat\.test/);
  assert.equal((await at.core.plan(policy, config, read.state)).isChange, true);
  await settled(at, policy, config, await at.core.make(policy, config, read.state));
});

/** The answer to the next update is lost after the API has done it. */
const lose = ({ proxy }: Provider) => {
  let isLost = false;
  proxy.done = async ({ method }) => {
    if (method !== 'PATCH' || isLost) return undefined;
    isLost = true;
    return 'lost';
  };
};

for (const { of, typeName, route, config, changes } of [
  {
    of: 'a webhook',
    typeName: webhook,
    route: 'outbound-webhooks',
    config: { name: 'w', url_wo: secret('a'), url_wo_version: 1 },
    changes: { a: { name: 'v' }, b: { url_wo: secret('b'), url_wo_version: 2 } },
  },
  {
    of: 'a policy',
    typeName: policy,
    route: 'escalation-policies',
    config: targets(chat('a')),
    changes: { a: { name: 'q' }, b: targets(chat('b', 2)) },
  },
])
  test(`an update of ${of} whose answer is lost is done, whether or not it sends the secret`, async () => {
    await using at = await startProvider();
    for (const [sent, change] of Object.entries(changes)) {
      const before = await at.core.make(typeName, config);
      const changed = { ...config, ...change };
      lose(at);
      const state = await at.core.make(typeName, changed, before);
      const secrets = JSON.stringify(await written(at, state, route)).match(/chat\.test.\w/g);
      assert.deepEqual(secrets, [`chat.test/${sent}`]);
      await settled(at, typeName, changed, state);
    }
  });

test('a lost creation with a write-only address cannot be repeated, and the next apply says so', async () => {
  await using at = await startProvider();
  await at.core.configure({ ...at.settings, max_retries: 0 });
  at.proxy.done = async ({ method }) => (method === 'POST' ? 'lost' : undefined);
  const config = { name: 'w', url_wo: secret('a'), url_wo_version: 1 };
  const { state, diagnostics } = await at.core.apply(webhook, await at.core.plan(webhook, config));
  assert.match(errorsOf(diagnostics).join(), /may have been created anyway/);
  assert.doesNotMatch(JSON.stringify(state.value), /chat\.test/);
  at.proxy.done = async () => undefined;
  await at.core.configure(at.settings);
  const next = await at.core.apply(webhook, await at.core.plan(webhook, null, state), state);
  assert.match(
    errorsOf(next.diagnostics).join(),
    /Could not check whether the outbound webhook "w" exists.* with a different request.*archive the record if the dashboard still shows it/s,
  );
  assert.deepEqual(next.state.value, state.value);
});

const unknown = new Unknown();
const wrongs: readonly {
  readonly of: string;
  readonly config: { readonly [name: string]: Value };
  readonly errors: readonly string[];
}[] = [
  {
    of: 'neither',
    config: {},
    errors: [
      'Missing required argument: The argument "url" is required, but no definition was found. To keep the value out of plans and states, set url_wo and url_wo_version instead.',
    ],
  },
  {
    of: 'both',
    config: { url: secret('a'), url_wo: secret('b'), url_wo_version: 1 },
    errors: ['Invalid url: url cannot be combined with url_wo: set only one of them.'],
  },
  {
    of: 'no version',
    config: { url_wo: secret('a') },
    errors: ['Invalid url_wo_version: url_wo_version is required with url_wo.'],
  },
  {
    of: 'a version alone',
    config: { url: secret('a'), url_wo_version: 1 },
    errors: ['Invalid url_wo: url_wo is required with url_wo_version.'],
  },
  {
    of: 'no address',
    config: { url_wo: 'chat.test/secret', url_wo_version: 1 },
    errors: ['Invalid url_wo: url_wo must be an http or https address.'],
  },
  { of: 'what is unknown', config: { url_wo: unknown, url_wo_version: unknown }, errors: [] },
  { of: 'what may turn out null', config: { url: unknown, url_wo: unknown }, errors: [] },
];

for (const { of, config, errors } of wrongs)
  test(`of a secret that may be write-only, ${of} is told as it is`, async () => {
    await using at = await startProvider();
    const problems = await at.core.validate(webhook, { name: 'w', ...config });
    assert.deepEqual(errorsOf(problems), errors);
  });

test('a nested secret is told by the name under which it is configured', async () => {
  await using at = await startProvider();
  const problems = await at.core.validate(policy, targets({ ...chat('a'), webhook_url_wo: 'x' }));
  assert.deepEqual(errorsOf(problems), [
    'Invalid steps[0].targets[0].webhook_url_wo: steps[0].targets[0].webhook_url_wo must be an http or https address.',
  ]);
});

test('what turns out null during an apply is an error, and nothing is written', async () => {
  await using at = await startProvider();
  const config = { name: 'w', url_wo: secret('a'), url_wo_version: 1 };
  const state = await at.core.make(webhook, config);
  const planned = await at.core.plan(webhook, { ...config, url_wo_version: 2 }, state);
  const late = { ...planned, config: { ...config, url_wo: null, url_wo_version: 2 } };
  const { diagnostics } = await at.core.apply(webhook, late, state);
  assert.deepEqual(errorsOf(diagnostics), [
    'Invalid url_wo: url_wo is required with url_wo_version.',
  ]);
  assert.equal((await written(at, state, 'outbound-webhooks'))['version'], 1);
});

test('a Terraform that would store it is refused', async () => {
  await using at = await startProvider();
  const config = { name: 'w', url_wo: secret('a'), url_wo_version: 1 };
  const { type } = managedAs(managed, webhook);
  for (const client_capabilities of [undefined, { write_only_attributes_allowed: false }]) {
    const { diagnostics } = await at.core.call('ValidateResourceConfig', {
      type_name: webhook,
      config: { msgpack: encodeValue(type, config) },
      client_capabilities,
    });
    assert.match(
      errorsOf(diagnostics).join(),
      /url_wo\. .* supported in Terraform 1\.11 and later/,
    );
  }
});

const configuration = (version: number, chosen: string) => `
  variable "address" {
    type      = string
    ephemeral = true
  }
  resource "pager_outbound_webhook" "automation" {
    name = "Automation"
    ${chosen}
  }
  resource "pager_escalation_policy" "chats" {
    name  = "Chats"
    steps = [{ targets = [{
      via                    = "slack"
      webhook_url_wo         = "\${var.address}/chat"
      webhook_url_wo_version = ${version}
    }] }]
  }`;

test('in a real Terraform, an ephemeral address is in no plan and no state', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startTerraform({}, { TF_VAR_address: secret('a') });
  const { workspace, succeeds } = at;
  const stored = async () => {
    const state = await readFile(join(workspace.folder, 'terraform.tfstate'), 'latin1');
    return state + (await succeeds('show', '-json', 'planned'));
  };
  const urls = async () => {
    const [{ url }] = await at.server.api.list('outbound-webhooks');
    const policies = await at.server.api.list('escalation-policies');
    const { steps } = policies.find(({ name }) => name === 'Chats') ?? assert.fail();
    return [url, steps[0].targets[0].webhook_url];
  };
  const only = (version: number) => `url_wo = var.address\n url_wo_version = ${version}`;

  await workspace.configure(configuration(1, only(1)));
  assert.equal((await at.changes()).length, 2);
  await at.apply();
  assert.deepEqual(await urls(), [secret('a'), `${secret('a')}/chat`]);
  assert.deepEqual(await at.changes(), []);
  assert.doesNotMatch(await stored(), /chat\.test/);

  await workspace.configure(configuration(2, 'url = "https://plain.test"'));
  const changes = await at.changes();
  assert.deepEqual(
    changes.map(({ actions, attributes }) => [actions, ...attributes]),
    [
      ['update', 'steps'],
      ['update', 'url', 'url_wo_version'],
    ],
  );
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  assert.deepEqual(await urls(), ['https://plain.test', `${secret('a')}/chat`]);
  await workspace.configure(configuration(2, only(3)));
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  assert.doesNotMatch(await stored(), /chat\.test|plain\.test/);
  assert.deepEqual(await urls(), [secret('a'), `${secret('a')}/chat`]);

  await workspace.configure('resource "pager_outbound_webhook" "automation" {\n name = "A"\n}');
  const { errors } = await workspace.run('validate');
  const text = errors.replaceAll(/\s+/g, ' ');
  assert.match(
    text,
    /Missing required argument .* on main.tf line 1, .*The argument "url" is requ/,
  );
});
