// Stores what the exchange of deduplication keys found: keys, incidents that are over, and problems
// that get incidents of their own. docs/decisions/0080-exchanged-keys.md.
import { bounded, measured } from '../alerts/effort.ts';
import { type Configurations, configurationIn } from '../incidents/configuration.ts';
import { endAsReported, openApart } from '../incidents/former-keys.ts';
import { type Incident, isOpen, type Outcome } from '../incidents/incident.ts';
import type { NewKey, ReplayedKeys } from '../incidents/replayed-keys.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { Faults } from './faults.ts';
import type { Ids } from './ids.ts';
import { changesOf } from './intake/batch-state.ts';
import { decideSafely, integrationContextOf } from './intake/decide.ts';
import type { Log } from './log.ts';
import type { ChangeWriter, ConfigurationReader } from './ports/changes.ts';
import type { EventOrderingKey } from './ports/events.ts';
import type { IncidentLocker } from './ports/incidents.ts';
import { noWake, type Wake, wakeOf } from './wake.ts';

export type ExchangedKeys = {
  /** By incident. */
  readonly keys: ReadonlyMap<string, NewKey>;
  readonly now: Temporal.Instant;
};

export type ReplayedTx = ConfigurationReader &
  ChangeWriter &
  IncidentLocker & {
    /** The integration has no keys of the release before from now on. */
    storeKeys(key: EventOrderingKey, exchanged: ExchangedKeys): Promise<void>;
  };

/** Incidents that are resolved in one transaction. */
const RESOLVED_AT_ONCE = 500;

const nothingKnown = {
  open: [],
  repeatCount: 0,
  repeatedAt: [],
  carried: { priority: null, severity: null },
};

type Storing = {
  readonly key: EventOrderingKey;
  readonly replayed: ReplayedKeys;
  readonly now: Temporal.Instant;
};

/** In a transaction that has locked the integration. */
export async function storeReplayed(
  tx: ReplayedTx,
  { key, replayed, now }: Storing,
  { ids, log, faults }: { readonly ids: Ids; readonly log: Log; readonly faults: Faults },
): Promise<Wake> {
  const { keys, apart, over } = replayed;
  const ending = over.slice(0, RESOLVED_AT_ONCE);
  const locked = await tx.lockIncidents(key.organization_id, [
    ...new Set([...ending, ...apart.map(({ from }) => from)]),
  ]);
  const open = new Map(locked.filter(isOpen).map((one) => [one.id, one]));
  const configurations = await tx.configurations([key.organization_id], now);
  const input = { configurations, ids, now, faults };
  const ended = ending.flatMap((id) => endOf(open.get(id), { key, ...input }));
  // Many ends are several transactions: the keys are exchanged in the last, or where none succeeds.
  const isLast = ending.length === over.length || ended.length === 0;
  const opened = isLast ? openedApart(apart, { key, open, ...input }) : [];
  const changes = changesOf([...ended, ...opened], {
    opened: opened.map(({ incident }) => incident),
    changed: ended.map(({ incident }) => incident),
  });
  const isChanged = ended.length + opened.length > 0;
  if (isChanged) await tx.save(changes, now);
  if (isLast) {
    const own = opened.map(({ incident: { id, dedup_key } }) => [id, { dedup_key }] as const);
    await tx.storeKeys(key, { keys: new Map([...keys, ...own]), now });
  }
  const counts = { incidents: keys.size, opened: opened.length, ended: ended.length };
  log.info(
    { integration: key.integration_id, ...counts },
    isLast
      ? 'deduplication keys of the release before were exchanged'
      : 'incidents that had ended before the upgrade were resolved',
  );
  return isChanged ? wakeOf(changes, now) : noWake;
}

type Deciding = {
  readonly key: EventOrderingKey;
  readonly configurations: Configurations;
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  readonly faults: Faults;
};

/** One that fails stays open, and can still end by its former key. */
function endOf(
  incident: Incident | undefined,
  { key, configurations, now, faults }: Deciding,
): readonly Outcome[] {
  if (incident === undefined) return [];
  const configuration = configurationIn(configurations, key.organization_id);
  try {
    const outcome = bounded(incidentsLimits.rulesWork, () =>
      endAsReported(incident, { configuration, now }),
    );
    return outcome === null ? [] : [outcome];
  } catch (error) {
    faults({ of: 'incident', id: incident.id, error });
    return [];
  }
}

function openedApart(
  apart: ReplayedKeys['apart'],
  { key, open, ...input }: Deciding & { readonly open: ReadonlyMap<string, Incident> },
): readonly Outcome[] {
  let left = Math.max(incidentsLimits.rulesWork, incidentsLimits.rulesWorkOfMany * apart.length);
  return apart.flatMap(({ from: id, alert, eventId }) => {
    const from = open.get(id);
    const receiving = integrationContextOf({ ...key, id: eventId }, [alert], input);
    if (from === undefined || 'unreadable' in receiving) return [];
    const most = Math.min(left, incidentsLimits.rulesWork);
    const known = { keyState: nothingKnown };
    const { result, units } = measured(() => decideSafely(alert, { known, most }, receiving));
    left -= units;
    return openApart(from, result.outcomes, receiving.context);
  });
}
