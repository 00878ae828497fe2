import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../src/engine/log.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { testDatabase } from '../database.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { createInstallation } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();

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
