// Notifies the admins of a team of its storms: at most once in half an hour, of all that began since.
import { configurationIn } from '../incidents/configuration.ts';
import { notifyOfStorms } from '../incidents/storm.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { Clock } from './clock.ts';
import { changesOf } from './intake/batch-state.ts';
import type { Transactor } from './ledger.ts';
import type { ChangeWriter, ConfigurationReader } from './ports/changes.ts';
import type { IncidentLocker } from './ports/incidents.ts';

/** What no notice has named yet. */
export type TeamStorms = {
  readonly organization_id: string;
  readonly team_id: string;
  /** Those of its incidents, the earliest storm first. */
  readonly incidentIds: readonly string[];
};

export type StormTx = ConfigurationReader &
  ChangeWriter &
  IncidentLocker & {
    /**
     * Those of one team whose admins were not notified for a while. It counts as notified, and stays
     * locked. Null: no team has any, or another server notifies it.
     */
    takeStorms(now: Temporal.Instant): Promise<TeamStorms | null>;
    removeStorms(storms: TeamStorms): Promise<void>;
  };

/** `nextStorms`: when admins are to be notified next. */
export type StormLedger = Transactor<StormTx> & {
  nextStorms(): Promise<Temporal.Instant | null>;
};

/** Of one team; returns how many teams there were. */
export const notifyOfTeamStorms = (ledger: Transactor<StormTx>, clock: Clock): Promise<number> =>
  ledger.transact(async (tx) => {
    const now = clock.now();
    const storms = await tx.takeStorms(now);
    if (storms === null) return 0;
    const { organization_id, incidentIds } = storms;
    const candidates = incidentIds.slice(0, incidentsLimits.stormsNamed + 1);
    // Before the storms are removed: whoever adds one has locked its incident.
    const locked = await tx.lockIncidents(organization_id, candidates);
    await tx.removeStorms(storms);
    const [first, ...others] = locked.toSorted(
      (one, other) => candidates.indexOf(one.id) - candidates.indexOf(other.id),
    );
    // Those that cannot be read have notices of their own.
    if (first === undefined) return 1;
    const configurations = await tx.configurations([organization_id], now);
    const configuration = configurationIn(configurations, organization_id);
    const named = {
      numbers: others.map(({ number }) => number),
      more: incidentIds.length - 1 - others.length,
    };
    const outcome = notifyOfStorms(first, named, { now, configuration });
    await tx.save(changesOf([outcome], { opened: [], changed: [] }), now);
    return 1;
  });
