// The program itself dies in the middle of an apply, and comes back.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../database.ts';
import { createInstallation } from '../system/server-process.ts';
import { startProxy } from './proxy.ts';
import { nodeFolders, noTerraform, Workspace } from './terraform.ts';

const count = 30;
const goneThrough = 10;
/** Terraform’s own limit. */
const atOnce = 10;

const configuration = {
  provider: { pager: {} },
  resource: { pager_service: { all: { count, name: 's${count.index}' } } },
};

async function startApply() {
  const stack = new AsyncDisposableStack();
  const database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  stack.use(database);
  const installation = stack.use(await createInstallation({ PAGER_DATABASE_URL: database.url }));
  const server = await installation.start();
  const proxy = stack.use(await startProxy(`${server.url}/api/v1`));
  const workspace = stack.use(
    await Workspace.open(nodeFolders.at(-1) ?? '', {
      PAGER_API_KEY: server.apiKey,
      PAGER_BASE_URL: proxy.address,
    }),
  );
  await writeFile(join(workspace.folder, 'main.tf.json'), JSON.stringify(configuration));
  return {
    installation,
    server,
    proxy,
    workspace,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('a server that dies in an apply, and starts again, is waited for', {
  skip: noTerraform ?? false,
}, async () => {
  await using at = await startApply();
  const services = async () => (await at.server.api.list('services')).length;
  const existing = await services();
  const [othersWait, manyTries] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const dead = Promise.withResolvers<undefined>();
  let requests = 0;
  const tries = new Map<string, number>();
  at.proxy.instead = ({ method, headers }) => {
    if (method !== 'POST') return undefined;
    requests += 1;
    if (requests === goneThrough + atOnce) othersWait.resolve();
    const key = String(headers['idempotency-key']);
    const tried = (tries.get(key) ?? 0) + 1;
    tries.set(key, tried);
    if (tried === 7) manyTries.resolve();
    return requests > goneThrough ? dead.promise : undefined;
  };
  const { ended } = at.workspace.startApart('apply', '-auto-approve', '-input=false');
  await Promise.race([othersWait.promise, ended]);
  await at.server.kill();
  dead.resolve(undefined);
  await Promise.race([manyTries.promise, ended]);
  await at.installation.start();
  const { code, errors } = await ended;
  assert.equal(code, 0, errors);
  const plan = await at.workspace.run('plan', '-detailed-exitcode', '-input=false');
  assert.equal(plan.code, 0, plan.output);
  assert.equal((await services()) - existing, count);
});
