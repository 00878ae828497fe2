// What a message that stands somewhere has to show, and until when that is looked after.
import { createHash } from 'node:crypto';
import { type Entry, type Incident, isDue } from '../../incidents/incident.ts';
import { countAlerts } from '../../incidents/incident-alerts.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { ActionTaken } from '../../notices/kinds/incident.ts';
import type { Phrases } from '../../notices/words/phrases.ts';
import { traitsOf } from '../../resources/channels.ts';
import { backoffSeconds } from '../sending/backoff.ts';
import type { Delivery, Difference, PostedMessage } from '../sending/channel.ts';

type Shown = Pick<
  Incident,
  | 'status'
  | 'acknowledged_at'
  | 'resolved_at'
  | 'priority'
  | 'severity'
  | 'service_id'
  | 'title'
  | 'merged_into_id'
> &
  Parameters<typeof countAlerts>[0] & {
    readonly escalation: Pick<Incident['escalation'], 'cycle'>;
  };

/** Stands for all that messages show of an incident and that may change. */
export function shownOf(incident: Shown): string {
  const { status, acknowledged_at, resolved_at, merged_into_id, title } = incident;
  const { priority, severity, service_id, escalation } = incident;
  const parts = [acknowledged_at, resolved_at, merged_into_id, title, priority, severity];
  const text = JSON.stringify([...parts.map((part) => part && String(part)), service_id]);
  const words = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  // Paging that has started again is another state, with buttons of its own.
  return [status, words, escalation.cycle, ...countsOf(incident)].join(' ');
}

/** Of an incident with one alert nothing is counted. */
function countsOf(incident: Shown): readonly string[] {
  const { firing, total } = countAlerts(incident);
  return total > 1 ? [`${firing}/${total}`] : [];
}

/** What stands for a message that was sent to where it has not arrived yet. */
export const notYet = 'not yet';

/** The same where an edit may have been done or not: it has no answer. */
export const uncertain = 'uncertain';

const wordsOf = (shown: string) => shown.split(' ', 2).join(' ');
const countsIn = (shown: string | null) => shown?.split(' ')[3];
const withoutCounts = (shown: string) => shown.split(' ', 3).join(' ');

/** What differs between what a message shows and what it is to show. */
export function differenceOf(
  { shows, incident }: Pick<Post, 'shows' | 'incident'>,
  taken: ActionTaken | undefined,
): Difference {
  if (shows === notYet) return 'all';
  // What shows something else than that it is triggered was changed so by somebody.
  if (shows === null) return incident.status === 'triggered' && !taken ? 'cycle' : 'words';
  return wordsOf(shows) === wordsOf(shownOf(incident)) ? 'cycle' : 'words';
}

/** The same of a message as it is sent: who has the incident is not in it. */
export const shownFirst = (incident: Shown): string | null =>
  incident.status === 'triggered' ? shownOf(incident) : null;

export type Post = {
  readonly incident: Incident;
  /** Null: that is not known. */
  readonly shows: string | null;
  readonly changedAt: Temporal.Instant;
  /** Of changing it since. */
  readonly tries: number;
  /** When it, or a line below it, last showed how many alerts there are; null: never. */
  readonly countedAt: Temporal.Instant | null;
  /** Alerts that neither it nor a line below it has shown; null: none, or there can be no line. */
  readonly joined: Joined | null;
};

/** Alerts that joined an incident. */
export type Joined = {
  readonly count: number;
  /** Of the first of them. */
  readonly titles: readonly string[];
  /** When the last of them joined. */
  readonly at: Temporal.Instant;
};

export type UpdateDecision =
  /** By an edit, and a line below it that names alerts. */
  | { readonly type: 'show'; readonly shows: string; readonly isNaming: boolean }
  /** By that line alone. */
  | { readonly type: 'name'; readonly shows: string }
  /** Until then, or until the incident changes. */
  | { readonly type: 'wait'; readonly until: Temporal.Instant }
  | { readonly type: 'forget' };

export function decideUpdate(post: Post, now: Temporal.Instant): UpdateDecision {
  const { incident, shows } = post;
  const wanted = shownOf(incident);
  const countAt = mayCountAt(post, now);
  const mayCount = isDue(countAt, now);
  if (shows !== wanted) {
    const isOfCounts = shows !== null && withoutCounts(shows) === withoutCounts(wanted);
    return isOfCounts && !mayCount
      ? { type: 'wait', until: countAt }
      : { type: 'show', shows: wanted, isNaming: mayCount && hasUnnamed(post) };
  }
  if (hasUnnamed(post))
    return mayCount ? { type: 'name', shows: wanted } : { type: 'wait', until: countAt };
  const forgottenAt = forgottenAtOf(incident);
  if (forgottenAt === null) return { type: 'wait', until: nextCheck(now) };
  return isDue(forgottenAt, now) ? { type: 'forget' } : { type: 'wait', until: forgottenAt };
}

/** From when on an update may show nothing but another number of alerts. */
const mayCountAt = ({ countedAt }: Pick<Post, 'countedAt'>, now: Temporal.Instant) =>
  countedAt?.add({ seconds: sendingLimits.postedCounts }) ?? now;

