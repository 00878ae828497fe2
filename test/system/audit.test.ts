import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../src/engine/log.ts';
import { databaseLimits } from '../../src/limits/database.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { childEnvironment } from '../child-environment.ts';
import { testDatabase } from '../database.ts';
import { postJson } from './api-client.ts';
import { startDatabaseRelay } from './database-relay.ts';
import { eventually } from './eventually.ts';
import { createInstallation, type Installation } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const skip = !existsSync('/dev/full') && 'only Linux has a device that is always full';

test('the audit ends with 0, 1 or 2: all is sound, these rows are not, nobody can tell', async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await createInstallation({ PAGER_DATABASE_URL: database.url });
  const none = await installation.audit();
  assert.equal(none.code, 2, none.output);
  assert.match(none.output, /there is no secret key/);

  const server = await installation.start();
  const [{ webhook_url }] = await server.api.list('integrations');
  await postJson(`${server.url}${new URL(webhook_url).pathname}`, { title: 'disk full' });
  await using opened = await openDatabase({ url: database.url, log: silentLog });
  const { sql } = opened;
  await eventually('the page is sent', async () => {
    const sent = await sql`select from outbox where state = 'sent'`;
    return sent.length > 0;
  });
  const sound = await installation.audit();
  assert.equal(sound.code, 0, sound.output);
  assert.match(sound.output, /^0 findings in 1 incidents, 1 timeline_heads, 1 outbox, 1 attempts/m);

  const [changed] = await sql<{ id: string }[]>`
    update timeline set text = 'Nobody was asleep' where type = 'opened' returning id`;
  const unsound = await installation.audit('--json');
  assert.equal(unsound.code, 1, unsound.output);
  const [finding, ending] = unsound.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([finding.check, finding.row.entry_id], ['chains_are_whole', changed?.id]);
  assert.deepEqual([ending.findings, ending.checked_rows.incidents], [1, 1]);
  // Its first look, at the start, was too early for that.
  await server.stop();
  const again = await installation.start();
  await eventually('the server finds it too', async () => {
    const metrics = await fetch(`${again.url}/metrics`);
    return (await metrics.text()).includes('pager_audit_findings 1');
  });

  const wrong = await installation.audit('--all');
  assert.equal(wrong.code, 2, wrong.output);
  assert.match(wrong.output, /pagerctl audit \[--json\]/);
});

test('an audit that waits for longer than a stop may take goes on', async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await withIncident({ PAGER_DATABASE_URL: database.url });
  await using opened = await openDatabase({ url: database.url, log: silentLog });
  const { sql } = opened;
  const audit = installation.launch({}, 'audit');
  await sql.begin(async (tx) => {
    await tx`lock table timeline_heads in access exclusive mode`;
    await eventually('the audit waits', async () => {
      const waiting = await sql`
        select from pg_stat_activity
        where application_name = 'pager audit' and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    });
    // Longer than a pool waits for its statements when it is closed.
    await tx`select pg_sleep(${databaseLimits.endTime + 1})`;
  });
  assert.equal(await audit.ended, 0, audit.output());
});

test('an audit or a backup that loses its connection reads on by another', async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await withIncident({ PAGER_DATABASE_URL: database.url });
  for (const [verb, breaksAt] of [
    ['audit', 'from "timeline_heads"'],
    ['backup', 'copy "timeline" '],
  ] as const) {
    await using relay = await startDatabaseRelay(
      database.url,
      (sent, connection) => connection === 1 && sent.includes(breaksAt),
    );
    const words = verb === 'backup' ? [verb, join(installation.dataDir, 'backup')] : [verb];
    const read = installation.launch({ PAGER_DATABASE_URL: relay.url }, ...words);
    assert.equal(await read.ended, 0, read.output());
    assert.match(
      read.output(),
      /^(0 findings in 1 incidents, 1 timeline_heads, |\S+ has \d+ tables)/m,
    );
    assert.equal(relay.connections(), 2);
  }
});

test('an audit whose output is lost is no audit without findings', { skip }, async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await withIncident({ PAGER_DATABASE_URL: database.url });
  const program = join(import.meta.dirname, '..', '..', 'bin', 'pagerctl.js');
  const env = { ...childEnvironment(), ...installation.settings };
  const command = `"$0" "$1" audit >/dev/full`;
  const audit = spawn('sh', ['-c', command, process.execPath, program], { env, stdio: 'pipe' });
  const [text, [code]] = await Promise.all([audit.stderr.toArray(), once(audit, 'exit')]);
  assert.equal(code, 2);
  assert.equal(text.join(''), 'The output could not be written: the disk is full\n');
});

test('a command whose connections are all lost ends with a sentence and its exit code', async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await withIncident({ PAGER_DATABASE_URL: database.url });
  const file = join(installation.dataDir, 'backup');
  const backup = installation.launch({}, 'backup', file);
  assert.equal(await backup.ended, 0, backup.output());
  const commands = [
    ['audit', 2, 'The ledger could not be checked'],
    [`backup ${file} --force`, 1, 'No backup was made'],
    [`restore ${file} --yes`, 1, 'Nothing was restored'],
    ['rotate-secret-key', 1, 'The secret key was not changed'],
    ['reset-password owner@example.test', 1, 'The password was not changed'],
    ['send-test owner@example.test', 1, 'No test page was sent'],
  ] as const;
  await Promise.all(
    commands.map(async ([line, code, begins]) => {
      // After the check of the server and the types, which are read by every connection.
      const isQuery = (sent: string) =>
        /\b(from|into|update|set) /.test(sent) && !sent.includes('pg_catalog');
      await using relay = await startDatabaseRelay(database.url, isQuery);
      const command = installation.launch({ PAGER_DATABASE_URL: relay.url }, ...line.split(' '));
      assert.equal(await command.ended, code, command.output());
      const sentence = 'the database is unavailable: the connection was lost';
      // Backup and restore name the database first.
      const output = command.output().replace(/^(Backing up|The backup of) .*\n/, '');
      assert.equal(output, `${begins}: ${sentence}\n`);
    }),
  );
});

/** A server that has opened one incident, paged for it, and stopped. */
async function withIncident(settings: Record<string, string>): Promise<Installation> {
  const installation = await createInstallation(settings);
  const server = await installation.start();
  const [{ webhook_url }] = await server.api.list('integrations');
  await postJson(`${server.url}${new URL(webhook_url).pathname}`, { title: 'disk full' });
  await eventually('the page is sent', async () => {
    const { body } = await server.api.send('GET /incidents/1/timeline');
    return body.data.some(({ type }: { type: string }) => type === 'notice_sent');
  });
  assert.equal(await server.stop(), 0);
  return installation;
}
