// Someone asks the others on a schedule to cover a shift. Sent to each of them while it is open.
import { instant, nullOr, objectOf, text } from '../../resources/declaration/stored-document.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { CoverStory } from '../../shifts/cover-requests.ts';
import { coverCancellationReason } from '../../shifts/notice-cancellation.ts';
import { type AnyNotice, limitReason, type QueuedKind } from '../kind.ts';
import { unsubscribeOf } from '../unsubscribe.ts';
import { phrasesOf, whyOf } from '../words/of-notice.ts';
import { onClocks, wallTime } from '../words/times.ts';
import { blockOf, factsOf, lineOf, phraseOf, safeLink, type Words } from '../words/wording.ts';

type Content = {
  readonly about: 'cover_request';
  readonly kind: 'cover_request';
  readonly request: CoverStory;
  /** The page of the schedule, with the request. */
  readonly url: string;
  /** Of an e-mail: the page that turns off such e-mails. */
  readonly unsubscribe?: string;
};
type Due = Omit<Content, 'url' | 'unsubscribe'> & { readonly isOpen: boolean };
type CoverRequestNotice = AnyNotice & Content;

export const coverRequest: QueuedKind<Content, { readonly cover_request: CoverStory }, Due> = {
  about: 'cover_request',
  isTranslated: true,
  stored: {
    cover_request: objectOf<CoverStory>({
      id: text,
      schedule: objectOf<CoverStory['schedule']>({ id: text, name: text, timezone: text }),
      person: text,
      requester: nullOr(text),
      start: instant,
      end: instant,
      comment: nullOr(text),
    }),
  },
  read: ({ notice: { cover_request: request }, isCoverOpen = false }) =>
    request
      ? { about: 'cover_request', kind: 'cover_request', request, isOpen: isCoverOpen }
      : null,
  compose({ about, kind, request, ...due }, options) {
    const { schedule, id } = request;
    const url = `${options.publicUrl}/on-calls/${schedule.id}?request=${id}`;
    return { about, kind, request, url, ...unsubscribeOf(due, options) };
  },
  unwanted({ isOpen, request }, { now, limitReached }) {
    const reason =
      coverCancellationReason({ isOpen, story: request }, now) ??
      (limitReached ? limitReason : null);
    return reason === null ? null : { reason, entry: null };
  },
  isLimited: () => true,
  words: coverRequestWords,
  threadOf: ({ request }) => `cover-request-${request.id}`,
  sample: sampleCoverRequestNotice,
};

function coverRequestWords(notice: CoverRequestNotice): Words {
  const { request, organization, url, timezone } = notice;
  const { schedule, person, requester, start, end, comment } = request;
  const phrases = phrasesOf(notice);
  const timeOf = (at: Temporal.Instant) =>
    onClocks([at], { timezone: schedule.timezone, reader: timezone, phrases });
  return {
    tone: 'news',
    lead: phrases.shift.coverWanted(phraseOf(person)),
    label: '',
    // Short texts have no facts: the time is part of what they show.
    title: `${lineOf(schedule.name) || phrases.shift.untitled}, ${wallTime(clockIn(timezone ?? schedule.timezone, start), phrases)}`,
    facts: factsOf([
      { name: phrases.fact.from, value: timeOf(start) },
      { name: phrases.fact.until, value: timeOf(end) },
      { name: phrases.fact.requestedBy, value: requester ?? '' },
    ]),
    details: blockOf(comment ?? ''),
    actions: safeLink(url, phrases.button.openRequest),
    links: [],
    why: whyOf(notice),
    organization: phraseOf(organization.name),
    url: safeLink(url)[0]?.href,
  };
}

/** Of one person for their own shift, as another on the schedule reads it. */
export function sampleCoverRequestNotice(
  change: Partial<CoverStory> = {},
  notice: Partial<CoverRequestNotice> = {},
): CoverRequestNotice {
  return {
    about: 'cover_request',
    kind: 'cover_request',
    key: 'cover_request/65f0000000000000000000e1/email/65f0000000000000000000b2',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Lin Yutang',
    why: 'You are on this schedule',
    url: 'https://pager.example.com/on-calls/65f0000000000000000000c1?request=65f0000000000000000000e1',
    ...notice,
    request: {
      id: '65f0000000000000000000e1',
      schedule: {
        id: '65f0000000000000000000c1',
        name: 'Payments <primary>',
        timezone: 'Europe/Berlin',
      },
      person: 'Ada Lovelace',
      requester: null,
      start: Temporal.Instant.from('2026-11-21T08:00:00Z'),
      end: Temporal.Instant.from('2026-11-21T16:00:00Z'),
      comment: 'A family matter.',
      ...change,
    },
  };
}
