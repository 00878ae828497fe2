// What the engine needs of storage. src/storage implements it on PostgreSQL, src/what-if and the
// simulation in memory; test/contracts checks that they behave the same.
import type { EventSource, Mail } from '../alerts/alert.ts';
import type { KeyState } from '../incidents/alert-context.ts';
import type { Jump } from '../incidents/clock-jump.ts';
import type { Configurations } from '../incidents/configuration.ts';
import type { Spell } from '../incidents/deaf.ts';
import type { Finding } from '../incidents/findings.ts';
import { type Entry, type Incident, type Intent, wakeAt } from '../incidents/incident.ts';
import type { KeyEnd } from '../incidents/key-end.ts';
import { wakesPages } from '../incidents/notice-cancellation.ts';
import type { RoundPage } from '../incidents/page-results.ts';
import type { RawKeyState } from '../incidents/raw-keys.ts';
import type { AlertOutcome } from '../incidents/receive-result.ts';
import type { PastEntries, PastEntry } from '../incidents/unchanged.ts';
import type { CallContent } from '../notices/webhooks/call.ts';
import type { History } from '../oncall/revisions/history.ts';
import type { Advance, ShiftCursor } from '../shifts/advance.ts';
import type { AnnouncedSchedule } from '../shifts/announce.ts';
import type { ShiftIntent } from '../shifts/notice.ts';
import { pollMs } from './loop.ts';
import type { Blame, Counted, CountedCall, Posted, ReportedBy } from './sending/channel.ts';
import type { Claimed } from './sending/claimed.ts';
import type { Receipt } from './sending/receipt.ts';
import type { TriedContact } from './sending/routes.ts';
import type { SendingLimits } from './sending/shares.ts';
import type { Unreadable } from './unreadable.ts';

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

/** What was decided about an event; null while it waits. */
export type Decision = {
  /** Of a repeat without a timeline entry: the open incident that it was counted onto. */
  readonly suppressedOnto?: string;
  readonly outcome: EventOutcome;
  readonly reason: string | null;
  readonly alerts: readonly AlertResult[];
};

export type Key = {
  readonly organization_id: string;
  readonly integration_id: string;
  readonly dedup_key: string;
  /** Its alert has an instant of its own, which is compared with the last end of the key. */
  readonly isTimed?: true;
};

type AnyKey = { readonly integration_id: string | null; readonly dedup_key: string };

/** One text per key, for maps. */
export const keyText = (key: AnyKey): string => `${key.integration_id} ${key.dedup_key}`;

/** Of an incident without an integration it is one that no alert has. */
export const keyTextOf = ({ source_integration_id, dedup_key }: Incident): string =>
  keyText({ integration_id: source_integration_id, dedup_key });

/** What a tool sent in the place of a key, and tells no problems apart. */
export type RawKey = Pick<Key, 'organization_id' | 'integration_id'> & { readonly raw_key: string };

/** One text per raw key; no integration has an id with a space. */
export const rawKeyText = (key: {
  readonly integration_id: string | null;
  readonly raw_key: string;
}): string => `raw ${key.integration_id} ${key.raw_key}`;

/** Of an incident that came with none it is undefined. */
export const rawKeyTextOf = ({ source_integration_id: id, raw_key }: Incident) =>
  raw_key == null ? undefined : rawKeyText({ integration_id: id, raw_key });

export type RememberedEnd = { readonly key: Key; readonly end: KeyEnd };

/** `event_id`: of the event that showed it. */
export type IntegrationFinding = Finding & EventOrderingKey & { readonly event_id: string };

export type Changes = {
  readonly opened: readonly Incident[];
  readonly changed: readonly Incident[];
  /** Ids of the changed ones in which only counts of repeats and timers differ. */
  readonly counted?: ReadonlySet<string>;
  readonly entries: readonly (Entry & { readonly organization_id: string })[];
  readonly intents: readonly (Intent & { readonly organization_id: string })[];
  /** What is remembered of the last ends of keys. */
  readonly ends?: readonly RememberedEnd[];
  /** What the attention strip shows of integrations, the last of each kind. */
  readonly findings?: readonly IntegrationFinding[];
  /** Incidents whose paged people are notified that it is over. */
  readonly allClear: readonly Incident[];
};

export const noChanges: Changes = {
  opened: [],
  changed: [],
  entries: [],
  intents: [],
  allClear: [],
};

/** What became of a notice so far. */
export const noticeStates = ['pending', 'sent', 'failed', 'cancelled'] as const;
export type NoticeState = (typeof noticeStates)[number];

/** What became of an attempt whose end was recorded. */
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

