// What a start tells: where everything is, or in one sentence why it cannot be.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { testDatabase } from '../database.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { withoutMailServer } from './mail-sink.ts';
import { createInstallation, killIfThere } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const emptyDatabase = () => testDatabase({ server: postgres, migrations: 'none' });

test('a port that is taken is one sentence that names its setting', async () => {
  await using database = await emptyDatabase();
  await using installation = await createInstallation({ PAGER_DATABASE_URL: database.url });
  await using taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const address = taken.address();
  assert.ok(address !== null && typeof address === 'object');
  const listen = `127.0.0.1:${address.port}`;
  for (const setting of ['PAGER_LISTEN', 'PAGER_EMAIL_LISTEN']) {
    const program = installation.launch({ [setting]: listen, PAGER_LOG_FORMAT: 'text' });
    assert.equal(await program.ended, 1);
    const [last = ''] = program.output().trimEnd().split('\n').slice(-1);
    const refusal = `Pager cannot start: ${setting} is ${listen}, and another program, perhaps Pager itself, listens there`;
    assert.ok(last.includes(refusal), program.output());
    assert.doesNotMatch(program.output(), /EADDRINUSE|\n +at /);
  }
});

test('a server whose terminal is closed stops as if it were told to', async () => {
  await using database = await emptyDatabase();
  await using installation = await createInstallation({ PAGER_DATABASE_URL: database.url });
  const server = await installation.start();
  killIfThere(server.pid, 'SIGHUP');
  assert.equal(await server.ended, 0);
  assert.match(server.output(), /"signal":"SIGHUP"/);
});

test('every start tells the addresses and where mail goes, to eyes and to programs', async () => {
  await using database = await emptyDatabase();
  await using installation = await createInstallation({
    ...withoutMailServer,
    PAGER_DATABASE_URL: database.url,
  });
  const url = 'https://pager.example.test';
  const shown = { PAGER_PUBLIC_URL: url, PAGER_LOG_FORMAT: 'text' };
  for (const start of ['first', 'second']) {
    const server = await installation.start(shown);
    await server.stop();
    const output = server.output();
    assert.match(output, /Pager is ready and listens on 127\.0\.0\.1:\d+\./, start);
    assert.match(output, /Dashboard +https:\/\/pager\.example\.test\/\n/);
    assert.match(output, /API +https:\/\/pager\.example\.test\/api\/v1\n/);
    assert.match(
      output,
      /Events in +https:\/\/pager\.example\.test\/hooks\/<token>\/push-events\n/,
    );
    assert.match(output, /Alert mail +<token>@alerts\.test by SMTP at 127\.0\.0\.1:\d+\n/);
    assert.match(output, /Mail +written to .*\/mail, because no mail server is set up\n/);
    assert.doesNotMatch(output, /^\{/m, 'nothing for programs');
  }
  const smtp = { PAGER_SMTP_URL: `smtp://u:hunter2@127.0.0.1:${await freePort()}` };
  const server = await installation.start({ ...smtp, PAGER_MAIL_FROM: 'pager@example.test' });
  const trouble = 'mail cannot be sent: nothing listens at the address of the mail server';
  await eventually('it is told that no mail can be sent', () => server.output().includes(trouble));
  await server.stop();
  const lines = server.output().trim().split('\n');
  const ready = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'Pager is ready');
  assert.equal(ready.api, `${installation.settings['PAGER_PUBLIC_URL']}/api/v1`);
  assert.match(ready.mail, /^sent through 127\.0\.0\.1:\d+$/);
  assert.doesNotMatch(server.output(), /hunter2/);
});
