// Why somebody was paged for an incident, or was not: from what the ledger has about it, in order.
import { byChannel } from '../../resources/channels.ts';
import { isPage } from '../incident.ts';
import { type Link, linksOf } from './links.ts';
import {
  type Attempt,
  isInVain,
  isNotification,
  isStep,
  notificationDetails,
  type OwnNotice,
  type Story,
  stepDetails,
} from './story.ts';

export type Why = {
  readonly paged: boolean;
  /** One sentence. */
  readonly answer: string;
  readonly chain: readonly Link[];
};

/** What the ledger has about it; the person need not have anything to do with the incident. */
export function whyPaged(story: Story): Why {
  const delivered = deliveredPage(story);
  const { name } = story.user;
  const answer =
    delivered === null
      ? (notKnown(story) ?? `${name} was not paged: ${whyNot(story)}`)
      : `${name} ${delivered}`;
  return {
    paged: delivered !== null,
    // Reasons that others gave may have their own full stop.
    answer: answer.endsWith('.') ? answer : `${answer}.`,
    chain: linksOf(story),
  };
}

const clock = (at: Temporal.Instant) => at.toString({ smallestUnit: 'second' });

function deliveredPage({ notices, user }: Story): string | null {
  for (const page of notices.filter(isPage)) {
    const delivered = page.attempts.find(({ outcome }) => outcome === 'delivered');
    if (!delivered) continue;
    const at = delivered.finished_at ?? delivered.claimed_at;
    return `was paged ${byChannel(page.channel)} at ${clock(at)}: ${whyOf(page, user)}`;
  }
  return null;
}

/** A page to an admin speaks to them, and is described to others here. */
const whyOf = ({ kind, why }: OwnNotice, { name }: Story['user']) =>
  kind === 'page' ? why : `${othersOf(kind)}, and ${name} is an admin of the team`;

const othersOf = (kind: string) =>
  kind === 'nobody_paged' ? 'nobody else could be paged' : 'not everyone could be paged';

/** Null when nothing that the answer needs has been removed. */
function notKnown(story: Story): string | null {
  const { user, removed, incident } = story;
  const [{ name }, { number }] = [user, incident];
  if (removed.notices)
    return `It is no longer known whether ${name} was paged: the notices of INC-${number} were deleted at ${clock(removed.notices)}, at the end of their retention period`;
  if (removed.entries && unsentPage(story) === null)
    return `${name} was not paged, but the reason is no longer known: the timeline of INC-${number} was deleted at ${clock(removed.entries)}, at the end of its retention period`;
  return null;
}

/** What came nearest to a page decides. */
function whyNot(story: Story): string {
  return (
    unsentPage(story) ??
    passedOver(story) ??
    notReached(story) ??
    notifiedOnly(story) ??
    notNotified(story) ??
    scheduleToCome(story) ??
    notTargeted(story)
  );
}

function unsentPage(story: Story): string | null {
  const pages = story.notices.filter(isPage);
  const page =
    pages.find(({ state }) => state === 'pending') ??
    pages.find(({ state }) => state === 'failed') ??
    pages[0];
  if (!page) return null;
  const last = page.attempts.at(-1);
  const name = `the page ${byChannel(page.channel)} (${whyOf(page, story.user)})`;
  switch (page.state) {
    case 'failed':
      return `${name} failed: ${page.reason}`;
    case 'cancelled': {
      const by = stops[page.reason ?? ''] ?? [];
      return `${name} ${endOf(last)}, because ${page.reason}${reasonOf(story, by, page.finished_at)}`;
    }
    case 'sent':
      return `${name} was sent, but nothing confirms that it arrived: ${page.reason}`;
    default:
      if (story.incident.muted_until !== null) return `${name} is sent when the mute ends`;
      return `${name} ${progressOf(last)}`;
  }
}

/** Of a page that is not done. */
function progressOf(last: Attempt | undefined): string {
  if (last !== undefined && isInVain(last)) return `failed and is retried: ${last.reason}`;
  return last?.outcome === 'handed_over'
    ? 'was sent, and its receipt is pending'
    : 'has not been sent yet';
}

