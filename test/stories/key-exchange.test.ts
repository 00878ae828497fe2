// The release before made one key of two problems; this one tells them apart.
import assert from 'node:assert/strict';
import type { AlertEvent, Reading } from '../../src/alerts/alert.ts';
import type { IntegrationType } from '../../src/alerts/integration-type.ts';
import { typeOf } from '../../src/api/events/stored-events.ts';
import { createIds } from '../../src/engine/ids.ts';
import { createKeyExchange, exchangeNextKeys } from '../../src/engine/key-exchange.ts';
import { silentLog } from '../../src/engine/log.ts';
import { eventReader as reader } from '../event-reader.ts';
import { type Pager, story } from './story.ts';

/** How the release before read a message, and this one does. */
type Readings = {
  readonly before: (alert: AlertEvent) => AlertEvent;
  readonly now: (alert: AlertEvent) => AlertEvent;
};

/** A disk of a host is a problem: the release before took all disks of a host for one. */
const ofHost = (key: string) => key.replace(/ .*/, '');
const disks: Readings = {
  before: (alert) => ({ ...alert, dedup_key: ofHost(alert.dedup_key) }),
  now: (alert) => ({ ...alert, former_key: ofHost(alert.dedup_key) }),
};

/** The release before knew no state in a title: each was a problem of its own. */
const titles: Readings = {
  before: ({ title, ...alert }) => ({ ...alert, title, action: 'trigger', dedup_key: title }),
  now: (alert) => ({ ...alert, former_key: alert.title }),
};

const reading = (change: (alert: AlertEvent) => AlertEvent, own = reader) => ({
  reader: own,
  typeOf(slug: string, path: string): IntegrationType | undefined {
    const type = typeOf(slug, path);
    return type && { ...type, read: (...sent) => changed(type.read(...sent), change) };
  },
});

const changed = (read: Reading, change: (alert: AlertEvent) => AlertEvent): Reading =>
  'alerts' in read ? { ...read, alerts: read.alerts.map(change) } : read;

const firing = (dedup_key: string) => ({ title: `Disk full: ${dedup_key}`, dedup_key });
const resolved = (dedup_key: string) => ({ ...firing(dedup_key), status: 'resolve' });

/** An integration that the release before knew, and servers of both. */
async function upgraded(pager: Pager, { before, now }: Readings) {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.sql`update integrations set former_keys = true where id = ${on.id}`;
  const older = pager.serve(reading(before));
  const newer = pager.serve(reading(now));
  const options = (own = reader) => ({
    ledger: newer.ledger,
    clock: pager.clock,
    log: silentLog,
    faults: pager.faults,
    ids: createIds(pager.clock),
    ...reading(now, own),
  });
  return { on, older, newer, options, exchange: () => exchangeNextKeys(options()) };
}

