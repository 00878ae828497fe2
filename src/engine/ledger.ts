// What the engine needs of storage. Implemented by storage/ on PostgreSQL and by the simulation in
// memory; test/contracts proves that both mean the same.
import type { EventSource, Mail } from '../alerts/alert.ts';
import type { Configurations } from '../incidents/configuration.ts';
import { type Entry, type Incident, type Intent, wakeAt } from '../incidents/incident.ts';
import { endsMute } from '../incidents/notice-cancellation.ts';
import type { AlertOutcome, KeyState } from '../incidents/receive-alert.ts';
import type { CallContent } from '../notices/webhooks/call.ts';
import type { History } from '../oncall/revisions/history.ts';
import type { AnnouncedSchedule } from '../shifts/announce.ts';
import type { Looked, Watch } from '../shifts/look.ts';
import type { ShiftIntent } from '../shifts/notice.ts';
import { pollMs } from './loop.ts';
import type { Claimed } from './sending/claimed.ts';
import type { SendingRooms } from './sending/shares.ts';
import type { Unreadable } from './unreadable.ts';

export type AlertResult = {
  readonly action: string;
  readonly dedup_key: string;
  readonly outcome: AlertOutcome;
  readonly incident_id: string | null;
  readonly reason: string | null;
};

export type EventOutcome = AlertOutcome | 'unreadable' | 'mixed';

/** One request to an integration, as it is kept. */
export type StoredEvent = {
  readonly organization_id: string;
  readonly id: string;
  readonly integration_id: string;
  readonly received_at: Temporal.Instant;
  readonly source: EventSource;
  readonly path: string;
  /** Null: it came by mail, or before this was kept; so are the next two. */
  readonly method: string | null;
  readonly query: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly content_type: string;
  readonly body: Uint8Array;
  /** What was read of a mail when it came; null: it came by HTTP, or before this was kept. */
  readonly mail: Mail | null;
};

/** What became of an event; null while it waits. */
export type Decision = {
  /** Of a repeat that no timeline tells of: the open incident that it was counted onto. */
  readonly suppressedOnto?: string;
  readonly outcome: EventOutcome;
  readonly reason: string | null;
  readonly alerts: readonly AlertResult[];
};

export type Key = {
  readonly organization_id: string;
  readonly integration_id: string;
  readonly dedup_key: string;
};

/** One text per key, for maps. */
export const keyText = (key: Key): string => `${key.integration_id} ${key.dedup_key}`;

export type Changes = {
  readonly opened: readonly Incident[];
  readonly changed: readonly Incident[];
  /** Ids of those changed of which only what repeats count, and timers, is new. */
  readonly counted?: ReadonlySet<string>;
  readonly entries: readonly (Entry & { readonly organization_id: string })[];
  readonly intents: readonly (Intent & { readonly organization_id: string })[];
  /** Incidents whose paged people are told that it is over. */
  readonly allClear: readonly Incident[];
};

/** What became of a notice so far. */
export const noticeStates = ['pending', 'sent', 'failed', 'cancelled'] as const;
export type NoticeState = (typeof noticeStates)[number];

export type AttemptResult = {
  readonly claimed: Pick<
    Claimed,
    'organization_id' | 'key' | 'attempt' | 'channel' | 'recipient_key'
  >;
  readonly finishedAt: Temporal.Instant;
  readonly state: Exclude<NoticeState, 'cancelled'>;
  readonly reason: string | null;
  readonly answer: string | null;
  /** Of an answer by HTTP. */
  readonly status: number | null;
  /** When to try again; only with `pending`. */
  readonly wakeAt: Temporal.Instant | null;
  /** For the timeline, if there is one. */
  readonly entry: Entry | null;
};

/** A notice that must not go out: never, with the entry that says why, or not yet. */
export type Unwanted =
  | { readonly reason: string; readonly entry: Entry | null }
  | { readonly holdUntil: Temporal.Instant };

