// Taking requests and mails to integrations, and deciding those that wait.
import type { ChangeWriter, ConfigurationReader } from './changes.ts';
import type { Decision, EventOrderingKey, StoredEvent, UnreadableEvent } from './events.ts';
import type { FailureAt } from './incidents.ts';
import type { Key, KeyStateReader } from './keys.ts';
import type { StorageCounter } from './stored-bytes.ts';

type UnreadableEventNotifier = {
  /**
   * Notifies the admins of the integration's team that the event cannot be read: once an hour of
   * each integration.
   */
  notifyOfUnreadableEvent(event: StoredEvent, unreadable: UnreadableEvent): Promise<void>;
};

/** For keys of what is reported at most once an hour. */
export const hourOf = (now: Temporal.Instant): string => now.toString().slice(0, 13);

export type IntakeTx = ConfigurationReader &
  KeyStateReader &
  ChangeWriter & {
    /** So that events of one integration are decided one after another. */
    lockIntegrations(ids: readonly Key[]): Promise<void>;
    /** Those of the integrations that have stored events not yet decided. */
    withBacklog(ids: readonly Key[]): Promise<ReadonlySet<string>>;
    insertEvents(
      events: readonly { event: StoredEvent; decision: Decision | null }[],
    ): Promise<void>;
    countStorm(counts: ReadonlyMap<string, { key: Key; times: number }>): Promise<void>;
    /** Of stored events of the integration that are not decided yet. */
    undecidedBytes(integration: EventOrderingKey): Promise<number>;
  } & UnreadableEventNotifier &
  StorageCounter;

export type BacklogTx = ConfigurationReader &
  KeyStateReader &
  ChangeWriter &
  StorageCounter &
  UnreadableEventNotifier & {
    /**
     * Locks the oldest undecided events of one integration that no other server is deciding: of the
     * one whose turn it is, or of `again`.
     */
    backlog(limit: number, again?: EventOrderingKey): Promise<readonly StoredEvent[]>;
    settleEvents(events: readonly { event: StoredEvent; decision: Decision }[]): Promise<void>;
    /** Notifies the admins of the integration's team that the event cannot be decided. */
    notifyOfEvent(event: StoredEvent, failing: FailureAt): Promise<void>;
  };
