import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import type { ClaimRequest, OutboxKey } from '../../engine/ports/sending.ts';
import type { SendingRooms } from '../../engine/sending/fair-shares.ts';
import type { Sql } from '../database/database.ts';
import { claimable, lockDueNotices, locked } from './due.ts';

/** Pending rows that are alike; `i` is the number of each. */
type Rows = {
  readonly count: number;
  readonly organizationId?: string;
  readonly recipientKey?: string;
  readonly channel?: string;
  readonly rank?: number;
  readonly orderingKey?: string;
  readonly wakeAt?: Temporal.Instant;
  readonly triedAt?: Temporal.Instant;
};

async function insert(sql: Sql, rows: Rows): Promise<void> {
  const {
    count,
    recipientKey = "'email ada'",
    channel = 'email',
    rank = 0,
    orderingKey = 'null',
  } = rows;
  const { wakeAt = noon, organizationId = '0'.repeat(24), triedAt = null } = rows;
  await sql`
    insert into outbox (organization_id, key, kind, channel, recipient_key, notice, cycle, step,
      rank, ordering_key, sequence, state, attempts, created_at, wake_at, tried_at)
    select ${organizationId}, ${JSON.stringify(rows)} || i, 'page', ${channel},
      ${sql.unsafe(recipientKey)}, '{}', 0, 0, ${rank}, ${sql.unsafe(orderingKey)}, i, 'pending', 0,
      ${noon}::timestamptz + i * interval '1 ms' - interval '1 h', ${wakeAt},
      ${triedAt}::timestamptz
    from generate_series(1, ${count}) i`;
}

type RequestFields = Partial<Pick<ClaimRequest, 'busy' | 'rooms' | 'limit'>>;
const request = (fields: RequestFields): ClaimRequest => ({
  now: noon,
  leaseUntil: later(1),
  limit: 100,
  busy: [],
  perRecipient: 4,
  ...fields,
});

type ClaimedRow = { readonly recipient_key: string; readonly rank: number };
const claimedRows = (sql: Sql, fields: RequestFields = {}) =>
  sql.begin((tx) => tx<ClaimedRow[]>`select * from (${claimable(tx, request(fields))}) found`);

/** As it is planned when it is run, which is not how it is explained. */
const touched = (sql: Sql, fields: RequestFields): Promise<number> =>
  sql.begin(async (tx) => {
    const before = await pagesRead(tx, 'outbox');
    await tx`${claimable(tx, request(fields))}`;
    return (await pagesRead(tx, 'outbox')) - before;
  });

type Plan = { readonly [name: string]: unknown; readonly Plans?: readonly Plan[] };

/** By which index the notices that were chosen are read. */
async function indexUsed(sql: Sql): Promise<unknown> {
  const chosen = await sql<OutboxKey[]>`select organization_id, key from outbox limit 100`;
  const [row] = await sql.begin(
    (tx) =>
      tx<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`
        explain (format json) ${locked(tx, request({}), chosen)}`,
  );
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
  const nodes = (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodesOf(Plan));
  return nodes.find((node) => node['Alias'] === 'o')?.['Index Name'];
}

const many = 10_000;
const hook = { channel: 'webhook', recipientKey: "'webhook x'" };
const costs: Readonly<Record<string, { readonly rows: readonly Rows[] } & RequestFields>> = {
  'a busy recipient': { rows: [{ count: many }], busy: ['email ada'] },
  'what is to be tried again later': { rows: [{ count: many, wakeAt: later(1) }] },
  'an ordering key whose first is under way': {
    rows: [
      { count: 1, ...hook, orderingKey: "'webhook x 1'", wakeAt: later(1) },
      { count: many, ...hook, orderingKey: "'webhook x 1'" },
    ],
  },
  'the ordering keys of a busy recipient': {
    rows: [{ count: many, ...hook, orderingKey: "'webhook x ' || i" }],
    busy: ['webhook x'],
  },
  'the ordering keys of one that is not': {
    rows: [{ count: many, ...hook, orderingKey: "'webhook x ' || i" }],
  },
  'as many recipients, all to be paged': { rows: [{ count: many, recipientKey: "'email ' || i" }] },
};
/** All of them would be some 150 pages of the table alone, and their look-ups many thousands. */
const touchedMax = 350;

const crowded = 'c'.repeat(24);

/** Room for nothing more of those that are named, and for anything else. */
function buildRooms(names: Partial<Record<keyof SendingRooms, readonly string[]>>): SendingRooms {
  const rooms = (full: readonly string[] = []) => ({
    each: 100,
    of: new Map(full.map((name) => [name, 0])),
  });
  const { channels, organizations, calls, lanes } = names;
  return {
    channels: rooms(channels),
    organizations: rooms(organizations),
    calls: rooms(calls),
    lanes: rooms(lanes),
  };
}

