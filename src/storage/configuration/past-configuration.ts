// A configuration as it is now, of which it is known who was on call before.
import { type Configuration, configurationIn, type Rota } from '../../incidents/configuration.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { type Transaction, transact } from '../database/database.ts';
import type { LedgerParts } from '../ledger/context.ts';
import { readSchedules } from '../oncall/schedules.ts';

type PastQuery = {
  readonly organizationId: string;
  /** Who is on call is known from the earlier of the two on. */
  readonly from: Temporal.Instant;
  readonly now: Temporal.Instant;
};

export type PastConfiguration = {
  readonly configuration: Configuration;
  /** In the place of those in the configuration, for of these more is known. */
  readonly schedules: ReadonlyMap<string, Rota>;
};

export async function readConfiguration(
  { sql, configurations }: Pick<LedgerParts, 'sql' | 'configurations'>,
  { organizationId, from, now }: PastQuery,
): Promise<PastConfiguration> {
  const isPast = Temporal.Instant.compare(from, now) < 0;
  const held = isPast ? undefined : await configurations.current(sql, organizationId);
  if (held !== undefined) return { configuration: held, schedules: new Map() };
  return transact(sql, async (tx) => {
    const read = await configurations.read(tx, [organizationId], now);
    const configuration = configurationIn(read, organizationId);
    const schedules = isPast ? await schedulesSince(tx, configuration, from) : new Map();
    return { configuration, schedules };
  });
}

/** Only of the schedules that have changed since then is more to be read. */
async function schedulesSince(
  tx: Transaction,
  { organization_id: organizationId, schedules }: Configuration,
  from: Temporal.Instant,
): Promise<ReadonlyMap<string, Rota>> {
  const changed = await tx<{ id: string }[]>`
    select oncall_schedule_id as id from shift_cursors
    where organization_id = ${organizationId} and edited_at >= ${from}
    union
    select oncall_schedule_id from oncall_overrides
    where organization_id = ${organizationId} and end_at > ${from}`;
  const ids = changed.map(({ id }) => id);
  const histories = await readSchedules(tx, { organizationId, ids, since: from });
  const older = [...histories.values()].flatMap(({ id, history }): [string, Rota][] => {
    const rota = schedules.get(id);
    return rota ? [[id, { ...rota, schedule: scheduleAsOf(history) }]] : [];
  });
  return new Map(older);
}
