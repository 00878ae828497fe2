import type { Sql } from './database.ts';

const monthsAhead = 2;

/** Makes the partitions of events for this month and the next ones, where they are missing. */
export async function ensurePartitions(sql: Sql, now: Temporal.Instant): Promise<void> {
  const first = now.toZonedDateTimeISO('UTC').toPlainDate().with({ day: 1 });
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1) {
    const from = first.add({ months: ahead });
    const to = from.add({ months: 1 });
    const name = `events_${from.toString().slice(0, 7).replace('-', '_')}`;
    // Another server may make it at the same time: whoever comes second finds it made.
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended('pager partitions', 0))`;
      await tx.unsafe(
        `create table if not exists ${name} partition of events
         for values from ('${from}T00:00:00Z') to ('${to}T00:00:00Z')`,
      );
    });
  }
}
