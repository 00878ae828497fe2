// Nagios and Icinga 2 with the commands of their guides: Pager stops, checks flap, downtimes begin
// and end, operators acknowledge. Afterwards what is open is what they say is broken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { eventually } from '../system/eventually.ts';
import { isMissing, type Program } from '../system/program-process.ts';
import { type Checked, icinga2ByPipe, nagiosByPipe, nameOf, startNaemon } from './nagios-family.ts';
import { isOpen, startPager } from './pager.ts';

const server = await anyDatabase();

const service = (name: string): Checked => ({ host: 'db-1', service: name });
const disk = service('disk');
const load = service('load');
const net = service('net');
const raid = service('raid');
const swap = service('swap');
const time = service('time');
const host: Checked = { host: 'db-1' };
const other: Checked = { host: 'db-2' };

async function agreesInTheEnd(slug: string, program: Program): Promise<void> {
  await using pager = await startPager(server);
  const integration = await pager.integration(slug);
  {
    await using naemon = await startNaemon(program, integration.guideFiles());
    const agrees = (...checked: readonly Checked[]) =>
      pager.agrees(integration, naemon, ...checked.map(nameOf));
    const submitAll = (state: number, ...checked: readonly Checked[]) =>
      Promise.all(checked.map((one) => naemon.submit(one, state)));
    await submitAll(0, disk, load, net, raid, swap, time, host, other);
    await agrees();

    await submitAll(1, disk, other, raid);
    await agrees(disk, other, raid);
    await naemon.acknowledge(disk);
    await eventually('the incident of the disk is acknowledged', async () => {
      const all = await pager.incidents(integration);
      return all.find(({ title }) => title.startsWith('db-1/disk'))?.status === 'acknowledged';
    });

    // What they notify of while Pager is stopped, they notify of once it is back.
    await pager.stop();
    await Promise.all([naemon.submit(disk, 0), naemon.submit(load, 2)]);
    await naemon.submit(load, 0);
    await naemon.submit(load, 2);
    await pager.start();
    await agrees(other, raid, load);

    // A recovery during a downtime is not notified of, nor is a problem.
    for (const checked of [raid, swap]) await naemon.downtime(checked, 8);
    for (const checked of [raid, swap]) await naemon.isInDowntime(checked, true);
    await Promise.all([naemon.submit(raid, 0), naemon.submit(swap, 2)]);
    for (const checked of [raid, swap]) await naemon.isInDowntime(checked, false);
    // Nagios notifies of the problem itself at the next check, and else of no recovery.
    await naemon.submit(swap, 2);
    await agrees(other, load, swap);

    // Nor is any of what flaps, until it has settled.
    await Promise.all([naemon.flaps(net), naemon.flaps(time)]);
    await agrees(other, load, swap, net, time);
    await pager.stop();
    await Promise.all([naemon.settles(net, 0), naemon.settles(time, 2)]);
    await pager.start();
    await agrees(other, load, swap, time);

    await submitAll(0, load, swap, time, other);
    await Promise.all([load, net, swap, time].map((one) => naemon.settles(one, 0)));
    await agrees();
  }
  // It has sent what it had to send.
  assert.deepEqual((await pager.incidents(integration)).filter(isOpen), []);
  for (const name of ['disk', 'raid', 'swap'])
    assert.equal(pager.pagesAbout(`db-1/${name}`), 1, name);
  assert.equal(pager.pagesAbout('db-2'), 1);
}

test('what Nagios says is broken is open, through stops, flapping and downtimes', async (t) => {
  if (await isMissing(t, nagiosByPipe)) return;
  await agreesInTheEnd('nagios', nagiosByPipe);
});

test('what Icinga 2 says is broken is open, through stops, flapping and downtimes', async (t) => {
  if (await isMissing(t, icinga2ByPipe)) return;
  await agreesInTheEnd('icinga2', icinga2ByPipe);
});
