// What decisions read and write.
import type { Configurations } from '../../incidents/configuration.ts';
import type { Finding } from '../../incidents/findings.ts';
import type { Entry, Incident, Intent } from '../../incidents/incident.ts';
import type { KeyEnd } from '../../incidents/key-end.ts';
import type { EventOrderingKey } from './events.ts';
import type { Key } from './keys.ts';

export type Changes = {
  readonly opened: readonly Incident[];
  readonly changed: readonly Incident[];
  /** Ids of the changed ones in which only counts of repeats and timers differ. */
  readonly counted?: ReadonlySet<string>;
  readonly entries: readonly (Entry & { readonly organization_id: string })[];
  readonly intents: readonly (Intent & { readonly organization_id: string })[];
  /** Alerts that are no longer of the incident. */
  readonly split?: readonly MovedAlert[];
  /** What is remembered of the last ends of keys. */
  readonly ends?: readonly RememberedEnd[];
  /** What the attention strip shows of integrations, the last of each kind. */
  readonly findings?: readonly IntegrationFinding[];
  /** Incidents whose paged people are notified that it is over. */
  readonly allClear: readonly Incident[];
};

export type MovedAlert = {
  readonly organization_id: string;
  readonly incident_id: string;
  readonly integration_id: string;
  readonly dedup_key: string;
};

export const noChanges: Changes = {
  opened: [],
  changed: [],
  entries: [],
  intents: [],
  allClear: [],
};

export type RememberedEnd = { readonly key: Key; readonly end: KeyEnd };

/** `event_id`: of the event that showed it. */
export type IntegrationFinding = Finding & EventOrderingKey & { readonly event_id: string };

/** What every decision reads. */
export type ConfigurationReader = {
  /**
   * The configurations of these organizations as they are when this is called, so call it after
   * taking locks. Who is on call is known from `now` on.
   */
  configurations(ids: Iterable<string>, now: Temporal.Instant): Promise<Configurations>;
};

/** What most decisions write. */
export type ChangeWriter = {
  /** Returns the number of each opened incident by id. */
  save(changes: Changes, now: Temporal.Instant): Promise<ReadonlyMap<string, number>>;
};
