// An operator who sets the server up asks whether mail leaves, and whether a chat hears it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { freePort } from './free-port.ts';
import { withoutMailServer } from './mail-sink.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, type Installation, mailTo, type Settings } from './server-process.ts';

let installation: Installation;

before(async () => {
  installation = await createInstallation({ PAGER_ALLOW_NETWORKS: '127.0.0.0/8' });
});
after(() => installation[Symbol.asyncDispose]());

async function sent(settings: Settings, ...words: readonly string[]) {
  const program = installation.launch(settings, 'send-test', ...words);
  return { code: await program.ended, output: program.output().trimEnd() };
}

test('a mail leaves by the server that is set, and what it answered is told', async () => {
  await using mail = await startMailServer();
  const { code, output } = await sent(mailTo(mail), 'email', 'you@example.test');
  assert.equal(code, 0, output);
  assert.match(output, /^The test page was accepted: 250 /);
  const [{ to, subject } = { to: '', subject: '' }] = mail.mails;
  assert.equal(to, 'you@example.test');
  assert.match(subject, /Test page: nothing is wrong/);
});

test('without a mail server it is only a file, which counts as not sent', async () => {
  const { code, output } = await sent(withoutMailServer, 'email', 'you@example.test');
  assert.equal(code, 1, output);
  const [hint = '', answer = ''] = output.split('\n');
  assert.match(hint, /^PAGER_SMTP_URL is not set in this terminal\./);
  const [, file = ''] =
    /was not sent: e-mail is not set up: .+ reached nobody: (.+)$/.exec(answer) ?? [];
  assert.match(await readFile(file, 'utf8'), /^To: you@example\.test\r?$/m);
});

test('a mail server that is not there is told of by its reason', async () => {
  const settings = mailTo({ port: await freePort() });
  assert.deepEqual(await sent(settings, 'email', 'you@example.test'), {
    code: 1,
    output:
      'The test page was not sent: the e-mail was not accepted: nothing listens at the address of the mail server (ECONNREFUSED)',
  });
});

test('a person gets a test page by name or e-mail, beside a running server', async () => {
  await using mail = await startMailServer();
  const server = await installation.start(mailTo(mail));
  for (const [first_name, email] of [
    ['Ada', 'ada@example.test'],
    ['Lin', 'lin@example.test'],
    ['Lin', 'lin2@example.test'],
  ])
    await server.api.create('users', { first_name, last_name: 'Byron', email, role: 'responder' });
  const settings = mailTo(mail);
  const answer = 'The test page to Ada Byron by e-mail was accepted: 250 ';
  for (const name of ['ada byron', 'Ada@example.test']) {
    const { code, output } = await sent(settings, name);
    assert.deepEqual([code, output.slice(0, answer.length)], [0, answer]);
  }
  assert.deepEqual(
    mail.mails.filter(({ subject }) => subject.includes('Test page')).map(({ to }) => to),
    ['ada@example.test', 'ada@example.test'],
  );
  assert.deepEqual(await sent(settings, 'Lin Byron'), {
    code: 1,
    output:
      'No test page was sent: several people are called Lin Byron. Use one of these e-mail addresses: lin2@example.test, lin@example.test',
  });
  assert.deepEqual(await sent(settings, 'Ada Biron'), {
    code: 1,
    output: 'No test page was sent: no active person is called Ada Biron. Did you mean Ada Byron?',
  });
  assert.equal(await server.stop(), 0);
});

test('a chat hears it by its incoming webhook, or it is told why not', async () => {
  const bodies: string[] = [];
  await using chat = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.statusCode = request.url === '/gone' ? 404 : 200;
    response.end(request.url === '/gone' ? 'no_service' : 'ok');
  });
  await once(chat.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
  assert.deepEqual(await sent({}, 'slack', `${url}/1`), {
    code: 0,
    output: 'The test page was accepted: ok',
  });
  assert.match(bodies[0] ?? '', /Test page: nothing is wrong/);
  const gone = await sent({}, 'slack', `${url}/gone`);
  assert.equal(gone.code, 1);
  assert.match(
    gone.output,
    /^The test page was not sent: Slack: the webhook was removed or disabled/,
  );
  const { code, output } = await sent({}, 'slak', url);
  assert.equal(code, 2);
  assert.match(output, /^There is no channel slak\. Did you mean slack\?\n/);
});
