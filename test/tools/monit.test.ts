// Monit with the lines and the script of its guide, while Pager stops: two ports of a host are two
// problems, and the end of one ends exactly it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { eventually } from '../system/eventually.ts';
import { monit } from '../system/monitors.ts';
import { type Files, isMissing } from '../system/program-process.ts';
import { type Monit, startMonit, type Way } from './monit.ts';
import { type Integration, isOpen, startPager } from './pager.ts';

const server = await anyDatabase();

function guideFor(way: Way, integration: Integration): Files {
  const { monitrc = '', 'pager.sh': script = '' } = integration.guideFiles();
  return way === 'as M/Monit' ? { 'pager.monitrc': monitrc } : { 'pager.sh': script };
}

async function agreesInTheEnd(way: Way): Promise<void> {
  await using pager = await startPager(server);
  const integration = await pager.integration('monit');
  {
    await using monitor = await startMonit(way, guideFor(way, integration));
    const agrees = (...names: readonly string[]) => pager.agrees(integration, monitor, ...names);
    const [first, second] = monitor.ports;
    const [one, other] = monitor.ports.map(monitor.nameOfPort);
    assert.ok(first && second && one && other);
    await agrees();
    await monitor.programFails(true);
    await monitor.listens(first, false);
    await agrees('disk', one);
    await monitor.listens(second, false);
    await agrees('disk', one, other);
    await monitor.listens(first, true);
    await agrees('disk', other);

    await pager.stop();
    await monitor.programFails(false);
    await monitor.listens(first, false);
    await reports(monitor, one, other);
    await pager.start();
    await agrees(one, other);

    // In its queue the latter of two events of a service takes the place of one of the same second.
    await pager.stop();
    await monitor.listens(first, true);
    await reports(monitor, other);
    await monitor.listens(second, true);
    await reports(monitor);
    await pager.start();
    await agrees();
  }
  // It has sent what it had to send.
  assert.deepEqual((await pager.incidents(integration)).filter(isOpen), []);
  assert.equal((await pager.incidents(integration)).length, 4);
}

/** It has seen so itself while Pager is stopped. */
async function reports(monitor: Monit, ...wanted: readonly string[]): Promise<void> {
  await eventually(`Monit reports ${wanted.join(', ') || 'nothing'}`, async () => {
    const names = (await monitor.broken()).map(({ name }) => name);
    return names.sort().join() === [...wanted].sort().join();
  });
}

test('what Monit says is broken is open, as if Pager were M/Monit, through stops', async (t) => {
  if (await isMissing(t, monit)) return;
  await agreesInTheEnd('as M/Monit');
});

test('what Monit says is broken is open, by its script, through stops', async (t) => {
  if (await isMissing(t, monit)) return;
  await agreesInTheEnd('by a script');
});
