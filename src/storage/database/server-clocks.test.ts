import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cacheFor } from '../../../test/configuration.ts';
import { databases, isAnyoneWaiting, testDatabase } from '../../../test/database.ts';
import { noFaults } from '../../../test/no-faults.ts';
import { buildSecrets } from '../../../test/secrets.ts';
import { eventually } from '../../../test/system/eventually.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import type { RecordedJump } from '../../engine/ports/clocks.ts';
import { createLedger } from '../ledger/ledger.ts';
import type { Sql } from './database.ts';
import { databaseNow, readJumps, readLastJump } from './server-clocks.ts';

const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');
const jump: RecordedJump = { ms: -600_000, mayBeTime: false, incidents: 0, boot: 'boot' };

/** The ledger of a server that has followed the jumps of the database's clock up to that one. */
function ledgerOf(sql: Sql) {
  let known = 0;
  let followed = 0;
  const follow = async () => {
    known = await readLastJump(sql);
  };
  const ledger = createLedger({
    sql,
    ids: createIds(systemClock),
    secrets: buildSecrets('k'.repeat(40)),
    configurations: cacheFor(),
    faults: noFaults,
    jumps: {
      known: () => known,
      async missed() {
        followed += 1;
        await follow();
      },
    },
  });
  return { ledger, follow, followed: () => followed };
}

for (const server of await databases())
  describe(`transactions beside a jump of the clock, on ${server.name}`, () => {
    test('of a server that has not followed it are rolled back, and run again once it has', async () => {
      await using database = await testDatabase({ server });
      const { sql } = database;
      const [one, other] = [ledgerOf(sql), ledgerOf(sql)];
      await one.ledger.alone.transact((tx) => tx.recordJump(jump, noon));
      let runs = 0;
      const id = '1'.padStart(24, '0');
      await other.ledger.transact(async (tx) => {
        runs += 1;
        const noted = { id, host: `run ${runs}`, boot: 'boot', booted_at: noon, ahead_ms: 0 };
        await tx.noteClock({ ...noted, read_at: noon });
      });
      assert.deepEqual([runs, other.followed()], [2, 1]);
      const rows = await sql`select host from server_clocks`;
      assert.deepEqual(
        rows.map(({ host }) => host),
        ['run 2'],
      );
      await other.ledger.transact(async () => undefined);
      assert.equal(other.followed(), 1);
    });

    test('are run again if the clock has followed a jump since they read it', async () => {
      await using database = await testDatabase({ server });
      const { sql } = database;
      const mover = ledgerOf(sql);
      const { ledger, followed, follow } = ledgerOf(sql);
      await mover.ledger.alone.transact((tx) => tx.recordJump(jump, noon));
      let runs = 0;
      await ledger.transact(async () => {
        runs += 1;
        await follow();
      });
      assert.deepEqual([runs, followed()], [2, 1]);
    });

    test('wait while another server moves what waits', async () => {
      await using database = await testDatabase({ server });
      const { sql } = database;
      const [one, other] = [ledgerOf(sql), ledgerOf(sql)];
      let isOver = false;
      let waiting: Promise<void> | undefined;
      await one.ledger.alone.transact(async (tx) => {
        await tx.notedClocks();
        waiting = other.ledger
          .transact(async () => undefined)
          .then(() => {
            isOver = true;
          });
        await eventually('it waits', () => isAnyoneWaiting(sql));
        await tx.recordJump(jump, noon);
        assert.equal(isOver, false);
      });
      await waiting;
      assert.equal(other.followed(), 1);
    });

    test('follow no jump where Pager was only stopped', async () => {
      await using database = await testDatabase({ server });
      const { sql } = database;
      const { ledger } = ledgerOf(sql);
      const stop = { ...jump, ms: 600_000, mayBeTime: true, isStop: true } as const;
      await ledger.alone.transact((tx) => tx.recordJump(stop, noon));
      assert.equal(await readLastJump(sql), 0);
      assert.deepEqual([...(await readJumps(sql, noon))], []);
    });

    test('take the time of the database, for commands', async () => {
      await using database = await testDatabase({ server });
      const now = await databaseNow(database.sql);
      const difference = Math.abs(now.epochMilliseconds - systemClock.now().epochMilliseconds);
      assert.ok(difference < 60_000, `${difference} ms`);
    });
  });
