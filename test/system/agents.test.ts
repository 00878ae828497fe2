// Agents that are set up as their guides say page, and resolve.
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { collectd, putUsedPercent, sendTrap, snmptrapd } from './agents.ts';
import { freePort } from './free-port.ts';
import { isInstalled as hasNetdata, notifyOf } from './netdata-notifier.ts';
import { isMissing, startProgram } from './program-process.ts';
import { openScene } from './scene.ts';

const server = await anyDatabase();

test('Netdata pages and resolves by its custom sender', async (t) => {
  if (!(await hasNetdata()))
    return t.skip(skipped("Netdata's notifier", 'apt-get install netdata-plugins-bash'));
  await using scene = await openScene(server);
  const settings = await scene.guideFile('netdata', 'health_alarm_notify.conf');
  await notifyOf({ id: 1, from: 'CLEAR', to: 'WARNING' }, { settings });
  await scene.paged(/web-01: payments queue/);
  await notifyOf({ id: 2, from: 'WARNING', to: 'CRITICAL' }, { settings });
  await scene.become('triggered');
  await notifyOf({ id: 3, from: 'CRITICAL', to: 'CLEAR' }, { settings });
  await scene.become('resolved');
});

test('snmptrapd pages for a link that is down, and resolves when it is up', async (t) => {
  const port = await freePort();
  const program = snmptrapd(port);
  if (await isMissing(t, program)) return;
  await using scene = await openScene(server);
  const lines = await scene.guideFile('snmptrap', 'snmptrapd.conf');
  await using _ = await startProgram(program, {
    'snmptrapd.conf': lines.replace('/usr/local/bin/', '{folder}/'),
    'pager-trap': await scene.guideFile('snmptrap', 'pager-trap'),
  });
  await sendTrap(port, 'linkDown');
  await scene.paged(/linkDown eth7/);
  await sendTrap(port, 'linkUp');
  await scene.become('resolved');
});

test('collectd pages for a full disk, and resolves', async (t) => {
  if (await isMissing(t, collectd)) return;
  await using scene = await openScene(server);
  const guide = { 'pager.conf': await scene.guideFile('collectd', 'collectd.conf') };
  await using running = await startProgram(collectd, guide);
  await putUsedPercent(running, 97);
  await scene.paged(/db-1/);
  await putUsedPercent(running, 20);
  await scene.become('resolved');
});
