// Monitoring programs that are set up as their guides say page when a check fails, and resolve.
import { test } from 'node:test';
import { guideFile } from '../alert-reading.ts';
import { anyDatabase } from '../database.ts';
import { icinga2, type Monitor, monit, monitByScript, nagios, startMonitor } from './monitors.ts';
import { isMissing } from './program-process.ts';
import { openScene, type Scene } from './scene.ts';

const server = await anyDatabase();

/** What plugins say has every character that a shell minds. */
const problem = `DISK CRITICAL: "/" is 98% full; it's bad & $(id) \`id\``;

/** Where the script of a guide stands. */
const inFolder = { '/usr/local/bin/': '{folder}/' };

async function pagesAndResolves(
  scene: Scene,
  monitor: Monitor,
  titles: readonly RegExp[],
): Promise<void> {
  await monitor.finds(problem);
  for (const title of titles) await scene.paged(title);
  await scene.become(...titles.map(() => 'triggered'));
  await monitor.finds('');
  await scene.become(...titles.map(() => 'resolved'));
}

test('Monit pages and resolves, as if Pager were M/Monit', async (t) => {
  if (await isMissing(t, monit)) return;
  await using scene = await openScene(server);
  const lines = await scene.guideFile('monit', 'monitrc');
  const guide = { 'pager.monitrc': lines.replace('/var/lib/monit/', '{folder}/') };
  await using monitor = await startMonitor(monit, guide);
  await pagesAndResolves(scene, monitor, [/disk: .*98% full; it's bad/]);
});

test('Monit pages by a script though Pager was away, and resolves', async (t) => {
  if (await isMissing(t, monitByScript)) return;
  await using scene = await openScene(server);
  const guide = { 'pager.sh': await scene.guideFile('monit', '/etc/monit/pager.sh') };
  await using monitor = await startMonitor(monitByScript, guide);
  await pagesAndResolves(scene, monitor, [/disk: .*98% full; it's bad/]);
  await monitor.triedAgain();
});

test('Nagios pages for a service and a host though Pager was away, and resolves', async (t) => {
  if (await isMissing(t, nagios)) return;
  await using scene = await openScene(server);
  const guide = {
    'pager-send': await scene.guideFile('nagios', 'pager-send'),
    'pager.cfg': guideFile('nagios', 'pager.cfg', inFolder),
  };
  await using monitor = await startMonitor(nagios, guide);
  await pagesAndResolves(scene, monitor, [
    /db-1\/disk: DISK CRITICAL: .*98% full/,
    /db-2: DISK CRITICAL: .*98% full/,
  ]);
  await monitor.triedAgain();
});

test('Icinga 2 pages for a service and a host though Pager was away, and resolves', async (t) => {
  if (await isMissing(t, icinga2)) return;
  await using scene = await openScene(server);
  const guide = {
    'pager-send': await scene.guideFile('icinga2', 'pager-send'),
    'pager.conf': guideFile('icinga2', '/etc/icinga2/conf.d/pager.conf', inFolder),
  };
  await using monitor = await startMonitor(icinga2, guide);
  await pagesAndResolves(scene, monitor, [
    /db-1\/disk: DISK CRITICAL: .*it's bad/,
    /db-2: DISK CRITICAL: .*it's bad/,
  ]);
  await monitor.triedAgain();
});
