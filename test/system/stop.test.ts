// A stop while strangers and receivers take their time: none of them is waited for to the end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { postJson } from './api-client.ts';
import { seedChatAndMail } from './chat-and-mail.ts';
import { eventually } from './eventually.ts';
import { startChatServer } from './notice-servers.ts';
import { createInstallation } from './server-process.ts';

const loopback = { PAGER_ALLOW_NETWORKS: '127.0.0.0/8' };

test('a stop does not wait for who neither finishes a request nor answers one', async () => {
  await using chat = await startChatServer('silent');
  await using smtp = await startSilentServer();
  await using installation = await createInstallation({
    ...loopback,
    PAGER_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    PAGER_MAIL_FROM: 'Pager <pager@example.test>',
  });
  const server = await installation.start();
  const hook = await seedChatAndMail(server, chat.url);
  const { body } = await postJson(hook, { title: 'told to whom does not answer' });
  // The start asked the mail server once.
  const areCalled = () => chat.messages.length > 0 && smtp.connections() > 1;
  await eventually('both receivers were called', areCalled);

  const port = Number(new URL(server.url).port);
  const path = new URL(hook).pathname;
  const strangers = await Promise.all([
    write(port, 'POST /hooks/'),
    write(port, `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n{"title":`),
    write(port, 'POST /api/v1/services HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'),
    write(port, 'POST /auth/sign-in HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{'),
    write(server.mailPort, 'EHLO a\r\nMAIL FROM:<a@example.test>\r\n'),
  ]);
  assert.equal(await server.stop(), 0, server.output());
  assert.match(server.output(), /stopped while notices were being sent/);
  for (const stranger of strangers) stranger.destroy();

  const again = await installation.start();
  const timeline = await again.api.list(`incidents/${body.alerts[0].incident}/timeline`);
  assert.equal(timeline.filter(({ type }) => type === 'opened').length, 1);
  await eventually('the chat is asked anew', () => chat.messages.length > 1);
  await again.kill();
});

test('what was refused in the minute before a stop is in the log', async () => {
  await using installation = await createInstallation();
  const server = await installation.start();
  const [integration] = await server.api.list('integrations');
  const url = `${integration.webhook_url}push-events`;
  const large = { title: 'disk', details: 'x'.repeat(8 * 1024 * 1024) };
  for (let times = 0; times < 3; times += 1) assert.equal((await postJson(url, large)).status, 413);
  assert.equal(await server.stop(), 0, server.output());
  const again = await installation.start();
  const events = () => again.api.list(`integrations/${integration.id}/events`);
  const isLogged = async () => (await events()).some(({ reason }) => /2 times/.test(reason ?? ''));
  await eventually('the refusals are in the log', isLogged);
  await again.kill();
});

/** Takes connections and says nothing. */
async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    port: address.port,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

async function write(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}
