// An alert joins while something else is done to its incident, each on a connection of its own. Both wait
// for the incident, one behind the other, so that each order is met.
import assert from 'node:assert/strict';
import { createIds } from '../../src/engine/ids.ts';
import { split } from '../../src/engine/split.ts';
import { alertIdOf } from '../../src/incidents/incident-alerts.ts';
import { transact } from '../../src/storage/database/database.ts';
import { type Pager, story } from './story.ts';

type Integration = Awaited<ReturnType<Pager['integration']>>;
type Work = () => Promise<unknown>;

/** Both want the incident; the first is served first. */
async function inTurn(pager: Pager, first: Work, second: Work): Promise<void> {
  const works: Promise<unknown>[] = [];
  await transact(pager.sql, async (tx) => {
    await tx`select from incidents order by id for update`;
    for (const work of [first, second]) {
      works.push(work());
      await untilWaiting(pager, works);
    }
  });
  await Promise.all(works);
}

/** Until each of them waits for a lock. */
async function untilWaiting({ sql }: Pager, works: readonly Promise<unknown>[]): Promise<void> {
  let ended = 0;
  for (const work of works) void work.finally(() => (ended += 1)).catch(() => {});
  for (;;) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if ((row?.waiting ?? 0) >= works.length) return;
    assert.equal(ended, 0, 'it does not wait for the incident');
  }
}

/** By key, the open incidents that have it, and in which state. */
async function openOf({ sql }: Pager): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows = await sql<{ key: string; text: string }[]>`
    select a.dedup_key as key, i.number || ' ' || a.state as text
    from incident_alerts a
    join incidents i on i.organization_id = a.organization_id and i.id = a.incident_id
    where i.status <> 'resolved'
    union all
    select i.dedup_key, i.number || ' firing' from incidents i
    where i.status <> 'resolved' and not exists (
      select from incident_alerts a
      where a.organization_id = i.organization_id and a.incident_id = i.id)
    order by 1, 2`;
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return Object.fromEntries([...byKey].map(([key, all]) => [key, all.map(({ text }) => text)]));
}

async function splitOff(pager: Pager, on: Integration, key: string) {
  const { ledger } = pager.serve();
  const by = { type: 'user', id: 'eve', name: 'Eve', via: 'api' } as const;
  const context = { ledger, clock: pager.clock, ids: createIds(pager.clock), committed() {} };
  const target = { organizationId: pager.scope.organizationId, id: await pager.idOf(1) };
  const alertIds = [alertIdOf({ integration_id: on.id, dedup_key: key })];
  return split(context, target, { by, alertIds, mayTouch: () => true, repeatable: null });
}

type Race = {
  readonly to: string;
  readonly prepare?: (pager: Pager, on: Integration) => Promise<unknown>;
  readonly work: (pager: Pager, on: Integration) => Promise<unknown>;
  /** What is open if the alert was first, and if it was second. */
  readonly first: Readonly<Record<string, readonly string[]>>;
  readonly second: Readonly<Record<string, readonly string[]>>;
};

const joined = { 'db-1': ['1 firing'], 'db-2': ['1 firing'], 'db-3': ['1 firing'] };
const apart = { ...joined, 'db-3': ['2 firing'] };

const races: readonly Race[] = [
  {
    to: 'resolved',
    work: (pager) => pager.does(1, { type: 'resolve' }),
    first: {},
    second: { 'db-3': ['2 firing'] },
  },
  {
    to: 'acknowledged',
    work: (pager) => pager.does(1, { type: 'acknowledge' }),
    first: joined,
    second: joined,
  },
  {
    to: 'muted',
    work: (pager) => pager.does(1, { type: 'mute', until: null }),
    first: joined,
    second: apart,
  },
  {
    to: 'split',
    work: (pager, on) => splitOff(pager, on, 'db-1'),
    first: { 'db-1': ['2 firing'], 'db-2': ['1 firing'], 'db-3': ['1 firing'] },
    second: { 'db-1': ['2 firing'], 'db-2': ['1 firing'], 'db-3': ['1 firing'] },
  },
  {
    to: 'ended by its tool',
    prepare: (pager, on) => pager.trigger(on, { title: 'db-2', status: 'resolve' }),
    work: (pager, on) => pager.trigger(on, { title: 'db-1', status: 'resolve' }, pager.serve()),
    first: { 'db-1': ['1 resolved'], 'db-2': ['1 resolved'], 'db-3': ['1 firing'] },
    second: { 'db-3': ['2 firing'] },
  },
  {
    to: 'merged into another',
    async prepare(pager) {
      const other = await pager.integration({ steps: [pager.step('lin')] });
      await pager.trigger(other, { title: 'other' });
    },
    work: async (pager) => pager.does(1, { type: 'merge', intoId: await pager.idOf(2) }),
    first: {
      'db-1': ['2 firing'],
      'db-2': ['2 firing'],
      'db-3': ['2 firing'],
      other: ['2 firing'],
    },
    second: {
      'db-1': ['2 firing'],
      'db-2': ['2 firing'],
      'db-3': ['3 firing'],
      other: ['2 firing'],
    },
  },
  {
    to: 'joined by another alert',
    work: (pager, on) => pager.trigger(on, { title: 'db-4' }, pager.serve()),
    first: { ...joined, 'db-4': ['1 firing'] },
    second: { ...joined, 'db-4': ['1 firing'] },
  },
];

for (const { to, prepare, work, first, second } of races)
  for (const [order, expected] of Object.entries({ before: first, after: second }))
    story(
      `an alert that comes ${order} its incident is ${to}, at once, is in one`,
      async (pager) => {
        const on = await pager.integration({
          steps: [pager.step('ada', 30), pager.step('lin')],
          grouping: { by: ['service'] },
        });
        for (const title of ['db-1', 'db-2']) await pager.trigger(on, { title });
        await prepare?.(pager, on);
        await pager.at('09:01');
        pager.heard();
        const server = pager.serve();
        const join = () => pager.trigger(on, { title: 'db-3' }, server);
        const other = () => work(pager, on);
        await (order === 'before' ? inTurn(pager, join, other) : inTurn(pager, other, join));
        assert.deepEqual(await openOf(pager), expected);
        await pager.at('09:02');
        const isOwn = order === 'after' && !expected['db-3']?.includes('1 firing');
        assert.equal(
          pager.heard().some((one) => one.includes('page db-3')),
          isOwn,
        );
      },
    );
