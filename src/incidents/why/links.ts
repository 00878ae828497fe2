// The chain of what led to a page, or kept it from coming: each link with the row that proves it.
import type { EventSource } from '../../alerts/alert.ts';
import { byChannel } from '../../resources/channels.ts';
import { counted } from '../../resources/plural.ts';
import { noticeNames } from '../notice-cancellation.ts';
import type { Duty } from '../target-recipients.ts';
import {
  type Attempt,
  isInVain,
  isStep,
  type OwnNotice,
  type Story,
  type StoryEntry,
  stepDetails,
} from './story.ts';

export type Link = {
  readonly at: Temporal.Instant;
  readonly text: string;
  readonly source: {
    readonly type: 'event' | 'timeline' | 'page' | 'attempt';
    /** Of an attempt: the page's, and its number. */
    readonly id: string;
  };
};

/** In their order; of one moment, what decides comes before what follows from it. */
export function linksOf(story: Story): readonly Link[] {
  const { event, entries, notices } = story;
  const arrived = event && {
    at: event.received_at,
    text: arrivalWords(event.source),
    source: { type: 'event' as const, id: event.id },
  };
  const links: Placed[] = [
    ...placed(arrived ? [arrived] : []),
    ...inPlace(entries.map((item) => entryLink(item, story))),
    ...placed(
      notices.flatMap((notice) => [decided(notice), ...attempted(notice), ...cancelled(notice)]),
    ),
  ];
  return links.sort((a, b) => Temporal.Instant.compare(a.after, b.after)).map(({ link }) => link);
}

/** A link, and the moment after which it stands. */
type Placed = { readonly link: Link; readonly after: Temporal.Instant };

const placed = (links: readonly Link[]): readonly Placed[] =>
  links.map((link) => ({ link, after: link.at }));

/** As the timeline has them: none stands before an earlier one, whatever servers' clocks say. */
function inPlace(entries: readonly Link[]): readonly Placed[] {
  let latest: Temporal.Instant | null = null;
  return entries.map((link) => {
    if (latest === null || Temporal.Instant.compare(link.at, latest) > 0) latest = link.at;
    return { link, after: latest };
  });
}

function arrivalWords(source: EventSource | null): string {
  if (source === null) return 'An event arrived. It is no longer stored';
  return `An event arrived by ${source === 'mail' ? 'e-mail' : 'HTTP'}`;
}

function entryLink(item: StoryEntry, story: Story): Link {
  const { id, at, isEvent = false } = item;
  const source = { type: isEvent ? ('event' as const) : ('timeline' as const), id };
  return { at, text: wordsFor(item, story), source };
}

function wordsFor(item: StoryEntry, { incident, user }: Story): string {
  if (item.type === 'suppressed')
    return `The same alert arrived again, ${counted(incident.suppressed_count, 'time')} so far. It is counted on INC-${incident.number}, and nobody is paged for it`;
  if (!isStep(item)) return item.text;
  const { paged, skipped } = stepDetails(item);
  const matches = [...paged, ...skipped].filter(({ user_id }) => user_id === user.id);
  if (matches.length === 0) return `${item.text}, but not ${user.name}`;
  const duties = new Set(matches.flatMap(({ on_call }) => (on_call ? dutyWords(on_call) : [])));
  return [item.text, ...duties].join('; ');
}

/** An override is in the name already. */
const dutyWords = ({ schedule, layer }: Duty): readonly string[] =>
  typeof layer === 'number' ? [`on call by layer ${layer + 1} of ${schedule}`] : [];

const named = ({ kind, channel }: OwnNotice) => `${noticeNames[kind]} ${byChannel(channel)}`;

/** The reason of a notice that is not a page addresses its recipient, so it is quoted. */
const whyOf = ({ kind, why }: OwnNotice) => (kind === 'page' ? why : `“${why}”`);

const decided = (notice: OwnNotice): Link => ({
  at: notice.created_at,
  text: `${named(notice)} was created: ${whyOf(notice)}`,
  source: { type: 'page', id: notice.key },
});

const attempted = (notice: OwnNotice): readonly Link[] =>
  notice.attempts.map((attempt) => ({
    at: attempt.finished_at ?? attempt.claimed_at,
    text: `${named(notice)}, attempt ${attempt.number}: ${ending(attempt)}`,
    source: { type: 'attempt', id: `${notice.key}#${attempt.number}` },
  }));

function ending(attempt: Attempt): string {
  const { outcome, reason } = attempt;
  if (isInVain(attempt)) return `failed and is retried: ${reason}`;
  switch (outcome) {
    case 'delivered':
      return 'delivered';
    case 'failed':
      return `failed permanently: ${reason}`;
    default:
      return 'sent, but it is not known whether it arrived';
  }
}

const cancelled = (notice: OwnNotice): readonly Link[] =>
  notice.state === 'cancelled' && notice.finished_at !== null
    ? [
        {
          at: notice.finished_at,
          text: `${named(notice)} was not sent: ${notice.reason}`,
          source: { type: 'page', id: notice.key },
        },
      ]
    : [];