type Case = { readonly rows: readonly Rows[]; readonly finds: unknown } & RequestFields;
const crowd: Rows = { count: 2_000 };
const cases: Readonly<Record<string, Case>> = {
  'beside a busy recipient another is found': {
    rows: [crowd, { count: 1, recipientKey: "'email lin'", rank: 2 }],
    busy: ['email ada'],
    finds: ['2 email lin'],
  },
  'and so are first pages before reminders': {
    rows: [
      crowd,
      { count: 2_000, rank: 1 },
      { count: 1, recipientKey: "'email lin'", rank: 1 },
      { count: 1, recipientKey: "'email zoe'", rank: 0 },
    ],
    busy: ['email ada'],
    finds: ['0 email zoe', '1 email lin'],
  },
  'the first of each ordering key, however many wait behind it': {
    rows: [
      { count: 2_000, ...hook, orderingKey: "'webhook x 1'" },
      { count: 1, ...hook, orderingKey: "'webhook x 2'" },
      {
        count: 2_000,
        channel: 'webhook',
        recipientKey: "'webhook y'",
        orderingKey: "'webhook y 3'",
      },
    ],
    finds: ['0 webhook x', '0 webhook x', '0 webhook y'],
  },
  'no calls when no more may be under way': {
    rows: [
      { ...crowd, ...hook, orderingKey: "'webhook x ' || i" },
      { count: 1_000, ...hook },
      { count: 1, recipientKey: "'email lin'" },
    ],
    rooms: buildRooms({ channels: ['webhook'] }),
    finds: ['0 email lin'],
  },
  'none of an organisation that has its share under way': {
    rows: [
      { ...crowd, organizationId: crowded, recipientKey: "'slack ' || i" },
      { count: 1_000, organizationId: crowded, ...hook, orderingKey: "'webhook x ' || i" },
      { count: 1, recipientKey: "'email lin'", rank: 2 },
    ],
    rooms: buildRooms({ organizations: [crowded] }),
    finds: ['2 email lin'],
  },
  'no calls of an organisation that has its share of calls under way': {
    rows: [
      { count: 1_000, organizationId: crowded, ...hook, orderingKey: "'webhook x ' || i" },
      { count: 1, ...hook, recipientKey: "'webhook y'", orderingKey: "'webhook y 1'" },
      { count: 1, organizationId: crowded, recipientKey: "'email lin'", rank: 2 },
    ],
    rooms: buildRooms({ calls: [crowded] }),
    finds: ['0 webhook y', '2 email lin'],
  },
};

for (const server of await databases())
  describe(`${server.name}: claims`, () => {
    for (const [title, { rows, ...fields }] of Object.entries(costs))
      test(`cost no more for ${title}`, async () => {
        await using database = await testDatabase({ server, maxConnections: 1 });
        for (const some of rows) await insert(database.sql, some);
        const pages = await touched(database.sql, fields);
        assert.ok(pages <= touchedMax, `${pages} pages are looked at`);
      });

    for (const [title, { rows, finds, ...fields }] of Object.entries(cases))
      test(title, async () => {
        await using database = await testDatabase({ server, maxConnections: 1 });
        for (const some of rows) await insert(database.sql, some);
        const all = await claimedRows(database.sql, fields);
        assert.deepEqual(
          all.map(({ rank, recipient_key }) => `${rank} ${recipient_key}`).sort(),
          finds,
        );
      });

    for (const count of [1_000, 4_000, 16_000])
      test(`what is chosen among ${count} is read by its key`, async () => {
        await using database = await testDatabase({ server, maxConnections: 1 });
        await insert(database.sql, { count });
        await database.sql`analyze outbox`;
        assert.equal(await indexUsed(database.sql), 'outbox_pkey');
      });

    test('whoever was never tried goes before all that are tried again', async () => {
      await using database = await testDatabase({ server, maxConnections: 1 });
      const { sql } = database;
      await insert(sql, { count: 5, recipientKey: "'email new' || i" });
      await insert(sql, { count: 2_000, recipientKey: "'email ' || i", triedAt: noon });
      const rows = await sql.begin((tx) => lockDueNotices(tx, request({ limit: 6 })));
      assert.deepEqual(
        rows.map(({ recipient_key }) => recipient_key),
        ['new5', 'new4', 'new3', 'new2', 'new1', '2000'].map((one) => `email ${one}`),
      );
    });

    test('the newest go first, whoever they are for', async () => {
      await using database = await testDatabase({ server, maxConnections: 1 });
      const { sql } = database;
      await insert(sql, { count: 2_000, recipientKey: "'email ' || i" });
      const all = await claimedRows(sql, { limit: 4 });
      const newest = [1_997, 1_998, 1_999, 2_000].map((i) => `email ${i}`);
      const recipients = all.map(({ recipient_key }) => recipient_key);
      assert.deepEqual(
        newest.filter((one) => !recipients.includes(one)),
        [],
      );
    });
  });
