// Requests and mails to integrations as they are stored, and what was decided about them.
import type { EventSource, Mail } from '../../alerts/alert.ts';
import type { AlertOutcome } from '../../incidents/decision-result.ts';

export type AlertResult = {
  readonly action: string;
  readonly dedup_key: string;
  readonly outcome: AlertOutcome;
  readonly incident_id: string | null;
  readonly reason: string | null;
};

export type EventOutcome = AlertOutcome | 'unreadable' | 'refused' | 'mixed';

/** One request or mail to an integration, as it is stored. */
export type StoredEvent = {
  readonly organization_id: string;
  readonly id: string;
  readonly integration_id: string;
  readonly received_at: Temporal.Instant;
  readonly source: EventSource;
  readonly path: string;
  /** This and the next two are null of mails, and of requests that came before they were stored. */
  readonly method: string | null;
  readonly query: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly content_type: string;
  readonly body: Uint8Array;
  /** By which mapping of its integration it was read; null: by the type alone. */
  readonly mapping_revision: number | null;
  /** A mail as it was read on arrival; null of requests, and of mails before this was stored. */
  readonly mail: Mail | null;
  /** Of one that was cut after its decision: how many bytes its body had. Else null or absent. */
  readonly cut_from?: number | null;
};

/** Events of one integration are decided in their order. */
export type EventOrderingKey = Pick<StoredEvent, 'organization_id' | 'integration_id'>;

/** What was decided about an event; null while it waits. */
export type Decision = {
  /** Of a repeat without a timeline entry: the open incident that it was counted onto. */
  readonly suppressedOnto?: string;
  readonly outcome: EventOutcome;
  readonly reason: string | null;
  readonly alerts: readonly AlertResult[];
};

export type UnreadableEvent = { readonly reason: string; readonly now: Temporal.Instant };
