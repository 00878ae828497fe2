// What an incident is, and what its life consists of. Everything in this folder is pure: state and
// an event go in, the new state, what to say to whom, and the reasons for the timeline come out.
import type { SourceTime } from '../alerts/alert.ts';
import type { ReplyChannel, signInChannel } from '../resources/channels.ts';
import type { Sealed } from '../resources/declaration/field.ts';
import type { Step } from '../resources/escalation-policy.ts';
import { namesText } from '../resources/plural.ts';
import type { Verdict } from '../resources/verdicts.ts';

export const statuses = ['triggered', 'acknowledged', 'resolved'] as const;
export type Status = (typeof statuses)[number];
export type Link = { readonly href: string; readonly text?: string };
export type Span = { readonly after: number; readonly unit: 'minutes' | 'hours' | 'days' };

/** Who did something, and from where. */
export type Actor = {
  readonly type: 'user' | 'key' | 'alert' | 'timer' | 'rule' | 'playbook';
  readonly id?: string;
  readonly name: string;
  readonly via:
    | 'api'
    | 'dashboard'
    | typeof signInChannel
    | 'chat'
    | 'push'
    | ReplyChannel
    | 'alert'
    | 'timer'
    | 'rule'
    | 'playbook';
  /** Of an answer by SMS, whose sender can be forged: the end of the number that it came from. */
  readonly from?: string;
};

/** A server that sends an alert itself: until when it holds, and by how much its clock may be ahead. */
export type Sender = {
  readonly sender: string;
  readonly endsAt: Temporal.Instant;
  readonly aheadMs: number;
};

/** How one alert of an incident is reported by its source, and when that counts as its end. */
export const reportingFields = [
  'expiresAt',
  'heardAt',
  'expiresAfterMs',
  'quietAt',
  'senders',
  'reporters',
  'lastSourceTime',
  'recentTriggers',
  'storm',
] as const satisfies readonly (keyof Escalation)[];
export type Reporting = Pick<Escalation, (typeof reportingFields)[number]>;

export const alertStates = ['firing', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];

/** One of the alerts of an incident. An incident that has no list of them is its only alert. */
export type IncidentAlert = {
  readonly integration_id: string;
  readonly dedup_key: string;
  readonly title: string;
  readonly severity: string | null;
  readonly priority: string | null;
  readonly state: AlertState;
  readonly first_at: Temporal.Instant;
  readonly last_at: Temporal.Instant;
  /** How often it was triggered. */
  readonly times: number;
  readonly resolved_at: Temporal.Instant | null;
  readonly reporting: Reporting;
  /** What its tool sent; decisions do not read it again once it is stored. */
  readonly content?: { readonly details: unknown; readonly links: readonly Link[] };
};

/** The worst that the alerts of an incident have reported. */
export type Worst = { readonly severity: string | null; readonly priority: string | null };