export type NewPost = Posted & {
  /** What it shows of the incident; null: that is not known. */
  readonly shows: string | null;
  /** When it is compared with the incident. */
  readonly wakeAt: Temporal.Instant;
};

/** A notice that is cancelled, with an entry that says why, or held for now. */
export type Unwanted =
  | { readonly reason: string; readonly entry: Entry | null }
  | { readonly holdUntil: Temporal.Instant };

/** A call that is sent with this content, which is stored for all its attempts. */
export type RenderedCall = { readonly content: CallContent };

/**
 * Decides what happens to a due notice; null: it is sent. `limitReached`: it would exceed the
 * organisation's monthly limit.
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

export type OutboxKey = { readonly organization_id: string; readonly key: string };

export type UnreadableNotice = OutboxKey & {
  readonly incident_id: string | null;
  readonly kind: string;
  readonly channel: string;
};

/** A schedule whose shift cursor is due. */
export type DueShiftCursor = {
  readonly schedule: AnnouncedSchedule;
  readonly cursor: ShiftCursor;
  /** What was in force from the cursor's position on. */
  readonly history: History;
};

/** What advancing a schedule's cursor found. */
export type ShiftChanges = Pick<DueShiftCursor, 'schedule'> & {
  readonly advanced: Advance;
  readonly intents: readonly ShiftIntent[];
};

/** What every decision reads. */
export type ConfigurationReader = {
  /**
   * The configurations of these organisations as they are when this is called, so call it after
   * taking locks. Who is on call is known from `now` on.
   */
  configurations(ids: Iterable<string>, now: Temporal.Instant): Promise<Configurations>;
};

/** What most decisions write. */
export type ChangeWriter = {
  /** Returns the number of each opened incident by id. */
  save(changes: Changes, now: Temporal.Instant): Promise<ReadonlyMap<string, number>>;
};

export type KeyStateReader = {
  /** Locks the open incidents that it returns. */
  keyStates(keys: readonly Key[]): Promise<ReadonlyMap<string, KeyState>>;
  /** The same; by the text of the raw key. */
  rawKeyStates(keys: readonly RawKey[]): Promise<ReadonlyMap<string, RawKeyState>>;
};

export type UnreadableIncident = Pick<Incident, 'id' | 'team_id'> & { readonly error: Unreadable };

/** One request that may be sent again: of one caller, to one route, under the caller's key. */
export type Repeatable = {
  readonly organizationId: string;
  readonly caller: string;
  readonly route: string;
  readonly key: string;
  /** All that makes two requests the same one. */
  readonly content: string;
  readonly now: Temporal.Instant;
};

type CreationRecorder = {
  /** What the request was done on, in the commit that does it; it throws if another run does it now. */
  recordDone(request: Repeatable, id: string): Promise<void>;
};

export type IncidentLocker = {
  /** Leaves out incidents that cannot be read, and calls `unreadable` with them. */
  lockIncidents(
    organizationId: string,
    ids: readonly string[],
    unreadable?: (incident: UnreadableIncident) => void,
  ): Promise<readonly Incident[]>;
};

export type IncidentKey = { readonly organization_id: string; readonly id: string };
export type ScheduleKey = IncidentKey;
export type FailureAt = { readonly error: unknown; readonly now: Temporal.Instant };

type IncidentPostponer = {
  /** It cannot be read or decided: its team's admins are notified, once until it has changed. */
  postponeIncident(id: IncidentKey, failing: FailureAt): Promise<void>;
};

// One transaction each, with what one part of the engine needs: all of it is committed, or nothing.

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

type StorageCounter = {
  spentBytes(integrations: readonly Key[], now: Temporal.Instant): Promise<readonly SpentBytes[]>;
  countBytes(stored: readonly StoredBytes[], now: Temporal.Instant): Promise<void>;
  /** Notifies the admins of the integration's team, once a day, that its events are cut. */
  notifyOfCutEvents(integration: EventOrderingKey, now: Temporal.Instant): Promise<void>;
};

type UnreadableEventNotifier = {
  /**
   * Notifies the admins of the integration's team that the event cannot be read: once an hour of
   * each integration.
   */
  notifyOfUnreadableEvent(event: StoredEvent, unreadable: UnreadableEvent): Promise<void>;
};
/** For keys of what is told at most once an hour. */
export const hourOf = (now: Temporal.Instant): string => now.toString().slice(0, 13);

/** In UTC. */
export const dayOf = (now: Temporal.Instant): string => now.toString().slice(0, 10);

/** Why events are cut, for admins. */
export const spentReason = (now: Temporal.Instant): string =>
  `The storage budget for ${dayOf(now)} (UTC) is spent.`;

export type UnreadableEvent = { readonly reason: string; readonly now: Temporal.Instant };