async function openedBefore(pager: Pager) {
  const world = await upgraded(pager, disks);
  const { on, older } = world;
  await pager.trigger(on, firing('db-1 sda'), older);
  await pager.trigger(on, firing('db-1 sdb'), older);
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 ada: page Disk full: db-1 sda']);
  return world;
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

story('a key that the exchange made again does not end by a former key', async (pager) => {
  const { on, older, newer, exchange } = await upgraded(pager, disks);
  await pager.trigger(on, firing('db-1'), older);
  await exchange();
  await pager.trigger(on, resolved('db-1 sda'), newer);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  await pager.trigger(on, resolved('db-1'), newer);
  assert.deepEqual(await pager.incidents(), ['1 resolved']);
});

story('what the release before left open ends, as its source reported', async (pager) => {
  const { on, older, newer, exchange } = await upgraded(pager, titles);
  const titled = (title: string, server = older) => pager.trigger(on, { title }, server);
  await titled('PROBLEM: db down');
  await titled('OK: db down');
  await titled('PROBLEM: web down');
  pager.awayUntil('09:00:01');
  await titled('OK: web down', newer);
  await titled('PROBLEM: mail down');
  await titled('OK: disk full');
  await titled('PROBLEM: disk full');
  await pager.work();
  pager.heard();
  const before = [1, 2, 3, 4, 5, 6].map((number) => `${number} triggered`);
  assert.deepEqual(await pager.incidents(), before);
  await exchange();
  await pager.work();
  const after = ['1 resolved', '2 resolved', '3 resolved'];
  const lasting = ['4 triggered', '5 resolved', '6 triggered'];
  assert.deepEqual(await pager.incidents(), [...after, ...lasting]);
  assert.deepEqual((await pager.timeline(1)).slice(-3), [
    ...['ended_before_upgrade', 'resolved', 'notice_sent'],
  ]);
  assert.deepEqual(
    pager.heard().map((one) => one.replace(/ .*?: (\w+) .*/, ' $1')),
    Array(4).fill('09:00 all_clear'),
  );
  await titled('OK: mail down', newer);
  await titled('PROBLEM: disk full', newer);
  assert.deepEqual(await pager.incidents(), [...after, '4 resolved', '5 resolved', '6 triggered']);
});

story('an integration that fails does not hold up the others', async (pager) => {
  const { on, older, options } = await openedBefore(pager);
  const next = await pager.integration({ steps: [pager.step('lin')] });
  await pager.sql`update integrations set former_keys = true where id = ${next.id}`;
  await pager.trigger(next, firing('db-2 sda'), older);
  const failing: typeof reader = {
    ...reader,
    stored(event, ...by) {
      if (event.integration_id === on.id) throw new Error('it cannot be read');
      return reader.stored(event, ...by);
    },
  };
  for (let turns = 0; (await exchangeNextKeys(options(failing))) !== null; turns += 1)
    assert.ok(turns < 5, 'it is tried again and again');
  assert.deepEqual(pager.failed, ['record']);
  const left = await pager.sql`select id from integrations where former_keys`;
  assert.deepEqual([...left], [{ id: on.id }]);
  pager.awayUntil('09:11');
  assert.notEqual(await exchangeNextKeys(options()), null);
  assert.deepEqual([...(await pager.sql`select id from integrations where former_keys`)], []);
});

story('while stored events are read, nothing is locked', async (pager) => {
  const { on, options } = await openedBefore(pager);
  let read = 0;
  let by: IntegrationType | undefined;
  const apart: typeof reader = {
    ...reader,
    stored(_event, type) {
      by = type;
      return null;
    },
    async storedApart(event, integration) {
      read += 1;
      await pager.sql`select from integrations where id = ${on.id} for update nowait`;
      await pager.sql`select from incidents for update nowait`;
      const reading = by && reader.stored(event, by, integration);
      return reading ?? { unreadable: 'it takes too much work' };
    },
  };
  await exchangeNextKeys(options(apart));
  assert.deepEqual([read, pager.failed], [2, []]);
  assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
});

story('keys are exchanged when two looks see no server of the release before', async (pager) => {
  const { options } = await openedBefore(pager);
  const exchange = createKeyExchange(options(), () => {});
  const isDone = async () =>
    (await pager.sql`select from integrations where former_keys`).length === 0;
  const checkAt = async (hour: string, next: string) => {
    pager.awayUntil(hour);
    await exchange.work();
    assert.equal(`${await exchange.next()}`.slice(11, 19), next);
    return isDone();
  };
  const named = (name: string) =>
    pager.sql.reserve().then(async (session) => {
      await session`select set_config('application_name', ${name}, false)`;
      return session;
    });
  const older = await named('pager secret key');
  assert.equal(await checkAt('09:01', '09:02:00'), false);
  await older`select set_config('application_name', 'pager', false)`;
  assert.equal(await checkAt('09:02', '09:03:00'), false);
  // The database was lost meanwhile: this server has another connection to it.
  const newer = await named('pager key lock');
  assert.equal(await checkAt('09:03', '09:04:00'), false);
  assert.equal(await checkAt('09:03:30', '09:04:00'), false);
  assert.equal(await checkAt('09:04', '09:04:00'), true);
  older.release();
  newer.release();
});
