// What attempts came to is recorded, and when that was nothing, somebody hears of it.
import type { Incident } from '../../incidents/incident.ts';
import { countsOnPages, unreached } from '../../incidents/unreached.ts';
import { changesOf } from '../deciding/desk.ts';
import type { Attempted, Needed, Tx } from '../ledger.ts';

/** Records the attempts; of an incident of which no page arrived, the team's admins are told. */
export async function finished(tx: Tx, attempts: readonly Attempted[], now: Temporal.Instant) {
  const failed = await tx.finish(attempts);
  const unpaged: Incident[] = [];
  for (const incident of failed.filter(countsOnPages))
    if (!(await tx.isPaged(incident))) unpaged.push(incident);
  if (unpaged.length === 0) return;
  const directory = await tx.directory(unpaged.map(ownTeam), now);
  const outcomes = unpaged.map((incident) => unreached(incident, directory));
  const changed = outcomes.map(({ incident }) => incident);
  await tx.save(changesOf(outcomes, { opened: [], changed }), now);
}

const ownTeam = ({ organization_id, team_id }: Incident): Needed => ({
  ...{ organization_id, userIds: new Set(), scheduleIds: new Set() },
  teamIds: new Set([team_id]),
});