export type Escalation = {
  readonly policyName: string;
  readonly delayMinutes: number;
  readonly repeats: boolean;
  readonly ackTimeoutMinutes: number | null;
  readonly autoResolve: Span | null;
  /** Every restart is a new cycle; part of the key of each page. */
  readonly cycle: number;
  /** Index of the step that runs next; the number of steps when all have run. */
  readonly nextStep: number;
  readonly repeatsLeft: number;
  readonly pagedInCycle: boolean;
  /** When the next step, or the repeat, is due. */
  readonly stepAt: Temporal.Instant | null;
  /** What was left of the step timer when the incident was muted. */
  readonly stepRemainingMs: number | null;
  /** By when a page of the last step must be taken; the step counts as failed if none is. */
  readonly takenBy?: Temporal.Instant | null;
  /** What was left of that when the incident was muted. */
  readonly takenByRemainingMs?: number | null;
  /**
   * The steps to which the cycle went back, oldest first: later steps that had run before are
   * withdrawn.
   */
  readonly wentBackTo?: readonly number[];
  /** The step that somebody requested: the cycle does not go back behind it. */
  readonly requestedStep?: number;
  readonly ackTimeoutAt: Temporal.Instant | null;
  readonly resolveAt: Temporal.Instant | null;
  /** A source that must keep saying so (Prometheus): resolved when it no longer does. */
  readonly expiresAt: Temporal.Instant | null;
  /** When a trigger came last, of what ends when none comes; by how much that moves its end. */
  readonly heardAt?: Temporal.Instant;
  readonly expiresAfterMs?: number;
  /** Resolved when no trigger comes for so long, and when that is. */
  readonly quiet?: Span | null;
  readonly quietAt?: Temporal.Instant | null;
  /** The last triggers, in epoch milliseconds, for storm detection. */
  readonly recentTriggers: readonly number[];
  readonly storm: { readonly until: Temporal.Instant; readonly eventId: string } | null;
  /** Of earlier releases, which notified admins of each incident by itself. */
  readonly stormNotifiedAt: Temporal.Instant | null;
  /** Until when the first step waits, because the alert may be a copy that came late. */
  readonly putOffUntil?: Temporal.Instant | null;
  /** Until when its alert holds, by each server that sends it itself. */
  readonly senders?: readonly Sender[];
  /** Who reported it, of several that send the same alert, and has not reported its end. */
  readonly reporters?: readonly string[];
  /** The last instant that its source gave a trigger of it. */
  readonly lastSourceTime?: Pick<SourceTime, 'by' | 'at'> | undefined;
  /** The worst that its alerts have reported; absent of incidents of an earlier release. */
  readonly worst?: Worst;
  /** A rule or a playbook gave it its title. */
  readonly isTitled?: boolean;
  /** A rule or a playbook acknowledged it: no other alert joins it. */
  readonly isAcknowledgedByRule?: boolean;
  /** Ids of alerts that were split off: none of them joins it again. */
  readonly splitOff?: readonly string[];
  /** When an alert joined it last. */
  readonly joinedAt?: Temporal.Instant;
  /** When a step ran last. */
  readonly steppedAt?: Temporal.Instant;
  readonly prioritySetByPerson: boolean;
  readonly severitySetByPerson: boolean;
  /** When the last events were suppressed, and the last earlier incidents of the key were opened:
   * in epoch milliseconds, as many as the team's rules ask about. */
  readonly suppressedAt: readonly number[];
  readonly repeatedAt: readonly number[];
  /** Rules that have changed it: none does so twice. */
  readonly appliedRules: readonly string[];
};

export type Incident = {
  readonly id: string;
  readonly organization_id: string;
  readonly number: number;
  readonly title: string;
  readonly status: Status;
  readonly priority: string | null;
  readonly severity: string | null;
  readonly team_id: string;
  readonly service_id: string;
  /** Null of an incident that a person opened, which no integration received. */
  readonly integration_id: string | null;
  readonly source_integration_id: string | null;
  readonly escalation_policy_id: string;
  readonly dedup_key: string;
  /** What its tool sent in the place of a key, and tells no problems apart; null or absent: nothing. */
  readonly raw_key?: string | null;
  readonly details: unknown;
  readonly links: readonly Link[];
  readonly responder_ids: readonly string[];
  readonly suppressed_count: number;
  readonly repeat_count: number;
  readonly created_at: Temporal.Instant;
  readonly updated_at: Temporal.Instant;
  readonly acknowledged_at: Temporal.Instant | null;
  readonly resolved_at: Temporal.Instant | null;
  readonly resolved_by_timer: boolean;
  readonly muted_until: Temporal.Instant | null;
  readonly merged_into_id: string | null;
  /** Alerts with the same one join it; null or absent: none does. */
  readonly group_key?: string | null;
  /** By age; absent of an incident that had never more than one. */
  readonly alerts?: readonly IncidentAlert[];
  /** As stored, for whoever has not read the list; null or absent: it has one alert. */
  readonly alerts_firing?: number | null;
  readonly alerts_total?: number | null;
  /** What it turned out to be, who said so last, and when; null: nobody has said. */
  readonly verdict: Verdict | null;
  readonly verdict_by: Actor | null;
  readonly verdict_at: Temporal.Instant | null;
  /** Only test events made it: nothing is wrong, and reports leave it out. */
  readonly is_test: boolean;
  readonly steps: readonly Step[];
  readonly escalation: Escalation;
};

