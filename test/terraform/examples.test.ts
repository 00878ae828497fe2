// The examples that people copy, in a real Terraform, against a real server.
import assert from 'node:assert/strict';
import { cp, glob, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import { nodeFolders, noTerraform, Workspace } from './terraform.ts';

const examples = join(import.meta.dirname, '..', '..', 'examples');
const [nodeFolder = ''] = nodeFolders;
const required = 'terraform {\n  required_providers { pager = { source = "pager/pager" } }\n}\n';

describe('the examples', { skip: noTerraform ?? false }, () => {
  let stack: AsyncDisposableStack;
  let server: InProcess;
  let terraform: Workspace;
  before(async () => {
    stack = new AsyncDisposableStack();
    const owner = { PAGER_BOOTSTRAP_EMAIL: 'owner@example.com' };
    server = stack.use(await startInProcess(await anyDatabase(), owner));
    const settings = { PAGER_API_KEY: inProcessKey, PAGER_BASE_URL: `${server.url}/api/v1` };
    terraform = stack.use(await Workspace.open(nodeFolder, settings, 'attached'));
    await cp(examples, join(terraform.folder, 'examples'), { recursive: true });
    await terraform.configure(await moduleOfEach(terraform.folder));
  });
  after(() => stack.disposeAsync());

  async function succeeds(...args: readonly string[]): Promise<void> {
    const { code, output, errors } = await terraform.run(...args);
    assert.equal(code, 0, `terraform ${args[0]}:\n${output}\n${errors}`);
  }

  async function names(): Promise<readonly string[]> {
    const routes = ['services', 'escalation-policies', 'integrations', 'alert-rules', 'on-calls'];
    const records = await Promise.all(routes.map((route) => server.api.list(route)));
    return records.flat().map(({ name }) => name);
  }

  test('they are written as Terraform formats them', () =>
    succeeds('fmt', '-check', '-diff', '-recursive', 'examples'));

  test('they apply to a new server, want nothing more, and are archived again', async () => {
    // What the examples of data sources look up, and a new server lacks.
    const [{ id: userId }] = await server.api.list('users');
    const layers = [{ users: [userId], rotation: { length: 1, unit: 'weeks' } }];
    await server.api.create('on-calls', { name: 'Support', layers });
    const actions = [{ type: 'note', text: 'Welcome.' }];
    await server.api.create('playbooks', { name: 'Welcome', actions });
    const url = 'https://tickets.example.com/';
    await server.api.create('outbound-webhooks', { name: 'Tickets', url });
    const existing = await names();

    await succeeds('get');
    await succeeds('validate');
    await succeeds('apply', '-auto-approve', '-input=false');
    assert.ok((await names()).includes('Payments are urgent'));
    await succeeds('plan', '-detailed-exitcode', '-input=false');
    await succeeds('destroy', '-auto-approve', '-input=false');
    assert.deepEqual(await names(), existing);
  });
});

/** One configuration with each example as a module. */
async function moduleOfEach(folder: string): Promise<string> {
  const files = await Array.fromAsync(glob('examples/**/*.tf', { cwd: folder }));
  const modules = [...new Set(files.map(dirname))].sort();
  for (const each of modules.filter((one) => /pager_|functions/.test(one)))
    await writeFile(join(folder, each, 'versions.tf'), required);
  return modules
    .map((each) => `module "${each.replaceAll('/', '_')}" {\n  source = "./${each}"\n}\n`)
    .join('\n');
}