/** Events of one integration are decided in their order. */
export type EventOrderingKey = Pick<StoredEvent, 'organization_id' | 'integration_id'>;

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

/** What somebody did at a vendor, by the vendor's name for it. */
export type ReplyKey = {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly eventId: string;
};

/** What came of it. */
export type Acted = {
  readonly incidentId: string;
  /** Why it changed nothing, as its sender was told; null: it changed something. */
  readonly unchanged: string | null;
};

export type ActedReply = ReplyKey & Acted;

export type ActionTx = ConfigurationReader &
  ChangeWriter &
  IncidentLocker & {
    /** What came of it before, null: it was not done yet; asked with its incident locked. */
    actedBefore(reply: ReplyKey): Promise<Acted | null>;
    recordActed(reply: ActedReply, now: Temporal.Instant): Promise<void>;
    /** Those of the incident's timeline, the last first; asked with it locked. */
    pastEntries(incident: Incident, filter: PastEntries): Promise<readonly PastEntry[]>;
    /** Whether another incident of its deduplication key is open. */
    anotherIsOpen(incident: Incident): Promise<boolean>;
  };

export type OpeningTx = ConfigurationReader &
  ChangeWriter &
  CreationRecorder &
  Pick<ActionTx, 'recordActed'>;

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

export type ArrivedPage = { readonly incident: Incident; readonly step: number };

export type ShiftTx = ConfigurationReader & {
  /** Locks schedules that are due and not locked; edits of them wait. */
  dueShiftCursors(now: Temporal.Instant, limit: number): Promise<readonly DueShiftCursor[]>;
  /** It cannot be advanced: its team's admins are notified, once until it could be. */
  postponeShiftCursor(id: ScheduleKey, failing: FailureAt): Promise<void>;
  /** Returns how many of the events had been recorded before: none, unless a lock was lost. */
  saveShifts(changes: readonly ShiftChanges[], now: Temporal.Instant): Promise<number>;
};

/** What a server noted of clocks when it last saw them agree. */
export type NotedClock = {
  /** Of the server. */
  readonly id: string;
  readonly host: string;
  /** Names one start of its machine. */
  readonly boot: string;
  /** When that was, by the database's clock. */
  readonly booted_at: Temporal.Instant;
  /** What the machine's own clock is ahead of the database's. */
  readonly ahead_ms: number;
  /** When it was noted, by the database's clock. */
  readonly read_at: Temporal.Instant;
};

/** `boot`: of the machine on which it was seen. */
export type RecordedJump = Jump & { readonly incidents: number; readonly boot: string };

/** `last`: of those looked at; null: there were none. */
export type OpenIncidents = {
  readonly incidents: readonly Incident[];
  readonly last: IncidentKey | null;
};

export type ClockTx = ChangeWriter & {
  /** Locks them, so that one server at a time moves what waits. */
  notedClocks(): Promise<readonly NotedClock[]>;
  noteClock(noted: NotedClock): Promise<void>;
  /** Locks the next open incidents in the order of their ids; unreadable ones are left out. */
  openIncidents(after: IncidentKey | null, limit: number): Promise<OpenIncidents>;
  /** Moves all else that waits by the clock, and what servers noted; stores that it jumped. */
  recordJump(jump: RecordedJump, now: Temporal.Instant): Promise<void>;
};

export type Tx = IntakeTx &
  BacklogTx &
  TimerTx &
  ActionTx &
  OpeningTx &
  SendingTx &
  ReceiptTx &
  ShiftTx &
  ClockTx;

export type Transactor<Port> = {
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transact<T>(work: (tx: Port) => Promise<T>): Promise<T>;
};

export type Ledger = Transactor<Tx> & {
  /** The next instant at which an incident, a shift cursor or a notice is due. */
  nextIncident(): Promise<Temporal.Instant | null>;
  nextShiftCursor(): Promise<Temporal.Instant | null>;
  /** Without `after`, including what is due already. */
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
  readonly posts: boolean;
};

export const noWake: Wake = {
  incidents: false,
  notices: false,
  backlog: false,
  shifts: false,
  posts: false,
};

/** Incidents that are due only after the loop's next poll do not wake it. */
export function wakeOf(changes: Changes, now: Temporal.Instant): Wake {
  const { opened, changed, intents, allClear, entries } = changes;
  const nextPoll = now.epochMilliseconds + pollMs;
  const isSoon = (incident: Incident) =>
    (wakeAt(incident)?.epochMilliseconds ?? Infinity) <= nextPoll;
  return {
    ...noWake,
    incidents: opened.some(isSoon) || changed.some(isSoon),
    notices: intents.length > 0 || allClear.length > 0 || entries.some(wakesPages),
  };
}
