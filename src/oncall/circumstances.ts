// What stands next to the layers at an instant: who is inactive, and which overrides apply.
import { lastNotAfter } from './order.ts';
import type { Inactivity, Override, Schedule } from './schedule.ts';

/** Who is on call, and by what; stretches of the same source belong to the same shift. */
export type Holder = {
  readonly user_id: string;
  readonly layer: number | 'override';
  readonly source: string;
};

/** A span in which no override begins or ends, and nobody becomes active or inactive. */
export type Circumstances = {
  readonly start: number;
  readonly end: number;
  /** Those that cover the span, oldest first. */
  readonly overrides: readonly Override[];
  /** The same set wherever the same people are inactive. */
  readonly inactive: ReadonlySet<string>;
  /** What the overrides make of it, when one for everyone leaves no layer to ask; else null. */
  readonly settled: Chain | null;
  /** Who of the people of layers is on call nowhere, with nobody instead. */
  readonly vacantAmong: (people: ReadonlySet<string>) => ReadonlySet<string>;
};

/**
 * What the overrides make of one layer's person. `holder` is the last one put on call, active or
 * not; `active` the last one who is active; both are null once an override takes the holder off.
 */
export type Chain = {
  readonly holder: Holder | null;
  readonly active: Holder | null;
  /** The override that took the holder off, if nobody came after it. */
  readonly takenOff: Override | null;
};

const NOBODY: ReadonlySet<string> = new Set();
const ALWAYS: Circumstances = {
  start: -Infinity,
  end: Infinity,
  overrides: [],
  inactive: NOBODY,
  settled: null,
  vacantAmong: () => NOBODY,
};

/** The same as if there were no override. */
export const withoutOverrides = (circumstances: Circumstances): Circumstances => ({
  ...circumstances,
  overrides: [],
  settled: null,
  vacantAmong: () => circumstances.inactive,
});

/** The circumstances of any instant. They remember the last answer, for walks through time. */
export function circumstancesOf({
  overrides,
  inactive = [],
}: Schedule): (at: number) => Circumstances {
  if (overrides.length === 0 && inactive.length === 0) return () => ALWAYS;
  const starts = overrides.map((each) => each.start.epochMilliseconds);
  const ends = overrides.map((each) => each.end.epochMilliseconds);
  const activity = activityOf(inactive);
  const edges = [...starts, ...ends, ...activity.edges].sort((one, other) => one - other);
  let last: Circumstances | null = null;
  return (at) => {
    if (last && at >= last.start && at < last.end) return last;
    const index = lastNotAfter(edges, at);
    const covers = (_: Override, each: number) =>
      (starts[each] ?? Infinity) <= at && at < (ends[each] ?? -Infinity);
    const covering = overrides.filter(covers);
    const away = activity.inactiveAt(at);
    last = {
      start: edges[index] ?? -Infinity,
      end: edges[index + 1] ?? Infinity,
      overrides: covering,
      inactive: away,
      settled: settledBy(covering, away),
      vacantAmong: vacanciesOf(covering, away),
    };
    return last;
  };
}

/** The overrides, oldest first, applied to the person whom a layer has. */
export function chainOf(
  turn: Holder | null,
  { overrides, inactive }: Pick<Circumstances, 'overrides' | 'inactive'>,
): Chain {
  let holder = turn;
  let active = turn && !inactive.has(turn.user_id) ? turn : null;
  let isOff = false;
  let takenOff: Override | null = null;
  for (const override of overrides) {
    const { user_id, replaces_user_id } = override;
    // Whoever was taken off can still be covered: the newest override wins.
    const isReplaced =
      replaces_user_id === undefined ||
      holder?.user_id === replaces_user_id ||
      active?.user_id === replaces_user_id;
    if (!isReplaced) continue;
    takenOff = user_id === null ? override : null;
    isOff ||= user_id === null;
    if (user_id === null) continue;
    holder = { user_id, layer: 'override', source: sourceOf(override) };
    if (inactive.has(user_id)) continue;
    active = holder;
    isOff = false;
  }
  return { holder: takenOff ? null : holder, active: isOff ? null : active, takenOff };
}

// From an override for everyone by somebody active on, it makes no difference whom a layer had.
function settledBy(overrides: readonly Override[], inactive: ReadonlySet<string>): Chain | null {
  const isDecisive = ({ user_id, replaces_user_id }: Override) =>
    replaces_user_id === undefined && user_id !== null && !inactive.has(user_id);
  const from = overrides.findLastIndex(isDecisive);
  return from < 0 ? null : chainOf(null, { overrides: overrides.slice(from), inactive });
}

type Vacancies = { readonly people: ReadonlySet<string>; readonly vacant: ReadonlySet<string> };

/** For whom of the people of layers `chainOf` finds nobody active. */
function vacanciesOf(
  overrides: readonly Override[],
  inactive: ReadonlySet<string>,
): Circumstances['vacantAmong'] {
  if (overrides.length === 0) return () => inactive;
  const isTakingOff = overrides.some(({ user_id }) => user_id === null);
  if (inactive.size === 0 && !isTakingOff) return () => NOBODY;
  const hasNobody = (turn: Holder | null) => chainOf(turn, { overrides, inactive }).active === null;
  // An override for everyone also fills turns of nobody, which are then not the same.
  if (!hasNobody(null)) return () => NOBODY;
  const replaced = new Set(overrides.map(({ replaces_user_id }) => replaces_user_id));
  // Overrides treat all people alike whom none of them replaces, active and inactive ones apart.
  const others = new Map<boolean, boolean>();
  const isVacant = (user_id: string): boolean => {
    const isInactive = inactive.has(user_id);
    if (!isInactive && !isTakingOff) return false;
    const turn = { user_id, layer: 0, source: '' };
    if (replaced.has(user_id)) return hasNobody(turn);
    const known = others.get(isInactive) ?? hasNobody(turn);
    others.set(isInactive, known);
    return known;
  };
  let last: Vacancies | null = null;
  return (people) => {
    if (last?.people !== people) last = { people, vacant: new Set([...people].filter(isVacant)) };
    return last.vacant;
  };
}

/** When somebody becomes active or inactive, and who is inactive at an instant. */
function activityOf(periods: readonly Inactivity[]) {
  const spans = periods.map(({ user_id, start, end }) => ({
    user_id,
    start: start.epochMilliseconds,
    end: end?.epochMilliseconds ?? Infinity,
  }));
  const edges = [...new Set(spans.flatMap(({ start, end }) => [start, end]))]
    .filter((edge) => edge < Infinity)
    .sort((one, other) => one - other);
  const sets = new Map<number, ReadonlySet<string>>([[-1, NOBODY]]);
  const inactiveAt = (at: number): ReadonlySet<string> => {
    const index = lastNotAfter(edges, at);
    const known = sets.get(index);
    if (known) return known;
    const covering = spans.filter(({ start, end }) => start <= at && at < end);
    const set = covering.length > 0 ? new Set(covering.map(({ user_id }) => user_id)) : NOBODY;
    sets.set(index, set);
    return set;
  };
  return { edges, inactiveAt };
}

/** That of the shifts which come of an override. */
export const sourceOf = ({ id, user_id }: Override): string => `override/${id}/${user_id}`;