/** Something worth keeping for ever: what happened, who did it, why. */
export type Entry = {
  readonly incident_id: string;
  readonly type: string;
  readonly text: string;
  readonly actor: Actor | null;
  readonly details: unknown;
};

export const noticeKinds = [
  'page',
  'nobody_paged',
  'not_all_paged',
  'all_clear',
  'assigned',
  'responder_added',
  'storm',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];
export const isNoticeKind = (kind: string): kind is NoticeKind =>
  noticeKinds.some((known) => known === kind);

/** Those that ask somebody to act: a mute holds them back, and an all-clear follows them. */
export const pageKinds = [
  'page',
  'nobody_paged',
  'not_all_paged',
] as const satisfies readonly NoticeKind[];
type PageKind = (typeof pageKinds)[number];

/** Whether a notice leaves the server: some are only written to a folder. */
export const reachesSomebody = ({ written }: Pick<Intent, 'written'>): boolean => written !== true;

export const isPage = <Notice extends { readonly kind: string }>(
  notice: Notice,
): notice is Notice & { readonly kind: PageKind } => pageKinds.some((kind) => kind === notice.kind);

/** On what occasion a webhook is called. */
export const occasions = [
  'incident_triggered',
  'incident_acknowledged',
  'incident_resolved',
  'incident_escalated',
  'incident_requested',
] as const;
export type Occasion = (typeof occasions)[number];

/** Of a page beside the policy: paging that starts again does not outdate it. */
export const noCycle = -1;

/** A notice to be sent. Its key is unique, so it cannot be decided twice. */
export type Intent = {
  readonly key: string;
  readonly incident_id: string;
  /** `webhook`: an outbound webhook is called. */
  readonly kind: NoticeKind | 'webhook';
  readonly channel: string;
  /**
   * An e-mail address, a chat's webhook address as stored (sealed), or an outbound webhook's id.
   */
  readonly address: string | Sealed;
  readonly user_id: string | null;
  readonly recipient: string | null;
  /** How the recipient came to be meant, such as "on call of Payments"; absent: the target names them. */
  readonly route?: string;
  readonly mention: string | null;
  readonly why: string;
  readonly cycle: number;
  readonly step: number;
  /** Of a page, how often its cycle had gone back before; 0 if absent. */
  readonly wave?: number;
  /** Lower goes first: 0 the first page of an incident, 1 other pages, 2 the rest. */
  readonly rank: number;
  /** Of a webhook's call. */
  readonly occasion?: Occasion;
  /** It reaches nobody: the message is only written to a folder. */
  readonly written?: true;
  /** Of a storm: what else the notice is about. */
  readonly otherStorms?: OtherStorms;
};

/** Further incidents of a team that are in a storm. */
export type OtherStorms = {
  /** Of the first of them. */
  readonly numbers: readonly number[];
  /** How many there are beside those. */
  readonly more: number;
};

/** One phrase; empty if there are none. */
export function otherStormsText({ numbers, more }: OtherStorms): string {
  const names = numbers.map((number) => `INC-${number}`);
  return namesText(names, more);
}

export type Outcome = {
  readonly incident: Incident;
  readonly intents: readonly Intent[];
  readonly entries: readonly Entry[];
  /** Whether those who were paged are notified that it is over. */
  readonly allClear: boolean;
};

/** The incident does not allow this now. */
export type Refused = { readonly refused: string };

/** Muted for good: a mute that ends at the end of time. */
export const forGood = Temporal.Instant.from('9999-12-31T23:59:59.999Z');

export const withEscalation = (incident: Incident, change: Partial<Escalation>): Incident => ({
  ...incident,
  escalation: { ...incident.escalation, ...change },
});

/** What a new cycle begins with: nothing is awaited, withdrawn or requested. */
export const newCycle = {
  takenBy: null,
  takenByRemainingMs: null,
  wentBackTo: [],
  requestedStep: 0,
} as const satisfies Partial<Escalation>;