/** Nobody needs to know what joined an incident that has ended. */
const hasUnnamed = ({ incident, joined }: Pick<Post, 'incident' | 'joined'>): boolean =>
  joined !== null && incident.status !== 'resolved';

/** Null: not while it is open. */
const forgottenAtOf = ({ status, resolved_at }: Incident): Temporal.Instant | null =>
  status === 'resolved' && resolved_at !== null
    ? resolved_at.add({ hours: sendingLimits.postedHours })
    : null;

const nextCheck = (now: Temporal.Instant) => now.add({ minutes: sendingLimits.postedCheck });

export type Result =
  | {
      readonly type: 'shown';
      readonly shows: string;
      readonly wakeAt: Temporal.Instant;
      /** Where it, or a line below it, shows another number of alerts than before. */
      readonly countedAt?: Temporal.Instant;
      /** Alerts that joined until then are not named any more. */
      readonly joinedAt?: Temporal.Instant;
      /** It was deleted, and another one shows it. */
      readonly insteadBy?: PostedMessage;
    }
  | { readonly type: 'retry'; readonly wakeAt: Temporal.Instant }
  /** It stays as it is. */
  | { readonly type: 'failed'; readonly reason: string };

type ShowContext = {
  readonly shows: string;
  /** Whether a line below names alerts. */
  readonly isNaming: boolean;
  readonly now: Temporal.Instant;
  readonly random: () => number;
};

/** What came of having it shown. */
export function resultOf(post: Post, delivery: Delivery, context: ShowContext): Result {
  const { shows, isNaming, now, random } = context;
  const { incident, changedAt, tries } = post;
  if (delivery.outcome === 'delivered') {
    const { insteadBy } = delivery;
    // What is not named yet is named when the next count may be shown, also if nothing else changes.
    const isLeft = hasUnnamed(post) && !isNaming;
    const nameAt = isLeft ? mayCountAt(post, now) : nextCheck(now);
    const isCounted = isNaming || (!isLeft && countsIn(post.shows) !== countsIn(shows));
    const isOver = isNaming || incident.status === 'resolved';
    return {
      type: 'shown',
      shows,
      wakeAt: forgottenAtOf(incident) ?? nameAt,
      ...(isCounted && { countedAt: now }),
      ...(isOver && post.joined && { joinedAt: post.joined.at }),
      ...(insteadBy && { insteadBy }),
    };
  }
  const { reason } = delivery;
  if (delivery.outcome === 'failed') return { type: 'failed', reason };
  const requested = delivery.outcome === 'no_answer' ? (delivery.retryAfterSeconds ?? 0) : 0;
  const seconds = Math.max(backoffSeconds(tries, random), requested);
  const wakeAt = now.add({ milliseconds: Math.round(seconds * 1_000) });
  const end = changedAt.add({ hours: sendingLimits.editsEndHours });
  // A change that was found late was not tried yet, however old it is.
  return Temporal.Instant.compare(wakeAt, end) > 0 && tries >= sendingLimits.triesAtLeast
    ? { type: 'failed', reason }
    : { type: 'retry', wakeAt };
}

/** What somebody last did that a message shows. */
export type LastAction = Pick<Entry, 'type' | 'actor'> & { readonly at: Temporal.Instant };

/** Entries of timelines by which an incident came to be as it is; how messages call them. */
const actions: Readonly<
  Record<Incident['status'], Readonly<Record<string, keyof Phrases['taken']>>>
> = {
  triggered: { unacknowledged: 'Unacknowledged', reopened: 'Reopened' },
  acknowledged: { acknowledged: 'Acknowledged' },
  resolved: { resolved: 'Resolved', merged: 'Merged' },
};

/** The types of all of them. */
export const shownActions: readonly string[] = Object.values(actions).flatMap(Object.keys);

/** What stands on top of a message; undefined: nobody did anything yet. */
export function takenOf(
  { status }: Pick<Incident, 'status'>,
  last: LastAction | null,
): ActionTaken | undefined {
  const action = last && actions[status][last.type];
  if (!action) return undefined;
  const via = last.actor === null ? undefined : traitsOf(last.actor.via)?.words.acted;
  const isAutomatic = isMachine(last.actor);
  return {
    action,
    by: nameOf(last.actor),
    ...(isAutomatic && { isAutomatic }),
    ...(via && { via }),
    at: last.at,
  };
}

/** Whether it was done after the page was decided, and is not said below the message yet. */
export const isNews = (
  { at }: LastAction,
  {
    decidedAt,
    commentedAt,
  }: { readonly decidedAt: Temporal.Instant; readonly commentedAt: Temporal.Instant | null },
): boolean => Temporal.Instant.compare(at, commentedAt ?? decidedAt) > 0;

const isMachine = (actor: LastAction['actor']): boolean =>
  actor !== null && ['timer', 'alert'].includes(actor.type);

function nameOf(actor: LastAction['actor']): string {
  if (actor === null) return 'Pager';
  return isMachine(actor) ? `the ${actor.name.replace(/^the /i, '').toLowerCase()}` : actor.name;
}
