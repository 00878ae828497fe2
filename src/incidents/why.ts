// Why somebody was paged for an incident, or was not: what the ledger has about it, told in order.
import { isStep, type OwnNotice, type Said, type Story, stepDetails } from './story.ts';
import { type Link, linksOf } from './why-chain.ts';

export type Why = {
  readonly paged: boolean;
  /** One sentence. */
  readonly answer: string;
  readonly chain: readonly Link[];
};

/** What the ledger has about it; the person need not have anything to do with the incident. */
export function whyPaged(story: Story): Why {
  const delivered = deliveredPage(story);
  return {
    paged: delivered !== null,
    answer: `${story.user.name} ${delivered ?? `was not paged: ${whyNot(story)}`}.`,
    chain: linksOf(story),
  };
}

const isPage = ({ kind }: OwnNotice) => kind === 'page' || kind === 'nobody_paged';

const clock = (at: Temporal.Instant) => `${at.toString({ smallestUnit: 'second' })}`;

function deliveredPage({ notices }: Story): string | null {
  for (const page of notices.filter(isPage)) {
    const delivered = page.attempts.find(({ outcome }) => outcome === 'delivered');
    if (!delivered) continue;
    const at = delivered.finished_at ?? delivered.claimed_at;
    return `was paged by ${page.channel} at ${clock(at)}: ${page.why}`;
  }
  return null;
}

/** What came nearest to a page decides. */
function whyNot(story: Story): string {
  return unsentPage(story) ?? passedOver(story) ?? notReached(story) ?? notMeant(story);
}

function unsentPage(story: Story): string | null {
  const pages = story.notices.filter(isPage);
  const page =
    pages.find(({ state }) => state === 'pending') ??
    pages.find(({ state }) => state === 'failed') ??
    pages[0];
  if (!page) return null;
  const last = page.attempts.at(-1);
  const name = `the page by ${page.channel} (${page.why})`;
  switch (page.state) {
    case 'failed':
      return `${name} failed: ${page.reason}`;
    case 'cancelled': {
      const did =
        last?.outcome === null
          ? 'left, nothing is known of its arrival, and it was not sent again'
          : 'was not sent';
      return `${name} ${did}, for ${page.reason}${by(stopBefore(story, page.finished_at))}`;
    }
    default:
      if (last?.outcome === 'retry') return `${name} is tried again, for it failed: ${last.reason}`;
      return story.incident.muted_until === null
        ? `${name} is on its way`
        : `${name} waits for the end of the mute`;
  }
}

function passedOver({ entries, user }: Story): string | null {
  for (const said of entries.filter(isStep)) {
    const { step, skipped } = stepDetails(said);
    const missed = skipped.find(({ user_id }) => user_id === user.id);
    if (missed)
      return `step ${step + 1} passed over ${missed.channel}, for this reason: ${missed.reason}`;
  }
  return null;
}

/** A step that is still to come, or would have come. */
function notReached(story: Story): string | null {
  const { steps, escalation, status, muted_until } = story.incident;
  const next = steps.findIndex(
    ({ targets }, index) =>
      index >= escalation.nextStep && targets.some(({ user_id }) => user_id === story.user.id),
  );
  if (next < 0) return null;
  const step = `step ${next + 1}, which names ${story.user.name},`;
  if (status !== 'triggered') return `${step} was not reached${by(stopBefore(story, null))}`;
  if (muted_until !== null) return `${step} waits for the end of the mute`;
  const isNext = next === escalation.nextStep && escalation.stepAt !== null;
  return isNext ? `${step} fires at ${clock(escalation.stepAt)}` : `${step} is still to come`;
}

function notMeant({ notices, entries, incident }: Story): string {
  const told = notices.find(({ kind }) => kind === 'assigned' || kind === 'responder_added');
  if (told) return `${told.why} (${told.channel}), which tells and does not page`;
  const isDelayed = entries.some(({ type }) => type === 'delayed') && !entries.some(isStep);
  if (isDelayed) return `INC-${incident.number} has paged nobody yet`;
  return 'no step that fired names this person, nor were they on call where one asked';
}

const stops: readonly string[] = ['acknowledged', 'resolved', 'merged', 'muted', 'reopened'];

/** What the timeline says last of why paging stopped, up to a moment. */
function stopBefore({ entries }: Story, until: Temporal.Instant | null): Said | null {
  const stopped = entries.filter(
    ({ type, at }) =>
      stops.includes(type) && (until === null || Temporal.Instant.compare(at, until) <= 0),
  );
  return stopped.at(-1) ?? null;
}

const by = (stop: Said | null) => (stop === null ? '' : ` (${stop.says}, at ${clock(stop.at)})`);