/** When nobody is paged any more, no page is awaited. */
export const nothingAwaited = {
  stepAt: null,
  stepRemainingMs: null,
  takenBy: null,
  takenByRemainingMs: null,
} as const satisfies Partial<Escalation>;

/** How often the cycle has gone back. */
export const waveOf = ({ wentBackTo = [] }: Pick<Escalation, 'wentBackTo'>): number =>
  wentBackTo.length;

/** At least so many times are stored, for rules that ask about them later. */
const storedTimesMin = 20;

/** The last of the times, as many as the rules need. */
export const lastTimes = (times: readonly number[], needed: number): readonly number[] =>
  times.slice(-Math.max(storedTimesMin, needed));

export const isOpen = (incident: Incident): boolean => incident.status !== 'resolved';

export const isMuted = (incident: Incident): boolean => incident.muted_until !== null;

/** When the incident is due next: its earliest timer; null when none is set. */
export function wakeAt(incident: Incident): Temporal.Instant | null {
  if (!isOpen(incident)) return null;
  const { stepAt, ackTimeoutAt, resolveAt, expiresAt, quietAt = null } = incident.escalation;
  const mute = incident.muted_until?.equals(forGood) ? null : incident.muted_until;
  const awaited = takenByOf(incident);
  return earliest([stepAt, awaited, ackTimeoutAt, resolveAt, expiresAt, quietAt, mute]);
}

/**
 * By when a page of the last step must be taken; null: none is awaited. The previous release leaves a
 * time behind where it acknowledges or mutes.
 */
export const takenByOf = (incident: Incident): Temporal.Instant | null =>
  incident.status === 'triggered' && !isMuted(incident)
    ? (incident.escalation.takenBy ?? null)
    : null;

function earliest(instants: readonly (Temporal.Instant | null)[]): Temporal.Instant | null {
  let first: Temporal.Instant | null = null;
  for (const instant of instants)
    if (instant && (!first || isSooner(instant, first))) first = instant;
  return first;
}

export const isDue = (at: Temporal.Instant | null, now: Temporal.Instant): boolean =>
  at !== null && Temporal.Instant.compare(at, now) <= 0;

export const minutesAfter = (now: Temporal.Instant, minutes: number): Temporal.Instant =>
  now.add({ seconds: minutes * 60 });

export const isSooner = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) < 0;

const unitMinutes = { minutes: 1, hours: 60, days: 1_440 } as const;

export const minutesOf = ({ after, unit }: Span): number => after * unitMinutes[unit];

/** A day is 24 hours here: the span counts from an instant, not on anybody's calendar. */
export const spanAfter = (now: Temporal.Instant, span: Span | null): Temporal.Instant | null =>
  span && minutesAfter(now, minutesOf(span));

export const entry = (
  incident: Pick<Incident, 'id'>,
  type: string,
  text: string,
  about: { readonly actor?: Actor; readonly details?: unknown } = {},
): Entry => ({
  incident_id: incident.id,
  type,
  text,
  actor: about.actor ?? null,
  details: about.details ?? null,
});

/** Nothing to say to anybody; the incident may have changed. */
export const only = (incident: Incident, ...entries: Entry[]): Outcome => ({
  incident,
  intents: [],
  entries,
  allClear: false,
});

/** Somebody asked for what is so already. */
export const noted = (incident: Incident, by: Actor, action: string, why: string) =>
  entry(incident, 'unchanged', `${by.name} tried to ${action}, which changed nothing: ${why}`, {
    actor: by,
  });

/** Combines two outcomes: the notices and entries of both, and the incident after the second. */
export function then(outcome: Outcome, next: (incident: Incident) => Outcome): Outcome {
  const { incident, intents, entries, allClear } = next(outcome.incident);
  return {
    incident,
    intents: [...outcome.intents, ...intents],
    entries: [...outcome.entries, ...entries],
    allClear: outcome.allClear || allClear,
  };
}

/** Entries that came before others did. */
export const after = (entries: readonly Entry[], outcome: Outcome): Outcome => ({
  ...outcome,
  entries: [...entries, ...outcome.entries],
});

/** What the clock does, it does as this. */
export const timer: Actor = { type: 'timer', name: 'Timer', via: 'timer' };
