// Notices and webhook calls: how they are claimed, and how results of attempts are recorded.

import type { Entry, Incident } from '../../incidents/incident.ts';
import type { Unwanted } from '../../notices/kind.ts';
import type { CallContent } from '../../notices/webhooks/call.ts';
import type { Blame, Counted, CountedCall, PostedMessage, ReportedBy } from '../sending/channel.ts';
import type { Claimed } from '../sending/claimed.ts';
import type { SendingLimits } from '../sending/fair-shares.ts';
import type { Receipt } from '../sending/receipt.ts';
import type { TriedContact } from '../sending/retry-routes.ts';
import type { ChangeWriter, ConfigurationReader } from './changes.ts';
import type { FailureAt, IncidentLocker, IncidentPostponer, RoundReader } from './incidents.ts';

export type OutboxKey = { readonly organization_id: string; readonly key: string };

/** How far a notice has come. */
export const noticeStates = ['pending', 'sent', 'failed', 'cancelled'] as const;

export type NoticeState = (typeof noticeStates)[number];

/** The result of an attempt that has ended. */
export const attemptOutcomes = [
  'delivered',
  'handed_over',
  'unconfirmed',
  'retry',
  'failed',
] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

export type AttemptResult = {
  readonly claimed: Claimed;
  readonly finishedAt: Temporal.Instant;
  /** When it was claimed; without, when it ended. */
  readonly beganAt?: Temporal.Instant;
  readonly state: Exclude<NoticeState, 'cancelled'>;
  /** Who reports what becomes of it; only with `pending`, if it was handed over. */
  readonly reportedBy?: ReportedBy;
  /** Only if a connection took it. */
  readonly counted?: Counted;
  /**
   * Only with `pending`: nothing was requested, so the attempt counts for nothing, if the claim of that
   * lease is still the last.
   */
  readonly withheldUnder?: Temporal.Instant;
  /** The claim may not have been committed: if it is not the last one, nothing is recorded. */
  readonly isUncertain?: true;
  /** Only with `sent`: nothing says that it arrived. */
  readonly isUnconfirmed?: true;
  /** How often it was sent without an answer by now, where a vendor may have taken it. */
  readonly lostAnswers?: number;
  /** Of a page that ended at a contact of a person, with all those at which it ended before. */
  readonly tried?: readonly TriedContact[];
  /** Only with `pending`: the contact at which such a page goes on. */
  readonly nextAddress?: string;
  /** Who has to change something, of what was refused. */
  readonly blame?: Blame;
  readonly reason: string | null;
  readonly answer: string | null;
  /** Of an answer by HTTP. */
  readonly status: number | null;
  /** When to try again; only with `pending`. */
  readonly wakeAt: Temporal.Instant | null;
  /** For the incident's timeline, if the notice is about an incident. */
  readonly entry: Entry | null;
  /** The messages that can still be changed. */
  readonly posted?: readonly NewPost[];
};

export type NewPost = PostedMessage & {
  /** What it shows of the incident; null: that is not known. */
  readonly shows: string | null;
  /** When the last of its alerts joined that it shows; absent: none has joined. */
  readonly joinedAt?: Temporal.Instant | undefined;
  /** When it is compared with the incident. */
  readonly wakeAt: Temporal.Instant;
};

/** A call that is sent with this content, which is stored for all its attempts. */
export type RenderedCall = { readonly content: CallContent };

/**
 * Decides what happens to a due notice; null: it is sent. `limitReached`: it would exceed the
 * organization's monthly limit.
 */
export type EvaluateNotice = (
  notice: Claimed,
  limitReached: boolean,
) => Unwanted | RenderedCall | null;

export type ClaimRequest = SendingLimits & {
  readonly now: Temporal.Instant;
  /** Names the server, so that others can detect its death; null: they cannot. */
  readonly claimant?: string | null;
  readonly leaseUntil: Temporal.Instant;
  readonly limit: number;
  /** Recipients that have as many attempts in flight as they may. */
  readonly busy: readonly string[];
  /** Pages of later steps do not wait for tries of earlier ones: whatever is claimed is sent. */
  readonly inAnyOrder?: true;
  /** Called with the notices that are worked on, before one of them can make the claim fail. */
  readonly selected?: (keys: readonly OutboxKey[]) => void;
  /** Called with each notice that is found to be unreadable for the first time; it is postponed. */
  readonly unreadable?: (notice: UnreadableNotice) => void;
};

export type UnreadableNotice = OutboxKey & {
  readonly incident_id: string | null;
  readonly kind: string;
  readonly channel: string;
};

export type SendingTx = ConfigurationReader &
  ChangeWriter &
  RoundReader &
  IncidentLocker &
  IncidentPostponer & {
    /** Locks due notices and the state of their incidents; `evaluate` decides which are claimed. */
    claim(request: ClaimRequest, evaluate: EvaluateNotice): Promise<readonly Claimed[]>;
    /** It cannot be sent or cancelled. Null: it was postponed for this before, or is removed. */
    postponeNotice(key: OutboxKey, failing: FailureAt): Promise<UnreadableNotice | null>;
    /**
     * Repeatable: an attempt is recorded once. Returns the incidents, locked, of which an attempt of a
     * step's page was recorded now, or a notice failed for good.
     */
    finish(attempts: readonly AttemptResult[]): Promise<readonly Incident[]>;
  };

/** One attempt, as a vendor's report names it. */
export type AttemptKey = OutboxKey & Pick<Claimed, 'attempt'>;

export type Report = AttemptKey & {
  readonly reportedBy: ReportedBy;
  readonly receipt: Receipt;
  /** Of a call that is over. */
  readonly call?: CountedCall;
};

export type ArrivedPage = { readonly incident: Incident; readonly step: number };

export type ReceiptTx = ConfigurationReader &
  ChangeWriter &
  RoundReader & {
    /**
     * Records what a vendor reports. Returns whether the notice is to be tried again. `arrived` is called
     * with the incident, locked, if a page has arrived of which it was not known that it was taken.
     */
    recordReceipt(
      report: Report,
      now: Temporal.Instant,
      arrived?: (page: ArrivedPage) => void,
    ): Promise<boolean>;
  };
