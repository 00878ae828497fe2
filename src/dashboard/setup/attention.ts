// What is said above the list of incidents: facts that somebody can do something about, or should know.

type Shift = { readonly user_id: string; readonly start: string; readonly end: string };
type Gap = { readonly start: string; readonly end: string };
/** Of a schedule, from now on for two weeks. */
export type Timeline = {
  readonly oncall_schedule_id: string;
  readonly name: string;
  readonly shifts: readonly Shift[];
  readonly gaps: readonly Gap[];
  readonly gap_count: number;
};
type Unreachable = { readonly name: string; readonly reason: string };
export type Facts = {
  readonly me: string;
  /** Whether gaps and other people's contacts are something to act on. */
  readonly isManager: boolean;
  readonly timelines: readonly Timeline[];
  /** People who cannot be reached, by id. */
  readonly unreachable: ReadonlyMap<string, Unreachable>;
  /** Why no mail leaves the server; null: it does, or it is nothing to this person. */
  readonly mail: string | null;
  readonly now: string;
};

type Named = { readonly id: string; readonly name: string };
export type Line =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'shift'; readonly schedule: Named; readonly end: string }
  | {
      readonly kind: 'person';
      readonly id: string;
      readonly name: string;
      readonly reason: string;
      readonly schedule: Named;
    }
  | { readonly kind: 'gap'; readonly schedule: Named; readonly gap: Gap; readonly more: number }
  | { readonly kind: 'mail'; readonly reason: string };

const SHOWN = 5;

/** What concerns the reader first; five at most. */
export function linesOf(facts: Facts): readonly Line[] {
  const { me, isManager, timelines, unreachable, mail } = facts;
  const own = unreachable.get(me);
  const running = timelines.flatMap(({ shifts, ...one }) =>
    shifts
      .filter((shift) => isNow(shift, facts.now))
      .map((shift) => ({ schedule: namedOf(one), ...shift })),
  );
  const lines: Line[] = [
    ...(own ? [{ kind: 'unreachable' as const, reason: own.reason }] : []),
    ...running
      .filter(({ user_id }) => user_id === me)
      .map(({ schedule, end }) => ({ kind: 'shift' as const, schedule, end })),
    ...(mail === null ? [] : [{ kind: 'mail' as const, reason: mail }]),
  ];
  if (!isManager) return lines.slice(0, SHOWN);
  const others = running.flatMap(({ user_id: id, schedule }): Line[] => {
    const person = id === me ? undefined : unreachable.get(id);
    return person ? [{ kind: 'person', id, ...person, schedule }] : [];
  });
  const gaps = timelines.flatMap(({ gaps: [gap], gap_count, ...one }): Line[] =>
    gap ? [{ kind: 'gap', schedule: namedOf(one), gap, more: gap_count - 1 }] : [],
  );
  return [...lines, ...others, ...gaps].slice(0, SHOWN);
}

const namedOf = ({
  oncall_schedule_id: id,
  name,
}: Omit<Timeline, 'shifts' | 'gaps' | 'gap_count'>) => ({ id, name });

const isNow = ({ start, end }: Shift, now: string) =>
  Date.parse(start) <= Date.parse(now) && Date.parse(now) < Date.parse(end);
