// Incidents by their ids, and those whose timers are due.

import type { Incident } from '../../incidents/incident.ts';
import type { Spell } from '../../incidents/missed-events.ts';
import type { RoundPage } from '../../incidents/page-results.ts';
import type { Unreadable } from '../unreadable.ts';
import type { ChangeWriter, ConfigurationReader } from './changes.ts';

export type IncidentKey = { readonly organization_id: string; readonly id: string };

export type FailureAt = { readonly error: unknown; readonly now: Temporal.Instant };

export type UnreadableIncident = Pick<Incident, 'id' | 'team_id'> & { readonly error: Unreadable };

export type IncidentLocker = {
  /** Leaves out incidents that cannot be read, and calls `unreadable` with them. */
  lockIncidents(
    organizationId: string,
    ids: readonly string[],
    unreadable?: (incident: UnreadableIncident) => void,
  ): Promise<readonly Incident[]>;
};

export type IncidentPostponer = {
  /** It cannot be read or decided: its team's admins are notified, once until it has changed. */
  postponeIncident(id: IncidentKey, failing: FailureAt): Promise<void>;
};

/** The pages of the steps of each incident's current cycle, by the incident's id. */
export type RoundReader = {
  roundPages(
    incidents: readonly Incident[],
    now: Temporal.Instant,
  ): Promise<ReadonlyMap<string, readonly RoundPage[]>>;
};

export type DeafReader = {
  /** By incident, when no server took events of its integration since it was last reported. */
  deafSpells(
    incidents: readonly Incident[],
    now: Temporal.Instant,
  ): Promise<ReadonlyMap<string, readonly Spell[]>>;
};

export type TimerTx = ConfigurationReader &
  DeafReader &
  ChangeWriter &
  RoundReader &
  IncidentPostponer & {
    /** Locks incidents that are due and not locked; unreadable ones are postponed. */
    dueIncidents(now: Temporal.Instant, limit: number): Promise<readonly Incident[]>;
  };
