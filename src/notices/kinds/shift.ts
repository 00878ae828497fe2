// A shift has started or ended, or an edit moved somebody's shifts.
import type { Move } from '../../oncall/schedule.ts';
import {
  choiceOf,
  flag,
  instant,
  listOf,
  nullOr,
  objectOf,
  text,
} from '../../resources/declaration/stored-document.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { Member, ShiftNoticeKind, ShiftStory } from '../../shifts/notice.ts';
import { shiftCancellationReason } from '../../shifts/notice-cancellation.ts';
import { type AnyNotice, limitReason, type QueuedKind } from '../kind.ts';
import { unsubscribeOf } from '../unsubscribe.ts';
import { phrasesOf, whyOf } from '../words/of-notice.ts';
import { onClocks, wallTime } from '../words/times.ts';
import { type Fact, factsOf, lineOf, phraseOf, safeLink, type Words } from '../words/wording.ts';

type Stored = { readonly story: ShiftStory };
type Due = Stored & { readonly about: 'shift'; readonly kind: ShiftNoticeKind };
type Content = Due & {
  /** To the member whose shift it is; else to a team or a machine. */
  readonly isPersonal: boolean;
  /** The schedule's page. */
  readonly url: string;
  /** Of an e-mail to the member: the page where they turn off such e-mails. */
  readonly unsubscribe?: string;
};
export type ShiftNotice = AnyNotice & Content;

type Shift = NonNullable<ShiftStory['shift']>;
const story = objectOf<ShiftStory>({
  schedule: objectOf<ShiftStory['schedule']>({ id: text, name: text, timezone: text }),
  user: objectOf<Member>({ id: text, first_name: text, last_name: text, email: text }),
  shift: nullOr(objectOf<Shift>({ id: text, start: instant, end: instant })),
  taken_off: flag,
  other: nullOr(text),
  changes: listOf(
    objectOf<Move>({ type: choiceOf(['gained', 'lost']), start: instant, end: nullOr(instant) }),
  ),
});

export const shift: QueuedKind<Content, Stored, Due> = {
  about: 'shift',
  isTranslated: true,
  stored: { story },
  // The kind was written with its story.
  read: ({ kind, notice: { story } }) =>
    story ? { about: 'shift', kind: kind as ShiftNoticeKind, story } : null,
  compose({ about, kind, story, ...due }, options) {
    return {
      about,
      kind,
      story,
      isPersonal: due.user_id !== null,
      url: `${options.publicUrl}/on-calls/${story.schedule.id}`,
      ...unsubscribeOf(due, options),
    };
  },
  unwanted(due, { now, limitReached }) {
    const reason = shiftCancellationReason(due, now) ?? (limitReached ? limitReason : null);
    return reason === null ? null : { reason, entry: null };
  },
  isLimited: () => true,
  words: shiftWords,
  threadOf: ({ story }) => `oncall-${story.schedule.id}`,
  sample: sampleShiftNotice,
};

function shiftWords(notice: ShiftNotice): Words {
  const { kind, story, organization } = notice;
  const { schedule, shift, other, changes } = story;
  const phrases = phrasesOf(notice);
  return {
    tone: kind === 'shift_change' ? 'warning' : 'news',
    lead: leadOf(notice),
    label: '',
    title: lineOf(schedule.name) || phrases.shift.untitled,
    facts: factsOf(
      shift ? shiftFacts(notice, shift) : [{ name: phrases.fact.onCallNow, value: other ?? '' }],
    ),
    details: changesText(notice, changes),
    actions: safeLink(notice.url, phrases.button.openSchedule),
    links: [],
    why: whyOf(notice),
    organization: phraseOf(organization.name),
    url: safeLink(notice.url)[0]?.href,
    ...(kind === 'shift_start' &&
      shift && {
        until: wallTime(clockIn(notice.timezone ?? schedule.timezone, shift.end), phrases),
      }),
    at: kind === 'shift_end' ? shift?.end : shift?.start,
  };
}

/** What is not for the person themselves is for rooms, mail and machines, in English. */
function leadOf(notice: ShiftNotice): string {
  const { kind, isPersonal } = notice;
  const { user, taken_off } = notice.story;
  const words = phrasesOf(notice).shift;
  switch (kind) {
    case 'shift_start':
      return isPersonal ? words.started : `${nameOf(user)} is on call now`;
    case 'shift_end':
      return isPersonal ? words.ended : `${nameOf(user)}’s shift has ended`;
    case 'shift_change':
      if (isPersonal && taken_off) return words.takenOff;
      return isPersonal ? words.changed : `${nameOf(user)}’s shifts have changed`;
  }
}

function nameOf({ first_name, last_name, email }: Member): string {
  return phraseOf(`${first_name} ${last_name}`) || phraseOf(email);
}

function shiftFacts(notice: ShiftNotice, shift: Shift): readonly Fact[] {
  const { kind } = notice;
  const { other } = notice.story;
  const { fact } = phrasesOf(notice);
  const handoff = kind === 'shift_start' ? fact.takenOverFrom : fact.handedOverTo;
  return [
    { name: fact.from, value: timeIn(notice, [shift.start]) },
    { name: fact.until, value: timeIn(notice, [shift.end]) },
    { name: handoff, value: other ?? '' },
  ];
}

/** One line for each stretch that was gained or lost, with its end where that is known. */
function changesText(notice: ShiftNotice, changes: readonly Move[]): string {
  const { added, removed, starting } = phrasesOf(notice).shift;
  return changes
    .map(({ type, start, end }) => {
      const written = timeIn(notice, end ? [start, end] : [start]);
      const span = end ? written : starting(written);
      return type === 'gained' ? added(span) : removed(span);
    })
    .join('\n');
}

/** An instant, or a span, on the clocks of the schedule and of the reader. */
const timeIn = (notice: ShiftNotice, span: Parameters<typeof onClocks>[0]): string =>
  onClocks(span, {
    timezone: notice.story.schedule.timezone,
    reader: notice.timezone,
    phrases: phrasesOf(notice),
  });

/** The start of a shift, sent to the person on call. */
export function sampleShiftNotice(
  change: Partial<ShiftNotice> = {},
  story: Partial<ShiftStory> = {},
): ShiftNotice {
  return {
    about: 'shift',
    kind: 'shift_start',
    key: 'shift/65f0000000000000000000a1/start/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    isPersonal: true,
    why: 'Your shift notification settings',
    url: 'https://pager.example.com/on-calls/65f0000000000000000000c1',
    ...change,
    story: {
      schedule: {
        id: '65f0000000000000000000c1',
        name: 'Payments <primary>',
        timezone: 'Europe/Berlin',
      },
      user: {
        id: '65f0000000000000000000b1',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.com',
      },
      shift: {
        id: '65f0000000000000000000a1',
        start: Temporal.Instant.from('2026-11-21T08:00:00Z'),
        end: Temporal.Instant.from('2026-11-28T08:00:00Z'),
      },
      taken_off: false,
      other: 'Lin Yutang',
      changes: [],
      ...story,
    },
  };
}
