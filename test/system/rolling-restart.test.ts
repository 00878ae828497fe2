// A server that is asked to stop, and servers behind a balancer that restart one after another.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runningLimits } from '../../src/limits/running.ts';
import { testDatabase } from '../database.ts';
import { haproxy, nginx, startHaproxy, startNginx } from './balancers.ts';
import { eventually } from './eventually.ts';
import { startChatServer } from './notice-servers.ts';
import { isMissing } from './program-process.ts';
import { keepAliveAgent, restartInTurn, sent } from './rolling-restart.ts';
import { createInstallation, killIfThere } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();

test('servers behind HAProxy and nginx that restart in turn refuse no event', async (t) => {
  if ((await isMissing(t, haproxy)) || (await isMissing(t, nginx))) return;
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  const answers = await restartInTurn({
    settings: {
      PAGER_DATABASE_URL: database.url,
      PAGER_SECRET_KEY: 'k'.repeat(40),
      PAGER_BOOTSTRAP_API_KEY: `pgr_${'0123456789'.repeat(4)}`,
      // Longer than HAProxy takes to see that a server is about to stop.
      PAGER_DRAIN_SECONDS: '5',
    },
    balancers: [startHaproxy, startNginx],
    senders: 3,
    pauseMilliseconds: 20,
  });
  const others = answers.filter(({ status }) => status !== 202);
  assert.deepEqual(others, [], `${others.length} of ${answers.length}`);
});

test('a server that is about to stop serves, pages, and says that it stops', async () => {
  await using chat = await startChatServer('answers');
  await using installation = await createInstallation({
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    PAGER_DRAIN_SECONDS: '300',
  });
  const server = await installation.start();
  const [service] = await server.api.list('services');
  const policy = await server.api.create('escalation-policies', {
    name: 'Chat',
    steps: [{ targets: [{ via: 'slack', webhook_url: chat.url }] }],
  });
  const { webhook_url: hook } = await server.api.create('integrations', {
    slug: 'webhook',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  using agent = keepAliveAgent();
  const readyz = () => sent(agent, `${server.url}/readyz`);
  assert.equal((await readyz()).headers.connection, 'keep-alive');

  killIfThere(server.pid, 'SIGTERM');
  const draining = await eventually('it says that it stops', async () => {
    const answer = await readyz();
    return answer.status === 503 && answer;
  });
  assert.equal(draining.headers.connection, 'close');
  for (const title of ['first', 'second']) {
    const { status, headers } = await sent(agent, hook, { title });
    assert.deepEqual([status, headers.connection], [202, 'close']);
  }
  const isPaged = () => chat.messages.some((message) => message.includes('second'));
  await eventually('it pages', isPaged);
  const { status, headers } = await sent(agent, `${server.url}/no%ZZsuch`);
  assert.deepEqual([status, headers.connection], [400, 'close']);
  assert.equal((await sent(agent, `${server.url}/healthz`)).status, 200);

  killIfThere(server.pid, 'SIGTERM');
  assert.equal(await server.ended, 0, server.output());
  assert.match(server.output(), /draining: requests are still served/);
});

test('the unit for systemd leaves a server time to stop after its drain', async () => {
  const file = join(import.meta.dirname, '..', '..', 'release', 'systemd', 'pager.service');
  const unit = await readFile(file, 'utf8');
  const [drain, stop] = [/PAGER_DRAIN_SECONDS=(\d+)/, /TimeoutStopSec=(\d+)/].map((pattern) =>
    Number(pattern.exec(unit)?.[1]),
  );
  assert.ok(stop !== undefined && drain !== undefined && drain > 0);
  // And its PostgreSQL after it.
  assert.ok(stop - drain >= (2 * runningLimits.stopTime) / 1_000, `${stop} and ${drain}`);
});
