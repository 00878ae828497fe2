// The release before made one key of two problems; this one tells them apart.
import assert from 'node:assert/strict';
import type { AlertEvent, Reading } from '../../src/alerts/alert.ts';
import type { IntegrationType } from '../../src/alerts/integration-type.ts';
import { typeOf } from '../../src/api/stored-events.ts';
import { createIds } from '../../src/engine/ids.ts';
import { exchangeNextKeys } from '../../src/engine/key-exchange.ts';
import { silentLog } from '../../src/engine/log.ts';
import { eventReader as reader } from '../event-reader.ts';
import { type Pager, story } from './story.ts';

/** A disk of a host is a problem: the release before took all disks of a host for one. */
const ofHost = (key: string) => key.replace(/ .*/, '');
const before = (alert: AlertEvent) => ({ ...alert, dedup_key: ofHost(alert.dedup_key) });
const now = (alert: AlertEvent) => ({ ...alert, former_key: ofHost(alert.dedup_key) });

const reading = (change: (alert: AlertEvent) => AlertEvent) => ({
  reader,
  typeOf(slug: string, path: string): IntegrationType | undefined {
    const type = typeOf(slug, path);
    return type && { ...type, read: (...sent) => changed(type.read(...sent), change) };
  },
});

const changed = (read: Reading, change: (alert: AlertEvent) => AlertEvent): Reading =>
  'alerts' in read ? { ...read, alerts: read.alerts.map(change) } : read;

const firing = (dedup_key: string) => ({ title: `Disk full: ${dedup_key}`, dedup_key });
const resolved = (dedup_key: string) => ({ ...firing(dedup_key), status: 'resolve' });

async function openedBefore(pager: Pager) {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.sql`update integrations set former_keys = true where id = ${on.id}`;
  const older = pager.serve(reading(before));
  await pager.trigger(on, firing('db-1 sda'), older);
  await pager.trigger(on, firing('db-1 sdb'), older);
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 ada: page Disk full: db-1 sda']);
  const newer = pager.serve(reading(now));
  const exchange = () =>
    exchangeNextKeys({
      ...{ ledger: newer.ledger, clock: pager.clock, log: silentLog },
      ...{ ids: createIds(pager.clock), ...reading(now) },
    });
  return { on, older, newer, exchange };
}

story(
  'what shared an incident is paged as incidents of their own after an upgrade',
  async (pager) => {
    const { on, newer, exchange } = await openedBefore(pager);
    assert.notEqual(await exchange(), null);
    assert.equal(await exchange(), null);
    await pager.work();
    assert.deepEqual(pager.heard(), ['09:00 ada: page Disk full: db-1 sdb']);
    await pager.trigger(on, resolved('db-1 sda'), newer);
    await pager.work();
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
    await pager.trigger(on, firing('db-1 sdb'), newer);
    await pager.trigger(on, resolved('db-1 sdb'), newer);
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
  },
);

story('an acknowledged incident stays so, and so does what shared it', async (pager) => {
  const { on, newer, exchange } = await openedBefore(pager);
  await pager.does(1, { type: 'acknowledge' });
  await exchange();
  await pager.work();
  assert.deepEqual(pager.heard(), []);
  assert.deepEqual(await pager.incidents(), ['1 acknowledged', '2 acknowledged']);
  await pager.trigger(on, resolved('db-1 sdb'), newer);
  assert.deepEqual(await pager.incidents(), ['1 acknowledged', '2 resolved']);
});

story('until then all servers go by the former keys', async (pager) => {
  const { on, older, newer, exchange } = await openedBefore(pager);
  await pager.sql.begin(async (session) => {
    await session`set local application_name = 'pager secret key'`;
    assert.equal(await exchange(), null);
  });
  await pager.trigger(on, firing('db-1 sdc'), newer);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  await pager.trigger(on, resolved('db-1 sda'), newer);
  await pager.trigger(on, firing('db-2 sda'), newer);
  await pager.trigger(on, resolved('db-2 sda'), older);
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
});

story('an incident whose events are gone ends by its former key', async (pager) => {
  const { on, newer, exchange } = await openedBefore(pager);
  await pager.sql`delete from events`;
  await exchange();
  await pager.trigger(on, firing('db-1 sda'), newer);
  assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
  await pager.trigger(on, resolved('db-1 sda'), newer);
  assert.deepEqual(await pager.incidents(), ['1 triggered', '2 resolved']);
  await pager.trigger(on, resolved('db-1 sdb'), newer);
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
});

story('later incidents count earlier ones as repeats, under either key', async (pager) => {
  const { on, older, newer, exchange } = await openedBefore(pager);
  await pager.trigger(on, resolved('db-1 sda'), older);
  await exchange();
  await pager.trigger(on, firing('db-1 sda'), newer);
  const [{ repeat_count } = { repeat_count: 0 }] = await pager.sql<{ repeat_count: number }[]>`
    select repeat_count from incidents where number = 2`;
  assert.equal(repeat_count, 1);
});

story('what was opened by a key after the exchange does not end by a former key', async (pager) => {
  const { on, newer, exchange } = await openedBefore(pager);
  await pager.trigger(on, resolved('db-1 sda'), newer);
  await exchange();
  pager.awayUntil('09:01');
  await pager.trigger(on, firing('db-1'), newer);
  await pager.trigger(on, resolved('db-1 sdb'), newer);
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
});
