// What the ledger has about one incident and one person.

import type { EventSource } from '../../alerts/alert.ts';
import type { Incident, NoticeKind } from '../incident.ts';
import type { Duty } from '../target-recipients.ts';

/** An entry of the timeline, without those about single notices. */
export type StoryEntry = {
  readonly id: string;
  readonly at: Temporal.Instant;
  readonly type: string;
  readonly text: string;
  readonly details: unknown;
  /** Of a repeat that only the event log knows, whose id it has. */
  readonly isEvent?: boolean;
};

export type Attempt = {
  readonly number: number;
  readonly claimed_at: Temporal.Instant;
  readonly finished_at: Temporal.Instant | null;
  /** `delivered`, `handed_over`, `unconfirmed`, `retry` or `failed`; null while nobody knows. */
  readonly outcome: string | null;
  /** Why it did not arrive, also if a vendor reported that later. */
  readonly reason: string | null;
};

/** It did not arrive, and others may follow. */
export const isInVain = ({ outcome, reason }: Attempt): boolean =>
  outcome === 'retry' || (outcome === 'handed_over' && reason !== null);

/** A notice to the person who asks. */
export type OwnNotice = {
  readonly key: string;
  readonly kind: NoticeKind;
  readonly channel: string;
  /** Whose idea it was, as the notice itself tells it. */
  readonly why: string;
  readonly state: string;
  readonly reason: string | null;
  readonly created_at: Temporal.Instant;
  readonly finished_at: Temporal.Instant | null;
  readonly attempts: readonly Attempt[];
};

export type Story = {
  readonly incident: Pick<
    Incident,
    'number' | 'status' | 'steps' | 'escalation' | 'muted_until' | 'suppressed_count'
  >;
  readonly user: { readonly id: string; readonly name: string };
  /** The event that opened it; without a source when the event has been removed. */
  readonly event: {
    readonly id: string;
    readonly received_at: Temporal.Instant;
    readonly source: EventSource | null;
  } | null;
  /** Oldest first. */
  readonly entries: readonly StoryEntry[];
  readonly notices: readonly OwnNotice[];
  /** Since when some of that is removed, at the end of its retention; null: none is. */
  readonly removed: {
    readonly entries: Temporal.Instant | null;
    readonly notices: Temporal.Instant | null;
  };
};

type StepTarget = {
  readonly channel: string;
  readonly name: string;
  readonly user_id: string | null;
  readonly on_call?: Duty;
  readonly reason?: string;
};
/** What an entry of a step keeps of those it meant. */
type StepDetails = {
  readonly step: number;
  readonly paged: readonly StepTarget[];
  readonly skipped: readonly StepTarget[];
};
/** The same of an entry of those who were told something beside the policy. */
type NotificationDetails = Pick<StepDetails, 'skipped'>;

type Typed = Pick<StoryEntry, 'type'>;
type Detailed = Pick<StoryEntry, 'details'>;

export const isStep = ({ type }: Typed): boolean => type === 'step_ran' || type === 'step_skipped';

/** Of an entry of a step, written by us. */
export const stepDetails = ({ details }: Detailed): StepDetails => details as StepDetails;

const notificationTypes: readonly string[] = [
  'nobody_paged',
  'not_all_paged',
  'assigned',
  'responder_added',
];
export const isNotification = ({ type }: Typed): boolean => notificationTypes.includes(type);

/** Of an entry of people who were told, written by us. */
export const notificationDetails = ({ details }: Detailed): NotificationDetails =>
  details as NotificationDetails;
