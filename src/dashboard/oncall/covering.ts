// What covering a shift is about, and what is said of it before it is done.
import type { Span, Whole } from './axis.ts';
import type { WholeTimeline } from './queries.ts';
import { coverWords as words } from './words.ts';

const QUARTER = 15 * 60_000;
const EIGHT_HOURS = 8 * 3_600_000;

type Around = { readonly now: number; readonly end: string | undefined };

/** From the text of an address; what is missing is from now on, to the end of the running shift. */
export const fromAndTo = (cover: string, { now, end }: Around): Span =>
  spanIn(cover, now, (start) => {
    const running = end === undefined ? start : Date.parse(end);
    return running > start ? running : start + EIGHT_HOURS;
  });

/** From the text of an address; what is missing is from now on, or to an end of that start. */
export function spanIn(text: string, now: number, endOf: (start: number) => number): Span {
  const [from, to] = text.split('/').map((one) => Date.parse(one));
  const start = from && from > now ? from : Math.ceil(now / QUARTER) * QUARTER;
  return { start, end: to && to > start ? to : endOf(start) };
}

/** The text of an address that `spanIn` reads. */
export const coverOf = ({ start, end }: Whole): string =>
  [start, end].map((at) => (at === null ? '' : new Date(at).toISOString())).join('/');

/** Who is on call in what was asked for, each once. */
export const onCallIn = ({ shifts }: Pick<WholeTimeline, 'shifts'>): readonly string[] => [
  ...new Set(shifts.map(({ user_id }) => user_id)),
];

/**
 * Whose time is taken over; an empty string: that of whoever is on call. What was chosen counts as
 * long as that person is on call then. Of one person only that person's time is taken over: an
 * edit of the layers then counts for it.
 */
export function replacedIn(onCall: readonly string[], chosen: string | null): string {
  if (chosen === '' || (chosen !== null && onCall.includes(chosen))) return chosen;
  return onCall.length === 1 ? (onCall[0] ?? '') : '';
}

/** Chosen in the place of a person: somebody is taken off, and nobody comes instead. */
export const NOBODY = 'nobody';

/** Who is taken off: one person, never whoever is on call. */
export const takenOffIn = (onCall: readonly string[], chosen: string | null): string =>
  replacedIn(onCall, chosen) || (onCall[0] ?? '');

export type OverridePreview = {
  readonly changes_count: number;
  /** Absent: to the end. */
  readonly compared_until?: string;
  readonly notices: readonly {
    readonly user_id?: string;
    readonly channel: string;
    readonly recipient?: string;
    readonly reason?: string;
  }[];
  readonly names: Readonly<Record<string, string>>;
};

/** Who will be told, and who cannot be. */
export function notifiedOf(
  { changes_count, compared_until, notices }: OverridePreview,
  nameOf: (userId: string) => string,
): readonly string[] {
  if (changes_count === 0 && compared_until === undefined) return [words.changesNothing];
  const people = notices.flatMap((one) =>
    one.user_id === undefined ? [] : [{ ...one, id: one.user_id }],
  );
  const notified = new Set(people.filter(({ reason }) => reason === undefined).map(({ id }) => id));
  const names = [...notified].map(nameOf);
  const failing = people.filter(({ id }) => !notified.has(id));
  return [
    names.length === 0 && failing.length === 0
      ? words.notifiesNobody
      : names.length > 0
        ? words.notifies(new Intl.ListFormat().format(names))
        : [],
    ...failing.map(({ id, reason = '' }) => words.cannotNotify(nameOf(id), reason)),
  ].flat();
}
