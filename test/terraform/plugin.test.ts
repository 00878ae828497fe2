// The provider's process, met as Terraform meets it, without Terraform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { managed } from '../../src/terraform/managed.ts';
import { selfSigned } from '../../src/terraform/protocol/certificate.ts';
import { encodeValue } from '../../src/terraform/protocol/value.ts';
import { call, callUnary, clientOf, PluginProcess, pluginEnvironment } from './plugin-process.ts';

const shutdown = '/plugin.GRPCController/Shutdown';

test('started by hand, it says what it is and fails', async () => {
  await using plugin = new PluginProcess({});
  assert.equal(await plugin.line(), '');
  assert.equal(await plugin.exitCode(), 1);
  assert.match(
    await plugin.errors,
    /^This is the provider registry.terraform.io\/pager\/pager\. Terraform starts it/,
  );
});

test('a Terraform that is too old is told so in the line that it shows', async () => {
  await using plugin = new PluginProcess({ ...pluginEnvironment, PLUGIN_PROTOCOL_VERSIONS: '5' });
  assert.match(await plugin.line(), /^The provider pager needs Terraform 1.3 or later/);
  assert.equal(await plugin.line(), '');
  assert.equal(await plugin.exitCode(), 1);
});

test('it says where it serves, answers, and ends when told to', async () => {
  await using plugin = new PluginProcess(pluginEnvironment);
  const line = await plugin.line();
  assert.match(line, /^1\|6\|tcp\|127\.0\.0\.1:\d+\|grpc\|[A-Za-z0-9+/]+$/);
  const client = clientOf(line);
  const { resources } = await callUnary(client, 'GetMetadata', {});
  assert.equal(resources.length, managed.length);
  await call(client, '/grpc.health.v1.Health/Check');
  await call(client, shutdown);
  client.close();
  assert.equal(await plugin.exitCode(), 0);
  assert.equal(await plugin.errors, '');
});

test('it ends when Terraform is gone without a word', async () => {
  await using plugin = new PluginProcess(pluginEnvironment);
  const client = clientOf(await plugin.line());
  await callUnary(client, 'GetMetadata', {});
  client.close();
  assert.equal(await plugin.exitCode(), 0);
});

test('nobody but the Terraform that started it is answered', async () => {
  await using plugin = new PluginProcess(pluginEnvironment);
  const line = await plugin.line();
  const stranger = clientOf(line, selfSigned(Date.now()));
  await assert.rejects(callUnary(stranger, 'GetMetadata', {}), /UNAVAILABLE/);
  stranger.close();
  const client = clientOf(line);
  await callUnary(client, 'GetMetadata', {});
  client.close();
});

test('without a certificate it serves in the clear, as Terraform asks by leaving it out', async () => {
  const { PLUGIN_CLIENT_CERT: _, ...environment } = pluginEnvironment;
  await using plugin = new PluginProcess(environment);
  const line = await plugin.line();
  assert.match(line, /\|grpc\|$/);
  const client = clientOf(line);
  await callUnary(client, 'GetMetadata', {});
  client.close();
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} is left to Terraform`, async () => {
    await using plugin = new PluginProcess(pluginEnvironment);
    const client = clientOf(await plugin.line());
    await callUnary(client, 'GetMetadata', {});
    plugin.signal(signal);
    assert.deepEqual(await callUnary(client, 'StopProvider', {}), { error: '' });
    await call(client, shutdown);
    client.close();
    assert.equal(await plugin.exitCode(), 0);
  });

test('asked for a log, it writes lines that Terraform reads', async () => {
  await using plugin = new PluginProcess({ ...pluginEnvironment, TF_LOG: 'trace' });
  const client = clientOf(await plugin.line());
  await call(client, shutdown);
  client.close();
  const lines = (await plugin.errors).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)['@message']),
    ['serving'],
  );
});

test('a crash is told in the form that Terraform shows', async () => {
  const crash = 'process.on("SIGUSR2", () => { throw new Error("boom") })';
  const loaded = `--import=data:text/javascript,${encodeURIComponent(crash)}`;
  await using plugin = new PluginProcess({ ...pluginEnvironment, NODE_OPTIONS: loaded });
  await plugin.line();
  plugin.signal('SIGUSR2');
  assert.match(await plugin.errors, /^panic: Error: boom\n +at /);
  assert.equal(await plugin.exitCode(), 2);
});

test('with --debug it serves until Ctrl-C and says how Terraform finds it', async () => {
  await using plugin = new PluginProcess({}, ['--debug']);
  await plugin.line();
  await plugin.line();
  const [, json = ''] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(await plugin.line()) ?? [];
  const { Addr, ...provider } = JSON.parse(json)['registry.terraform.io/pager/pager'];
  assert.deepEqual([provider.Protocol, provider.ProtocolVersion], ['grpc', 6]);
  const client = clientOf(`1|6|tcp|${Addr.String}|grpc|`);
  await callUnary(client, 'GetMetadata', {});
  client.close();
  plugin.signal('SIGINT');
  assert.equal(await plugin.exitCode(), 0);
});

test('wrong settings are told at their attribute, in msgpack as in JSON', async () => {
  await using plugin = new PluginProcess(pluginEnvironment);
  const client = clientOf(await plugin.line());
  const config = { api_key: null, base_url: 'nowhere', team_id: null };
  const types = { api_key: 'string', base_url: 'string', team_id: 'string' } as const;
  const msgpack = encodeValue(['object', types], config);
  for (const value of [{ msgpack }, { json: Buffer.from(JSON.stringify(config)) }]) {
    const { diagnostics } = await callUnary(client, 'ValidateProviderConfig', { config: value });
    assert.deepEqual(
      diagnostics.map(({ summary }) => summary),
      ['Invalid base_url'],
    );
  }
  client.close();
});
