// Shifts, gaps and overrides as bars of a lane.

import { type Bar, barNames, takenOffNames } from './bar.ts';
import type { LaneShift, OverrideSpan } from './queries.ts';
import type { CutSpan, Gap, Shift } from './schedules.ts';
import { words } from './words.ts';

export type People = {
  readonly names: Readonly<Record<string, string>>;
  readonly hues: ReadonlyMap<string, number>;
};

const instantOf = (text: string | null) => (text === null ? null : Date.parse(text));

const spanOf = ({ start, end, shift_start = start, shift_end = end }: CutSpan) => ({
  start: Date.parse(start),
  end: Date.parse(end),
  whole: { start: Date.parse(shift_start), end: instantOf(shift_end) },
});

/** Drawn as far as its lane goes. */
function gapSpanOf(gap: Gap) {
  const whole = { start: Date.parse(gap.start), end: instantOf(gap.end) };
  return { start: whole.start, end: whole.end ?? Number.POSITIVE_INFINITY, whole };
}

export const nameIn = ({ names }: People, id: string): string => names[id] ?? words.somebody;

/** Who is paged, and where nobody is; an inactive person's shift is shown as the gap that it is. */
export function finalBars(
  { shifts, gaps }: { readonly shifts: readonly Shift[]; readonly gaps: readonly Gap[] },
  people: People,
): readonly Bar[] {
  const holes = gaps.map(
    (gap): Bar => ({
      ...gapSpanOf(gap),
      key: `gap ${gap.start}`,
      ...(gap.by_design
        ? { kind: 'by design', full: words.nobodyByDesign, short: words.nobody, initials: '–' }
        : {
            kind: 'gap',
            full: words.nobody,
            short: words.nobody,
            initials: '!',
            note: gap.message,
          }),
    }),
  );
  const own = shifts.map(
    (shift): Bar => ({
      ...spanOf(shift),
      key: `${shift.user_id} ${shift.start}`,
      hue: people.hues.get(shift.user_id),
      kind: shift.layer === 'override' ? 'override' : 'shift',
      userId: shift.user_id,
      ...namesOf(shift, people),
    }),
  );
  const reached = own.flatMap((bar) => {
    const hole = holes.find(({ start, end }) => start < bar.end && bar.start < end);
    if (hole === undefined) return [bar];
    const { start } = hole;
    return start > bar.start ? [{ ...bar, end: start, whole: { ...bar.whole, end: start } }] : [];
  });
  return [...reached, ...holes].toSorted((one, other) => one.start - other.start);
}

export const layerBars = (shifts: readonly LaneShift[], people: People): readonly Bar[] =>
  shifts.map((shift) => ({
    ...spanOf(shift),
    key: `${shift.user_id} ${shift.start}`,
    kind: 'shift',
    hue: people.hues.get(shift.user_id),
    userId: shift.user_id,
    ...barNames(nameIn(people, shift.user_id)),
  }));

export const overrideBars = (overrides: readonly OverrideSpan[], people: People): readonly Bar[] =>
  overrides.map(({ user_id, replaces_user_id, ...override }) => ({
    ...spanOf(override),
    key: `${override.override_id} ${override.start}`,
    kind: 'override',
    ...(user_id === null
      ? takenOffNames(nameIn(people, replaces_user_id ?? ''))
      : {
          hue: people.hues.get(user_id),
          userId: user_id,
          ...namesOf(
            { user_id, ...(replaces_user_id !== undefined && { replaces_user_id }) },
            people,
          ),
        }),
  }));

type Named = { readonly user_id: string; readonly replaces_user_id?: string };

const namesOf = ({ user_id, replaces_user_id }: Named, people: People) =>
  barNames(
    nameIn(people, user_id),
    replaces_user_id === undefined ? undefined : nameIn(people, replaces_user_id),
  );
