// A configuration as it is now, of which it is known who was on call before.
import { type Configuration, configurationIn } from '../../incidents/configuration.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { type Transaction, transact } from '../database.ts';
import type { LedgerParts } from '../ledger/ledger.ts';
import { readSchedules } from '../oncall/schedules.ts';

type Sought = {
  readonly organizationId: string;
  /** Who is on call is known from the earlier of the two on. */
  readonly from: Temporal.Instant;
  readonly now: Temporal.Instant;
};

export function readConfiguration(
  { sql, configurations }: LedgerParts,
  { organizationId, from, now }: Sought,
): Promise<Configuration> {
  return transact(sql, async (tx) => {
    const read = await configurations.read(tx, [organizationId], now);
    const configuration = configurationIn(read, organizationId);
    if (Temporal.Instant.compare(from, now) >= 0) return configuration;
    return withPast(tx, configuration, from);
  });
}

/** Only of the schedules that have changed since then is more to be read. */
async function withPast(
  tx: Transaction,
  configuration: Configuration,
  from: Temporal.Instant,
): Promise<Configuration> {
  const { organization_id: organizationId } = configuration;
  const changed = await tx<{ id: string }[]>`
    select oncall_schedule_id as id from schedule_watches
    where organization_id = ${organizationId} and edited_at >= ${from}
    union
    select oncall_schedule_id from oncall_overrides
    where organization_id = ${organizationId} and end_at > ${from}`;
  const ids = changed.map(({ id }) => id);
  const known = await readSchedules(tx, { organizationId, ids, since: from });
  const schedules = new Map(configuration.schedules);
  for (const { id, history } of known.values()) {
    const rota = schedules.get(id);
    if (rota) schedules.set(id, { ...rota, schedule: scheduleAsOf(history) });
  }
  return { ...configuration, schedules };
}
