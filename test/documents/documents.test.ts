// The commands of docs/*.md, in their order, in a copy of the project. Each page has a server of its
// own, inside the test unless its commands need the program.
import assert from 'node:assert/strict';
import { glob, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { childEnvironment } from '../child-environment.ts';
import { testDatabase } from '../database.ts';
import { postJson } from '../system/api-client.ts';
import { freePort } from '../system/free-port.ts';
import { inProcessKey, startInProcess } from '../system/in-process.ts';
import { createInstallation, type Settings } from '../system/server-process.ts';
import { systemPostgres } from '../system/system-postgres.ts';
import { startWebhookServer } from '../webhook-server.ts';
import { blocksOf } from './blocks.ts';
import { copyCheckout, root } from './checkout.ts';
import { openShell } from './shell.ts';

const postgres = await systemPostgres();
const documents = (await Array.fromAsync(glob('docs/*.md', { cwd: root }))).sort();
/** `sh` is run and `json` is read; the others are for eyes. */
const infos = ['sh', 'sh no-run', 'json', 'yaml', 'js', 'text', 'haproxy', 'nginx'];

/** The same program as by npm, which takes a second to find it. */
const withoutNpm = 'npx() { [ "$1" = pagerctl ] || return; shift; node bin/pagerctl.js "$@"; }';

test('every block of the documentation says what it is, and JSON is JSON', () => {
  for (const { location, info, text } of ['README.md', ...documents].flatMap(blocks)) {
    assert.ok(infos.includes(info), `${location}: ${info || 'nothing'} is none of ${infos}`);
    if (info === 'json') assert.doesNotThrow(() => JSON.parse(text), location);
  }
});

test('a block fails with the first of its commands that fails, or that is refused', async () => {
  await using refusing = await startWebhookServer((_request, answer) => {
    answer.writeHead(404).end();
  });
  for (const text of ['false\necho', `curl ${refusing.url}`, `curl ${refusing.url} | cat`]) {
    await using shell = openShell(root, {});
    assert.match(await shell.run('before', 'variable=kept'), /^$/);
    assert.match(await shell.run('it', 'echo "$variable"'), /^kept$/);
    await assert.rejects(shell.run('here', text), /^AssertionError.*here failed/);
  }
});

/** One copy for all: no page writes a file of another. */
const parent = await mkdtemp(join(tmpdir(), 'pager-documents-'));
const folder = join(parent, 'pager');
before(async () => {
  await copyCheckout(folder);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
after(() => rm(parent, { recursive: true, maxRetries: 10 }));

/** Its commands are those of the machine of a server: they read the settings and replace the data. */
const OF_A_MACHINE = 'docs/operating.md';
const settings: Settings = {
  PAGER_BOOTSTRAP_EMAIL: 'owner@example.com',
  PAGER_EMAIL_DOMAIN: 'localhost',
  PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
};

for (const document of documents) {
  const commands = blocks(document).filter(({ info }) => info === 'sh');
  if (commands.length === 0) continue;
  test(`the commands of ${document} work`, async () => {
    await using stack = new AsyncDisposableStack();
    const chat = stack.use(await startWebhookServer((_request, answer) => answer.end('ok')));
    await writeFile(join(folder, 'webhook-address'), `${chat.url}/secret`);
    const server = await (document === OF_A_MACHINE ? startProgram : startInside)(stack);
    const [integration] = await server.api.list('integrations');
    await postJson(integration.webhook_url, { title: 'The shop is down' });
    const placeholders: Readonly<Record<string, string>> = {
      'http://localhost:8080': server.url,
      'localhost:2525': `127.0.0.1:${server.mailPort}`,
      '<token>': integration.token,
      'pgr_...': server.apiKey,
      'postgres://...': server.databaseUrl,
      'https://hooks.slack.com/services/...': `${chat.url}/services`,
      'https://hooks.slack.com/services/T0/B0/...': `${chat.url}/services`,
    };
    const { PATH: _, ...child } = childEnvironment();
    const env = { ...child, ...server.environment };
    const named = { API: `${server.url}/api/v1`, KEY: server.apiKey };
    const shell = stack.use(openShell(folder, { ...env, ...named }));
    await shell.run('npx, which the README proves', withoutNpm);
    for (const { location, text } of commands)
      await shell.run(location, filled(text, placeholders));
  });
}

async function startProgram(stack: AsyncDisposableStack) {
  const { url: databaseUrl } = stack.use(
    await testDatabase({ server: postgres, migrations: 'none' }),
  );
  const installation = stack.use(
    await createInstallation({ ...settings, PAGER_DATABASE_URL: databaseUrl }),
  );
  const server = await installation.start();
  return { ...server, databaseUrl, environment: installation.settings };
}

async function startInside(stack: AsyncDisposableStack) {
  const mailPort = await freePort();
  const listening = { PAGER_EMAIL_LISTEN: `127.0.0.1:${mailPort}` };
  const server = stack.use(await startInProcess(postgres, { ...settings, ...listening }));
  return { ...server, mailPort, apiKey: inProcessKey, databaseUrl: '', environment: {} };
}

function blocks(document: string) {
  return blocksOf(root, document);
}

function filled(text: string, placeholders: Readonly<Record<string, string>>): string {
  return Object.entries(placeholders).reduce(
    (result, [placeholder, value]) => result.replaceAll(placeholder, value),
    text,
  );
}