/** A call that goes out with this content, which is kept for all its tries. */
export type RenderedCall = { readonly content: CallContent };

/**
 * Decides on a due notice; null: it goes out as it is. `limitReached`: it would go beyond the
 * organisation's monthly limit.
 */
export type EvaluateNotice = (
  notice: Claimed,
  limitReached: boolean,
) => Unwanted | RenderedCall | null;

export type ClaimRequest = {
  readonly now: Temporal.Instant;
  /** Names the server, so that it is known when it is dead; null: that cannot be told. */
  readonly claimant?: string | null;
  readonly leaseUntil: Temporal.Instant;
  readonly limit: number;
  /** Receivers that have as many attempts under way as they may. */
  readonly busy: readonly string[];
  readonly perRecipient: number;
  /** Of these receivers, so many instead. */
  readonly shares?: ReadonlyMap<string, number>;
  /** How many may be among them of a channel, of an organisation, and of its calls; else any. */
  readonly rooms?: SendingRooms;
  /** Told which notices are worked on, before anything can fail because of one of them. */
  readonly selected?: (keys: readonly OutboxKey[]) => void;
  /** Told of each that cannot be read and was not known for it; it waits. */
  readonly unreadable?: (notice: UnreadableNotice) => void;
};

export type OutboxKey = { readonly organization_id: string; readonly key: string };

export type UnreadableNotice = OutboxKey & {
  readonly incident_id: string | null;
  readonly kind: string;
  readonly channel: string;
};

/** A schedule that is due to be looked at. */
export type DueShiftCursor = {
  readonly schedule: AnnouncedSchedule;
  readonly cursor: Watch;
  /** From what was in force at the last look on. */
  readonly history: History;
};

/** What one look at a schedule came to. */
export type ShiftChanges = Pick<DueShiftCursor, 'schedule'> & {
  readonly advanced: Looked;
  readonly intents: readonly ShiftIntent[];
};

/** What every decision looks up. */
export type ConfigurationReader = {
  /**
   * Of each organisation all that may be looked up, no older than when this is asked: so it is asked
   * after the locks. Who is on call is known from `now` on.
   */
  configurations(ids: Iterable<string>, now: Temporal.Instant): Promise<Configurations>;
};

/** What most decisions write. */
export type ChangeWriter = {
  /** Answers the number of each opened incident by id. */
  save(changes: Changes, now: Temporal.Instant): Promise<ReadonlyMap<string, number>>;
};

export type KeyStateReader = {
  /** Locks the open incidents it answers. */
  keyStates(keys: readonly Key[]): Promise<ReadonlyMap<string, KeyState>>;
};

export type UnreadableIncident = Pick<Incident, 'id' | 'team_id'> & { readonly error: Unreadable };

export type IncidentLocker = {
  /** Without those that cannot be read, of which is told. */
  lockIncidents(
    organizationId: string,
    ids: readonly string[],
    unreadable?: (incident: UnreadableIncident) => void,
  ): Promise<readonly Incident[]>;
};

export type IncidentKey = { readonly organization_id: string; readonly id: string };
export type ScheduleKey = IncidentKey;
type FailureAt = { readonly error: unknown; readonly now: Temporal.Instant };

type IncidentPostponer = {
  /** It cannot be read or decided: its team's admins are told, once until it has changed. */
  postponeIncident(id: IncidentKey, failing: FailureAt): Promise<void>;
};

// Each of these is one transaction, as one of those who decide needs it: all of it happens, or none.

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
  };

/** Whose events are decided in their order. */
export type EventOrderingKey = Pick<StoredEvent, 'organization_id' | 'integration_id'>;

