// Alertmanager mails through Postfix while Pager is stopped: what the relay had to keep, it delivers
// by itself more than a minute later, after the recovery.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/engine/clock.ts';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { isInstalled, startAlertmanager } from '../system/alertmanager-process.ts';
import { eventually } from '../system/eventually.ts';
import { begin, end } from './alertmanager-pair.ts';
import { startPager } from './pager.ts';
import { holds, isRelayMissing, startRelay } from './postfix.ts';

const server = await anyDatabase();

/** A mail that arrives within a minute is not late. */
const RETRY_SECONDS = 70;
const DELIVERED_MILLISECONDS_MAX = 180_000;

test('a problem that a relay delivers after its end pages nobody, and another one does', async (t) => {
  if (await isRelayMissing(t)) return;
  if (!(await isInstalled()))
    return t.skip(skipped('Alertmanager', 'apt-get install prometheus-alertmanager'));
  await using pager = await startPager(server);
  const integration = await pager.integration('email');
  await using relay = await startRelay(pager.mailPort, RETRY_SECONDS);
  const mail = {
    to: integration.emailAddress,
    from: 'alertmanager@example.test',
    smarthost: `127.0.0.1:${relay.port}`,
    require_tls: false,
    send_resolved: true,
  };
  await using alertmanager = await startAlertmanager(
    { email_configs: [mail] },
    { groupBy: ['alertname'] },
  );
  const tool = {
    async broken() {
      const names = (await alertmanager.alerts()).map(({ labels }) => labels['alertname'] ?? '');
      // A mail is about a group, whose labels are its key.
      return names.map((name) => ({ name, key: `alertname=${name}` }));
    },
  };

  await pager.stop();
  await begin(alertmanager, 'DiskFull', systemClock.now());
  await begin(alertmanager, 'BackupFailed', systemClock.now());
  await eventually('both problems are refused', async () => {
    return (await relay.waiting()).filter((one) => one.includes('refused')).length === 2;
  });
  await pager.start();
  await end(alertmanager, 'DiskFull', systemClock.now());
  await eventually('the recovery is there', async () => {
    return (await pager.api().list(`integrations/${integration.id}/events`)).length === 1;
  });
  await holds(relay, 2);
  await eventually(
    'the relay delivers what it was refused',
    () => pager.pagesAbout('BackupFailed') === 1,
    DELIVERED_MILLISECONDS_MAX,
  );
  await holds(relay, 0);
  await pager.agrees(integration, tool, 'BackupFailed');
  await end(alertmanager, 'BackupFailed', systemClock.now());
  await pager.agrees(integration, tool);
  const incidents = await pager.incidents(integration);
  assert.deepEqual(
    incidents.map(({ dedup_key }) => dedup_key),
    ['alertname=BackupFailed'],
  );
  assert.equal(pager.pagesAbout('DiskFull'), 0);
});
