// The README walked on an empty machine: a clone of the last commit, a home folder of its own, the
// machine's own npm, and no setting but free ports. It ends with an incident that was acknowledged
// in a browser, a backup and a restore, and with Terraform's page.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { noBrowser } from '../dashboard/browser.ts';
import { acknowledgeFirst, printedIn } from '../dashboard/first-page.ts';
import { skipped } from '../skipped.ts';
import { eventually } from '../system/eventually.ts';
import { freePort } from '../system/free-port.ts';
import { npmStart } from '../system/npm-process.ts';
import { noTerraform } from '../terraform/terraform.ts';
import { startWebhookServer } from '../webhook-server.ts';
import { type Block, blocksOf } from './blocks.ts';
import { root } from './checkout.ts';
import { openShell, readersEnvironment } from './shell.ts';

const WARNED_BY_NPM = /^npm warn (?!Unknown user config).*/m;
const TERRAFORM = /Terraform/;
const run = promisify(execFile);
const noClone = await run('git', ['rev-parse', 'HEAD'], { cwd: root }).then(
  () => noBrowser,
  () => skipped('the README in a clone of the last commit', 'install git, and work in a clone'),
);

let folder = '';
let project = '';
let readme = '';
let blocks: readonly Block[] = [];
let reader: NodeJS.ProcessEnv = {};

before(async () => {
  if (noClone !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'pager-readme-'));
  // Run by root, PostgreSQL is somebody else, who must get through.
  await chmod(folder, 0o755);
  project = join(folder, 'pager');
  await run('git', ['clone', '--quiet', root, project]);
  readme = await readFile(join(project, 'README.md'), 'utf8');
  blocks = blocksOf(project, 'README.md').filter(({ info }) => info === 'sh');
  const home = join(folder, 'home');
  await mkdir(home);
  const { stdout: cache } = await run('npm', ['config', 'get', 'cache'], {
    env: readersEnvironment(),
  });
  reader = { ...readersEnvironment(home), npm_config_cache: cache.trim() };
  const [install] = blocks;
  assert.equal(install?.text, 'npm ci\n');
  await using shell = openShell(project, reader);
  assert.doesNotMatch(await shell.run(install.location, install.text), WARNED_BY_NPM);
});
after(async () => {
  if (folder !== '') await rm(folder, { recursive: true, maxRetries: 10 });
});

test('the README leads from an empty machine to an acknowledged incident and a restored backup', {
  skip: noClone ?? false,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const chat = stack.use(await startWebhookServer((_request, answer) => answer.end('ok')));
  const { env, port, mails } = await environment(join(project, 'data'));
  const shell = stack.use(openShell(project, env));
  const [, start, ...others] = blocks.filter(({ section }) => !TERRAFORM.test(section));
  assert.equal(start?.text, 'npm start\n');
  const server = printedIn(stack.use(await npmStart(project, env)).output());
  const pressed = await acknowledgeFirst(server);
  for (const button of pressed)
    assert.ok(readme.includes(`*${button}*`), `the README says to press ${button}`);
  const opened = await shell.run('what npm start prints', server.curl);
  assert.match(opened, /"outcome":"opened"/);
  for (const { location, text } of others) {
    const output = await shell.run(
      location,
      text
        .replaceAll('localhost:8080', `localhost:${port}`)
        .replaceAll('pgr_...', server.apiKey)
        .replaceAll('https://hooks.slack.com/services/...', `${chat.url}/services`),
    );
    if (text.includes('pagerctl restore')) {
      assert.match(output, /Restored: the bundled database in .* is as it was at/);
      await eventually('it goes on after the restore', () => isReady(port));
    }
  }
  for (const number of [1, 2]) assert.equal(await statusOf(number), 'acknowledged');
  await eventually('the page is a file', () => hasPage(mails, 'My first incident'));
  assert.ok((await stat(join(project, 'pager.backup'))).size > 0);
  const { stdout: changed } = await run('git', ['status', '--porcelain'], { cwd: project });
  assert.equal(changed, '', 'nothing in the checkout has changed');

  async function statusOf(number: number): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/incidents/${number}`, {
      headers: { 'x-api-key': server.apiKey },
    });
    return ((await answer.json()) as { status: string }).status;
  }
});

test('the README leads from an installed clone to a policy that Terraform has applied', {
  skip: noClone ?? noTerraform ?? false,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const { env, port, mails } = await environment(join(folder, 'data'));
  const server = printedIn(stack.use(await npmStart(project, env)).output());
  const shell = stack.use(openShell(project, env));
  for (const { location, text } of blocks.filter(({ section }) => TERRAFORM.test(section)))
    await shell.run(
      location,
      text.replaceAll('localhost:8080', `localhost:${port}`).replaceAll('pgr_...', server.apiKey),
    );
  await eventually('the page is a file', () => hasPage(mails, 'The shop is down'));
  assert.match(await shell.run('what follows', 'terraform plan'), /No changes/);
  await shell.run('its change', 'sed -i "s/\\(escalate_after_minutes =\\) 5/\\1 0/" main.tf');
  const refused = await shell.run('its plan', 'terraform plan -no-color 2>&1 || true');
  assert.match(refused, /escalate_after_minutes[\s\S]*must be at least 1/);
});

/** Nowhere that another test listens, and not where data is for root. */
async function environment(dataDir: string) {
  const port = await freePort();
  const env = {
    ...reader,
    PAGER_LISTEN: `127.0.0.1:${port}`,
    PAGER_EMAIL_LISTEN: `127.0.0.1:${await freePort()}`,
    PAGER_DATA_DIR: dataDir,
  };
  return { env, port, mails: join(dataDir, 'mail') };
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

async function hasPage(folder: string, title: string): Promise<boolean> {
  const files = await readdir(folder).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.some((text) => text.includes(title));
}