export type BacklogTx = ConfigurationReader &
  KeyStateReader &
  ChangeWriter & {
    /**
     * The oldest undecided events of one integration, locked, that nobody else is deciding: of the
     * one whose turn it is, or of the same again.
     */
    backlog(limit: number, again?: EventOrderingKey): Promise<readonly StoredEvent[]>;
    settleEvents(events: readonly { event: StoredEvent; decision: Decision }[]): Promise<void>;
    /** The admins of its integration's team: it cannot be decided. */
    notifyOfEvent(event: StoredEvent, failing: FailureAt): Promise<void>;
  };

export type TimerTx = ConfigurationReader &
  ChangeWriter &
  IncidentPostponer & {
    /** Locks what is due and free; those that cannot be read are put off. */
    dueIncidents(now: Temporal.Instant, limit: number): Promise<readonly Incident[]>;
  };

export type ActionTx = ConfigurationReader &
  ChangeWriter &
  IncidentLocker & {
    /** Whether its key leads to another incident that is open. */
    anotherIsOpen(incident: Incident): Promise<boolean>;
  };

export type SendingTx = ConfigurationReader &
  ChangeWriter &
  IncidentLocker &
  IncidentPostponer & {
    /** Locks due notices and their incidents' state; `judge` decides which stay. */
    claim(request: ClaimRequest, judge: EvaluateNotice): Promise<readonly Claimed[]>;
    /** Nothing can be done with it. Answers it, unless it was known for that or is gone. */
    postponeNotice(key: OutboxKey, failing: FailureAt): Promise<UnreadableNotice | null>;
    /**
     * Repeatable: what is recorded already is not recorded again. Answers, locked, the incidents
     * of which a notice failed for good.
     */
    finish(attempts: readonly AttemptResult[]): Promise<readonly Incident[]>;
    /** The steps of the incident's round of which a page arrived, or still may. */
    pagedSteps(incident: Incident): Promise<ReadonlySet<number>>;
  };

export type ShiftTx = ConfigurationReader & {
  /** Locks what is due and free; whoever edits such a schedule waits. */
  dueShiftCursors(now: Temporal.Instant, limit: number): Promise<readonly DueShiftCursor[]>;
  /** It cannot be looked at: its team's admins are told, once until it could be. */
  postponeShiftCursor(id: ScheduleKey, failing: FailureAt): Promise<void>;
  /** Answers how many of the events were recorded before: none, unless a lock was not kept. */
  saveShifts(changes: readonly ShiftChanges[], now: Temporal.Instant): Promise<number>;
};

export type Tx = IntakeTx & BacklogTx & TimerTx & ActionTx & SendingTx & ShiftTx;

export type Transactor<Port> = {
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transact<T>(work: (tx: Port) => Promise<T>): Promise<T>;
};

export type Ledger = Transactor<Tx> & {
  /** The nearest instant at which an incident, a schedule's watch or a notice is due. */
  nextIncident(): Promise<Temporal.Instant | null>;
  nextShiftCursor(): Promise<Temporal.Instant | null>;
  /** After that instant, if one is given. */
  nextNotice(after?: Temporal.Instant): Promise<Temporal.Instant | null>;
  /** Whether stored events wait to be decided. */
  hasBacklog(): Promise<boolean>;
};

/** Which loops a commit gave something to do. */
export type Wake = {
  readonly incidents: boolean;
  readonly notices: boolean;
  readonly backlog: boolean;
  readonly shifts: boolean;
};

export const noWake: Wake = { incidents: false, notices: false, backlog: false, shifts: false };

/** What is not due before the loop looks again by itself wakes nobody now. */
export function wakeOf(changes: Changes, now: Temporal.Instant): Wake {
  const { opened, changed, intents, allClear, entries } = changes;
  const nextPoll = now.epochMilliseconds + pollMs;
  const isSoon = (incident: Incident) =>
    (wakeAt(incident)?.epochMilliseconds ?? Infinity) <= nextPoll;
  return {
    ...noWake,
    incidents: opened.some(isSoon) || changed.some(isSoon),
    notices: intents.length > 0 || allClear.length > 0 || entries.some(endsMute),
  };
}
