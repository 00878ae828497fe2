// How much of what arrives is stored, counted by day.
import type { EventOrderingKey } from './events.ts';
import type { Key } from './keys.ts';

/** Bytes that an integration, and its organization, stored of the day (UTC). */
export type SpentBytes = EventOrderingKey & {
  readonly integration: number;
  readonly organization: number;
  /** Events of the integration that were cut on that day. */
  readonly cutEvents: number;
  readonly rows: CountingRows;
};

/** By outcome, the event of the day onto whose row further ones of no incident are counted. */
type CountingRows = Readonly<Record<string, string>>;

/** What one transaction adds to that. */
export type StoredBytes = EventOrderingKey & {
  readonly bytes: number;
  readonly cutEvents: number;
  readonly rows: CountingRows;
};

export type StorageCounter = {
  spentBytes(integrations: readonly Key[], now: Temporal.Instant): Promise<readonly SpentBytes[]>;
  countBytes(stored: readonly StoredBytes[], now: Temporal.Instant): Promise<void>;
  /** Notifies the admins of the integration's team, once a day, that its events are cut. */
  notifyOfCutEvents(integration: EventOrderingKey, now: Temporal.Instant): Promise<void>;
};

/** In UTC. */
export const dayOf = (now: Temporal.Instant): string => now.toString().slice(0, 10);

/** Why events are cut, for admins. */
export const spentReason = (now: Temporal.Instant): string =>
  `The storage budget for ${dayOf(now)} (UTC) is spent.`;
