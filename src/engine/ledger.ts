// What the engine needs of storage. Implemented by storage/ on PostgreSQL and by the simulation in
// memory; test/contracts proves that both mean the same.
import type { Named } from '../incidents/actions/named.ts';
import type { Targets } from '../incidents/actions/perform.ts';
import type { Book } from '../incidents/actions/ruled.ts';
import type { AlertOutcome, Known } from '../incidents/arrival/receive.ts';
import type { Receiver } from '../incidents/arrival/receiver.ts';
import type { Directory } from '../incidents/directory.ts';
import type { Entry, Incident, Intent } from '../incidents/incident.ts';
import type { CallContent } from '../notices/webhooks/call.ts';
import type { History } from '../oncall/revisions/history.ts';
import type { AnnouncedSchedule, Audience } from '../shifts/announce.ts';
import type { Looked, Watch } from '../shifts/look.ts';
import type { ShiftIntent } from '../shifts/notice.ts';
import type { Claimed } from './sending/claimed.ts';

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
  readonly door: 'http' | 'mail';
  readonly path: string;
  /** Null: it came by mail, or before this was kept; so are the next two. */
  readonly method: string | null;
  readonly query: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly content_type: string;
  readonly body: Uint8Array;
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

export type Needed = {
  readonly organization_id: string;
  readonly userIds: ReadonlySet<string>;
  readonly scheduleIds: ReadonlySet<string>;
  readonly teamIds: ReadonlySet<string>;
};

/** Whom and what announcing shifts may ask about. */
export type AudienceNeeded = Omit<Needed, 'teamIds'>;

export type TeamKey = { readonly organization_id: string; readonly team_id: string };

/** What actions point to within one organisation. */
export type NamedIn = Named & { readonly organization_id: string };

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

export type Attempted = {
  readonly claimed: Pick<Claimed, 'organization_id' | 'key' | 'attempt' | 'channel' | 'receiver'>;
  readonly finishedAt: Temporal.Instant;
  readonly state: 'sent' | 'failed' | 'pending';
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
export type Written = { readonly content: CallContent };

/**
 * Decides on a due notice; null: it goes out as it is. `limitReached`: it would go beyond the
 * organisation's monthly limit.
 */
export type Judge = (notice: Claimed, limitReached: boolean) => Unwanted | Written | null;

export type ClaimRequest = {
  readonly now: Temporal.Instant;
  /** Names the server, so that it is known when it is dead; null: that cannot be told. */
  readonly claimant?: string | null;
  readonly leaseUntil: Temporal.Instant;
  readonly limit: number;
  /** Receivers that have as many attempts under way as they may. */
  readonly busy: readonly string[];
  readonly perReceiver: number;
  /** How many calls of outbound webhooks may be among them; any number unless told. */
  readonly callsMax?: number;
};

/** A schedule that is due to be looked at. */
export type DueWatch = {
  readonly schedule: AnnouncedSchedule;
  readonly watch: Watch;
  /** From what was in force at the last look on. */
  readonly history: History;
};

/** What one look at a schedule came to. */
export type ShiftChanges = Pick<DueWatch, 'schedule'> & {
  readonly looked: Looked;
  readonly intents: readonly ShiftIntent[];
};

/** One transaction: all of it happens, or none. */
export type Tx = {
  /** Locks the integrations, so that events of one are decided one after another. */
  receivers(ids: readonly Key[]): Promise<ReadonlyMap<string, Receiver>>;
  /** Those of the integrations that have stored events not yet decided. */
  withBacklog(ids: readonly Key[]): Promise<ReadonlySet<string>>;
  /**
   * The oldest undecided events of one integration that nobody else is deciding: of the one whose
   * turn it is, for organisations take turns, and the integrations of each. Not many bytes at once.
   */
  backlog(limit: number): Promise<readonly StoredEvent[]>;
  /** Locks the open incidents it answers. */
  known(keys: readonly Key[]): Promise<ReadonlyMap<string, Known>>;
  /** What the teams decided beforehand, by team. */
  books(teams: readonly TeamKey[]): Promise<ReadonlyMap<string, Book>>;
  /** As it is now, archived or not. */
  targets(named: readonly NamedIn[]): Promise<Omit<Targets, 'playbooks'>>;
  /** Whoever is on call is known from `now` on. */
  directory(needed: readonly Needed[], now: Temporal.Instant): Promise<Directory>;
  insertEvents(events: readonly { event: StoredEvent; decision: Decision | null }[]): Promise<void>;
  settleEvents(events: readonly { event: StoredEvent; decision: Decision }[]): Promise<void>;
  countStorm(counts: ReadonlyMap<string, { key: Key; times: number }>): Promise<void>;
  /** Locks what is due and free. */
  dueIncidents(now: Temporal.Instant, limit: number): Promise<readonly Incident[]>;
  lockIncidents(organizationId: string, ids: readonly string[]): Promise<readonly Incident[]>;
  /** Whether its key leads to another incident that is open. */
  anotherIsOpen(incident: Incident): Promise<boolean>;
  /** Answers the number of each opened incident by id. */
  save(changes: Changes, now: Temporal.Instant): Promise<ReadonlyMap<string, number>>;
  /** Locks due notices and their incidents' state; `judge` decides which stay. */
  claim(request: ClaimRequest, judge: Judge): Promise<readonly Claimed[]>;
  /** Locks what is due and free; whoever edits such a schedule waits. */
  dueWatches(now: Temporal.Instant, limit: number): Promise<readonly DueWatch[]>;
  audience(needed: readonly AudienceNeeded[]): Promise<Audience>;
  /** Answers how many of the events were recorded before: none, unless a lock was not kept. */
  saveShifts(changes: readonly ShiftChanges[], now: Temporal.Instant): Promise<number>;
  /**
   * Repeatable: what is recorded already is not recorded again. Answers, locked, the incidents
   * of which a notice failed for good.
   */
  finish(attempts: readonly Attempted[]): Promise<readonly Incident[]>;
  /** The steps of the incident's round of which a page arrived, or still may. */
  pagedSteps(incident: Incident): Promise<ReadonlySet<number>>;
};

export type Ledger = {
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The nearest instant at which an incident, a schedule's watch or a notice is due. */
  nextIncident(): Promise<Temporal.Instant | null>;
  nextWatch(): Promise<Temporal.Instant | null>;
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

export const wakeOf = (changes: Changes): Wake => ({
  ...noWake,
  incidents: changes.opened.length > 0 || changes.changed.length > 0,
  notices: changes.intents.length > 0 || changes.allClear.length > 0,
});
