// The token of an integration is rotated while its tools send, to two servers on one database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../database.ts';
import { send } from '../mail-client.ts';
import { postJson } from './api-client.ts';
import { freePort } from './free-port.ts';
import { startInProcess } from './in-process.ts';

const grace = 10;

test('both tokens are accepted, by HTTP and by mail, until the previous one expires', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  const start = async () => {
    const port = await freePort();
    const running = await startInProcess(database, {
      PAGER_SECRET_KEY: 'k'.repeat(40),
      PAGER_EMAIL_LISTEN: `127.0.0.1:${port}`,
    });
    return { running, port };
  };
  const servers = [await start(), await start()];
  await using stack = new AsyncDisposableStack();
  for (const { running } of servers) stack.use(running);
  const api = servers[0]?.running.api ?? assert.fail();
  const [old] = await api.list('integrations');
  const rotate = async (grace_minutes: number) => {
    const path = `POST /integrations/${old.id}/rotate-token`;
    const { status, body } = await api.send(path, { grace_minutes });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  /** What each server answers to a request, and to a mail. */
  const answersTo = ({ token }: { token: string }) =>
    Promise.all(
      servers.flatMap(({ running, port }) => {
        const url = `${running.url}/hooks/${token}/push-events`;
        return [
          postJson(url, { title: 'disk' }).then(({ status }) => status),
          send({ port }, { to: `${token}@localhost`, subject: 'backup', text: 'failed' }),
        ];
      }),
    );
  const pass = async (minutes: number) => {
    for (const { running } of servers) await running.pass({ minutes });
  };
  const accepted = [202, 250, 202, 250];
  const refused = [404, 550, 404, 550];

  assert.deepEqual(await answersTo(old), accepted);
  const first = await rotate(grace);
  assert.notEqual(first.token, old.token);
  for (const each of [old, first]) assert.deepEqual(await answersTo(each), accepted);
  await pass(grace - 1);
  for (const each of [old, first]) assert.deepEqual(await answersTo(each), accepted);
  await pass(1);
  assert.deepEqual(await answersTo(old), refused);
  assert.deepEqual(await answersTo(first), accepted);

  const second = await rotate(grace);
  const third = await rotate(0);
  // By then no server has the previous one cached.
  await pass(1);
  for (const each of [first, second]) assert.deepEqual(await answersTo(each), refused);
  assert.deepEqual(await answersTo(third), accepted);
});