/** Of a page that is not sent any more. */
function endOf(last: Attempt | undefined): string {
  if (!last) return 'was not sent';
  return isInVain(last)
    ? `failed (${last.reason}) and was not retried`
    : 'may have been sent and was not retried';
}

function passedOver({ entries, user }: Story): string | null {
  for (const item of entries.filter(isStep)) {
    const { step, skipped } = stepDetails(item);
    const missed = skipped.find(({ user_id }) => user_id === user.id);
    if (missed)
      return `step ${step + 1} could not page them ${byChannel(missed.channel)}: ${missed.reason}`;
  }
  return null;
}

/** Beside the policy. */
function notNotified({ entries, user }: Story): string | null {
  for (const item of entries.filter(isNotification)) {
    const missed = notificationDetails(item).skipped.find(({ user_id }) => user_id === user.id);
    if (!missed) continue;
    const { channel, reason } = missed;
    return isPage({ kind: item.type })
      ? `${othersOf(item.type)}, and neither could ${user.name} ${byChannel(channel)}: ${reason}`
      : `${assignmentOf(item.type, user)}, but could not be notified ${byChannel(channel)}: ${reason}`;
  }
  return null;
}

const assignmentOf = (kind: string, { name }: Story['user']) =>
  kind === 'assigned' ? `it was assigned to ${name}` : `${name} was added as a responder`;

/** A step that has not run yet, or would have come, and names the person. */
function notReached(story: Story): string | null {
  const { id, name } = story.user;
  const index = stepAhead(story, ({ user_id }) => user_id === id);
  return index < 0 ? null : aheadOf(story, index, `which names ${name}`);
}

/** The ledger does not store who would be on call at a later step. */
function scheduleToCome(story: Story): string | null {
  const index = stepAhead(story, ({ oncall_schedule_id }) => oncall_schedule_id !== undefined);
  if (index < 0) return null;
  const ahead = aheadOf(story, index, 'which pages whoever is on call');
  return `no step that ran names ${story.user.name}, and ${ahead}`;
}

type Target = Story['incident']['steps'][number]['targets'][number];

const stepAhead = ({ incident }: Story, isTarget: (target: Target) => boolean): number =>
  incident.steps.findIndex(
    ({ targets }, index) => index >= incident.escalation.nextStep && targets.some(isTarget),
  );

function aheadOf(story: Story, index: number, text: string): string {
  const { escalation, status, muted_until } = story.incident;
  const step = `step ${index + 1}, ${text},`;
  if (status !== 'triggered')
    return `${step} was not reached${reasonOf(story, stops[`the incident is ${status}`] ?? [])}`;
  if (muted_until !== null) return `${step} waits until the mute ends`;
  const isNext = index === escalation.nextStep && escalation.stepAt !== null;
  return isNext ? `${step} runs at ${clock(escalation.stepAt)}` : `${step} has not run yet`;
}

function notifiedOnly({ notices, user }: Story): string | null {
  const notice = notices.find(({ kind }) => kind === 'assigned' || kind === 'responder_added');
  return notice
    ? `${assignmentOf(notice.kind, user)}, but the notice ${byChannel(notice.channel)} is not a page`
    : null;
}

function notTargeted({ entries, incident, user }: Story): string {
  const isDelayed = entries.some(({ type }) => type === 'paging_delayed') && !entries.some(isStep);
  return isDelayed
    ? `INC-${incident.number} has paged nobody yet`
    : `no step that ran names ${user.name} or a schedule that they were on call for`;
}

/** The entries that tell who stopped paging, by the reason that a page is cancelled for. */
const stops: Readonly<Record<string, readonly string[]>> = {
  'the incident is acknowledged': ['acknowledged'],
  'the incident is resolved': ['resolved', 'merged'],
};

/** The last of such entries, up to a moment. */
function reasonOf(
  { entries }: Story,
  types: readonly string[],
  until: Temporal.Instant | null = null,
): string {
  const stop = entries.findLast(
    ({ type, at }) =>
      types.includes(type) && (until === null || Temporal.Instant.compare(at, until) <= 0),
  );
  return stop ? ` (${stop.text}, at ${clock(stop.at)})` : '';
}
