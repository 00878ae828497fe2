// `pagerctl export terraform` of a company that was made by hand, over a real server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { exportTerraform } from '../../src/commands/export.ts';
import { quoted } from '../../src/terraform/export/hcl.ts';
import { childEnvironment } from '../child-environment.ts';
import { anyDatabase } from '../database.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import { awkwardTexts, buildCompany, type Company } from './company.ts';
import { noTerraform } from './terraform.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', 'bin', 'pagerctl.js');

let stack: AsyncDisposableStack;
let server: InProcess;
let company: Company;
let environment: NodeJS.ProcessEnv;
/** The whole company, as the command wrote it. */
let dir: string;
let report: string;

before(async () => {
  stack = new AsyncDisposableStack();
  server = stack.use(await startInProcess(await anyDatabase(), {}));
  company = await buildCompany(server.api);
  environment = {
    ...childEnvironment(),
    PAGER_API_KEY: inProcessKey,
    PAGER_BASE_URL: `${server.url}/api/v1`,
  };
  dir = join(await folder(), 'pager');
  const args = [program, 'export', 'terraform', '--dir', dir];
  ({ stdout: report } = await run(process.execPath, args, { env: environment }));
});
after(() => stack.disposeAsync());

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'pager-export-'));
  stack.defer(() => rm(path, { recursive: true }));
  return path;
}

const written = (name: string) => readFile(join(dir, name), 'utf8');
const exported = (into: string, ...more: readonly string[]) =>
  exportTerraform(['terraform', '--dir', into, ...more], environment);

