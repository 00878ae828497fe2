// A release of the provider for this machine, installed by the real Terraform.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import project from '../../package.json' with { type: 'json' };
import { managed } from '../../src/terraform/managed.ts';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { inProcessKey, startInProcess } from '../system/in-process.ts';
import { neededLibraries } from './needed-libraries.ts';
import { noTerraform } from './terraform.ts';

const root = join(import.meta.dirname, '..', '..');
const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
const run = promisify(execFile);

const noRuntimes = existsSync(join(root, 'release', 'node_modules'))
  ? undefined
  : skipped('a release of the provider', 'npm ci --prefix release (50 MB)');

/** With a regular expression: what checks it is loaded only then. */
const configuration = `
terraform {
  required_providers { pager = { source = "pager/pager" } }
}
resource "pager_service" "shop" { name = "Shop" }
resource "pager_alert_routing_rule" "shop" {
  name = "Shop"
  condition_groups = [{
    conditions = [{ type = "incidentMessage", comparator = "matches", text = "^(disk|memory) " }]
  }]
  actions = [{ type = "priority", priority = "p1" }]
}
`;

test('the built file is alone in its folder, with the licences of the packages in it', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-build-'));
  stack.defer(() => rm(folder, { recursive: true }));
  await run(process.execPath, [join(root, 'bin', 'build-provider.ts'), folder]);
  const built = `terraform-provider-pager_v${project.version}.cjs`;
  assert.deepEqual(await readdir(folder), [built]);
  const text = await readFile(join(folder, built), 'utf8');
  assert.match(text, /With typebox:\s+TypeBox\s+The MIT License/);
});

/** docs/terraform/index.md says what each needs. */
async function needsOnly(zip: string, folder: string): Promise<void> {
  const executables = ['provider-glibc', 'provider-musl'];
  await run('unzip', ['-q', zip, ...executables, '-d', folder]);
  const [glibc, musl] = executables.map((name) => join(folder, name));
  assert.deepEqual(neededLibraries(await readFile(glibc ?? '')), [
    ...['ld-linux-x86-64.so.2', 'libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'],
  ]);
  assert.deepEqual(neededLibraries(await readFile(musl ?? '')), [
    ...['libc.musl-x86_64.so.1', 'libstdc++.so.6'],
  ]);
}

test('a release is installed by Terraform, and makes records without Node', {
  skip: noTerraform ?? noRuntimes ?? false,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-release-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const released = join(folder, 'released');
  await run(process.execPath, [join(root, 'bin', 'release-provider.ts'), released, platform]);

  const sums = `terraform-provider-pager_${project.version}_SHA256SUMS`;
  await run('sha256sum', ['--check', '--strict', sums], { cwd: released });
  const zip = `terraform-provider-pager_${project.version}_${platform}.zip`;
  const { stdout: licences } = await run('unzip', ['-p', join(released, zip), 'LICENSES.txt']);
  for (const part of [/Apache License/, /With typebox:/, /With Bun/]) assert.match(licences, part);
  if (platform === 'linux_amd64') await needsOnly(join(released, zip), folder);
  const mirror = join(folder, 'mirror', 'registry.terraform.io', 'pager', 'pager');
  await mkdir(mirror, { recursive: true });
  await rename(join(released, zip), join(mirror, zip));
  await writeFile(join(folder, 'main.tf'), configuration);
  await writeFile(join(folder, 'terraform.rc'), '');

  const server = stack.use(await startInProcess(await anyDatabase(), {}));
  const binary = (await run('which', ['terraform'])).stdout.trim();
  const env = {
    TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'),
    CHECKPOINT_DISABLE: '1',
    PAGER_API_KEY: inProcessKey,
    PAGER_BASE_URL: `${server.url}/api/v1`,
  };
  const terraform = (...args: readonly string[]) => run(binary, args, { cwd: folder, env });
  await terraform('init', `-plugin-dir=${join(folder, 'mirror')}`);
  const { stdout } = await terraform('providers', 'schema', '-json');
  const [schemas] = Object.values<Record<string, object>>(JSON.parse(stdout).provider_schemas);
  assert.deepEqual(
    Object.keys(schemas?.['resource_schemas'] ?? {}).sort(),
    managed.map(({ typeName }) => typeName).sort(),
  );
  await terraform('apply', '-auto-approve');
  const [made] = await server.api.list('alert-rules');
  assert.equal(made.name, 'Shop');
  await terraform('plan', '-detailed-exitcode');
});
