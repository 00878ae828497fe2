// The README walked on an empty machine: a copy without packages, the machine's own npm, no setting
// but free ports. It ends with a page, a backup and a restore, and with Terraform's page.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../system/eventually.ts';
import { freePort } from '../system/free-port.ts';
import { noTerraform } from '../terraform/terraform.ts';
import { startWebhookServer } from '../webhook-server.ts';
import { blocksOf } from './blocks.ts';
import { copyCheckout } from './checkout.ts';
import { openShell, readersEnvironment } from './shell.ts';

const READY_MILLISECONDS_MAX = 90_000;
const WARNED_BY_NPM = /^npm warn (?!Unknown user config).*/m;

test('the README leads from an empty machine to a page, a backup and a restore', {
  skip: noTerraform ?? false,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-readme-'));
  stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // Run by root, PostgreSQL is somebody else, who must get through.
  await chmod(folder, 0o755);
  const project = join(folder, 'pager');
  await copyCheckout(project);
  const chat = stack.use(await startWebhookServer((_request, answer) => answer.end('ok')));
  const [port, mailPort] = [await freePort(), await freePort()];
  const env = {
    ...readersEnvironment(),
    PAGER_LISTEN: `127.0.0.1:${port}`,
    PAGER_EMAIL_LISTEN: `127.0.0.1:${mailPort}`,
    // Where it is for everybody but root.
    PAGER_DATA_DIR: join(project, 'data'),
  };
  const shell = stack.use(openShell(project, env));
  let server: Started | undefined;
  for (const { location, info, text } of blocksOf(project, 'README.md')) {
    if (info !== 'sh') continue;
    if (text === 'npm start\n') {
      server = stack.use(await npmStart(project, env));
      await shell.run('what npm start prints', server.curl);
      continue;
    }
    const output = await shell.run(
      location,
      text
        .replaceAll('localhost:8080', `localhost:${port}`)
        .replaceAll('pgr_...', server?.apiKey ?? '')
        .replaceAll('https://hooks.slack.com/services/...', `${chat.url}/services`),
    );
    if (text.startsWith('npm ci')) assert.doesNotMatch(output, WARNED_BY_NPM);
    if (text.includes('pagerctl restore')) {
      assert.match(output, /The database is as it was at/);
      await eventually('it goes on after the restore', () => isReady(port));
    }
  }
  const mails = join(project, 'data', 'mail');
  for (const title of ['My first incident', 'The shop is down'])
    await eventually(`the page of ${title} arrives`, () => hasPage(mails, title));
  assert.ok((await stat(join(project, 'pager.backup'))).size > 0);
});

type Started = AsyncDisposable & { readonly apiKey: string; readonly curl: string };

/** As in a terminal of its own, until it is ready. */
async function npmStart(project: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const npm = spawn('npm', ['start'], { cwd: project, env, stdio: 'pipe' });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  // When the server has ended too, for it has the same output.
  const ended = new Promise<void>((done) => {
    npm.once('close', () => done());
  });
  const isPrinted = () => /^ +curl .*\n/m.test(output) && output.includes('Pager is ready');
  await eventually(() => `npm start is ready:\n${output}`, isPrinted, READY_MILLISECONDS_MAX);
  const [apiKey = ''] = /pgr_\w+/.exec(output) ?? [];
  const [curl = ''] = /^ +curl .*$/m.exec(output) ?? [];
  return {
    apiKey,
    curl,
    async [Symbol.asyncDispose]() {
      npm.kill('SIGTERM');
      await ended;
    },
  };
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