async function contents(of: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(of)).sort();
  const texts = names.map(async (name) => [name, await readFile(join(of, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** The block of a configuration with that line in it. */
function blockWith(text: string, line: string): string {
  const block = text.split(/^(?=# |resource |data |import )/m).find((one) => one.includes(line));
  return block ?? assert.fail(`nothing has ${line}`);
}

test('every record is a resource that is imported, or is told to be left out', async () => {
  // What the first start makes is exported too.
  const atFirst = 3;
  const texts = Object.values(await contents(dir)).join('\n');
  const count = (pattern: RegExp) => texts.match(pattern)?.length;
  assert.equal(count(/^resource "/gm), company.managed + atFirst);
  assert.equal(count(/^import \{/gm), company.managed + atFirst);
  assert.equal(count(/^# Not managed by Terraform/gm), company.leftOut);
  assert.match(report, new RegExp(`^${company.managed + atFirst} records will be imported`, 'm'));
  assert.match(report, /^ {2}oncall schedule "Gaps": layers\[0\]\.users\[1\] is null$/m);
  assert.match(report, /^ {2}outbound webhook "put": method is PUT$/m);
  assert.match(blockWith(texts, '"placed"'), /^ {2}position += 7$/m);
});

test('secrets are in one file that only its owner reads and git leaves alone', async () => {
  const { 'pager.auto.tfvars': secrets = '', ...others } = await contents(dir);
  for (const secret of company.secrets) {
    assert.ok(secrets.includes(secret));
    for (const [name, text] of Object.entries(others)) assert.ok(!text.includes(secret), name);
    assert.ok(!report.includes(secret));
  }
  const { mode } = await stat(join(dir, 'pager.auto.tfvars'));
  assert.equal(mode & 0o777, 0o600);
  assert.equal(others['.gitignore'], 'pager.auto.tfvars\n');
  assert.ok(!JSON.stringify(others).includes(inProcessKey));
});

test('records refer to each other by address, and to people by their mail address', async () => {
  const integration = blockWith(await written('integrations.tf'), 'prometheus_a');
  assert.match(integration, /service_id += pager_service\.payments\.id\n/);
  assert.match(integration, /escalation_policy_id += pager_escalation_policy\.everything\.id\n/);
  assert.match(await written('users.tf'), /"ada_lovelace" \{\n {2}email = "ada@example\.test"\n/);
  const policy = blockWith(await written('escalation-policies.tf'), '"everything"');
  assert.match(policy, /"phone", oncall_schedule_id = pager_oncall_schedule\.primary\.id/);
  assert.match(policy, /"phone", oncall_schedule_id = data\.pager_oncall_schedule\.gaps\.id/);
  const rules = await written('alert-routing-rules.tf');
  assert.match(rules, /"playbook", playbook_id = pager_playbook\.runbook\.id/);
  assert.match(policy, /webhook_url = var\.escalation_policy_everything_webhook_url /);
});

test('what is archived, deactivated or in a circle has its plain id', async () => {
  const policies = await written('escalation-policies.tf');
  const plain = (name: string) => new RegExp(`= "${company.made[name].id}"`);
  assert.match(policies, plain('leaver'));
  assert.match(policies, plain('old schedule'));
  for (const [name, replacement] of [
    ['everything', 'mail'],
    ['mail', 'circle'],
    ['circle', 'everything'],
  ] as const)
    assert.match(
      blockWith(policies, `"${name}" {`),
      new RegExp(`archive_replacement_policy_id = "${company.made[replacement].id}"`),
    );
  assert.match(blockWith(await written('integrations.tf'), '"orphan"'), plain('old policy'));
  for (const name of ['integration "Orphan"', 'playbook "Runbook"'])
    assert.match(report, new RegExp(`^With plain ids.*:\\n( {2}.*\\n)* {2}${name}$`, 'm'));
});

test('only what another team owns names its team, and is imported from there', async () => {
  const { ops, web, shop, payments } = company.made;
  const services = await written('services.tf');
  assert.doesNotMatch(blockWith(services, '"payments" {'), /team_id/);
  assert.match(blockWith(services, 'team_id = data.pager_team.web_front.id'), /"payments_\d+" \{/);
  assert.match(await written('provider.tf'), new RegExp(`team_id += "${ops.id}"`));
  const imports = await written('imports.tf');
  assert.match(imports, new RegExp(`"${web.id}/${shop.id}"`));
  assert.match(imports, new RegExp(`"${payments.id}"`));
});

test('a key that sees one team writes no team at all', async () => {
  const { key } = await server.api.create('api-keys', {
    name: 'web',
    role: 'manager',
    team_ids: [company.made['web'].id],
  });
  const into = await folder();
  const { code } = await exported(into, '--api-key', key);
  assert.equal(code, 0);
  const texts = await contents(into);
  assert.match(texts['services.tf'] ?? '', /^resource "pager_service" "payments" \{\n {2}name/);
  assert.doesNotMatch(Object.values(texts).join(), /team_id|pager_team/);
  assert.equal(texts['imports.tf']?.match(/^ {2}id = "[0-9a-f]{24}"$/gm)?.length, 3);
});

test('files that are there are replaced only when told to, and others never', async () => {
  const into = await folder();
  await writeFile(join(into, 'services.tf'), '# mine\n');
  await writeFile(join(into, '.gitignore'), '.terraform/');
  const before = await contents(into);
  const refused = await exported(into);
  assert.equal(refused.code, 1);
  assert.match(refused.text, /already has services\.tf\..*--force/);
  assert.deepEqual(await contents(into), before);

  assert.equal((await exported(into, '--force')).code, 0);
  const { '.gitignore': ignored, ...files } = await contents(into);
  const { '.gitignore': _, ...same } = await contents(dir);
  assert.deepEqual(files, same, 'an export says the same each time');
  assert.equal(ignored, '.terraform/\npager.auto.tfvars\n');
});

test('a key that may not read secrets exports nothing', async () => {
  const { key } = await server.api.create('api-keys', { name: 'reader', role: 'viewer' });
  const into = await folder();
  const { code, text } = await exported(into, '--api-key', key);
  assert.equal(code, 1);
  assert.match(text, /cannot read secrets/);
  assert.deepEqual(await readdir(into), []);
});

test('what cannot be asked or understood is said in words', async () => {
  const into = await folder();
  const exportText = async (...args: readonly string[]) =>
    (await exportTerraform(args, environment)).text;
  assert.match(
    await exportText(),
    /Only terraform can be exported\.\n\npagerctl export terraform --dir/,
  );
  assert.match(await exportText('terraform'), /with --dir/);
  assert.match(
    await exportText('terraform', '--dir', into, '--forse'),
    /no --forse\. Did you mean --force\?/,
  );
  assert.match(await exportText('terraform', 'all', '--dir', into), /Unexpected argument all/);
  const unreachable = { PAGER_API_KEY: 'pgr_any', PAGER_PUBLIC_URL: 'http://127.0.0.1:1' };
  assert.match(
    (await exportTerraform(['terraform', '--dir', into], unreachable)).text,
    /cannot be reached at http:\/\/127\.0\.0\.1:1\/api\/v1/,
  );
  const none = await exportTerraform(['terraform', '--dir', into], {});
  assert.deepEqual([none.code, /PAGER_API_KEY/.test(none.text)], [2, true]);
  assert.match(
    await exportText('terraform', '--dir', into, '--api-key', 'pgr_wrong'),
    /\(request \w+\)/,
  );
  const file = join(into, 'file');
  await writeFile(file, '');
  assert.match((await exported(file)).text, /^Nothing was written: /);
  assert.deepEqual(await readdir(into), ['file']);
});

test('Terraform finds nothing to format', { skip: noTerraform ?? false }, async () => {
  const env = { ...environment, TF_CLI_CONFIG_FILE: '/dev/null' };
  const { stdout } = await run('terraform', ['fmt', '-check', '-diff', dir], { env });
  assert.equal(stdout, '');
});

test('Terraform reads every string as it was', { skip: noTerraform ?? false }, async () => {
  const signs = fc.stringMatching(/^[$%{}"\\~n u]*$/);
  const any = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
  const texts = [...awkwardTexts, ...fc.sample(signs, 500), ...fc.sample(any, 500)];
  const env = { ...environment, TF_CLI_CONFIG_FILE: '/dev/null' };
  const console = run('terraform', ['console'], { env, cwd: await folder() });
  console.child.stdin?.end(`base64encode(jsonencode([${texts.map(quoted).join(', ')}]))\n`);
  const { stdout } = await console;
  // Terraform keeps all text in this form, whoever wrote it.
  const normalized = texts.map((text) => text.normalize('NFC'));
  const read = JSON.parse(Buffer.from(stdout.trim().slice(1, -1), 'base64').toString());
  assert.deepEqual(read, normalized);
});
