// What attempts came to is recorded, and when that was nothing, somebody else is paged.
import type { Incident, Outcome } from '../../incidents/incident.ts';
import { countsOnPages, unreached } from '../../incidents/unreached.ts';
import { changesOf } from '../deciding/desk.ts';
import { type Attempted, type Needed, noWake, type Tx, type Wake, wakeOf } from '../ledger.ts';

/** Records the attempts; what follows for incidents of which a page failed for good, with them. */
export async function finished(
  tx: Tx,
  attempts: readonly Attempted[],
  now: Temporal.Instant,
): Promise<Wake> {
  const counting = (await tx.finish(attempts)).filter(countsOnPages);
  if (counting.length === 0) return noWake;
  const directory = await tx.directory(counting.map(ownTeam), now);
  const outcomes: Outcome[] = [];
  for (const incident of counting) {
    const pagedSteps = await tx.pagedSteps(incident);
    const outcome = unreached(incident, { pagedSteps, directory, now });
    if (outcome.incident !== incident) outcomes.push(outcome);
  }
  if (outcomes.length === 0) return noWake;
  const changed = outcomes.map(({ incident }) => incident);
  const changes = changesOf(outcomes, { opened: [], changed });
  await tx.save(changes, now);
  return wakeOf(changes);
}

const ownTeam = ({ organization_id, team_id }: Incident): Needed => ({
  ...{ organization_id, userIds: new Set(), scheduleIds: new Set() },
  teamIds: new Set([team_id]),
});
