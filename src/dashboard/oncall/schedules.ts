// What the API answers about schedules, as docs/openapi.json has it, and how a list of them is ordered.

/** Of a shift that an interval cuts, also when the whole starts and ends; null: it has no end. */
export type CutSpan = {
  readonly start: string;
  readonly end: string;
  readonly shift_start?: string;
  readonly shift_end?: string | null;
};
export type Shift = CutSpan & {
  readonly user_id: string;
  readonly layer: number | 'override';
  readonly override_id?: string;
  readonly replaces_user_id?: string;
};
/** A whole gap, also beyond what is shown; null: it has no end. */
export type Gap = {
  readonly start: string;
  readonly end: string | null;
  readonly layer: number | 'override' | null;
  readonly reason: string;
  readonly message: string;
  /** Nobody is meant to be on call then: it is not counted. */
  readonly by_design?: true;
};
type Person = { readonly id: string; readonly first_name: string; readonly last_name: string };
export type WholeShift = {
  readonly user: Person;
  readonly layer: number | 'override';
  readonly start: string;
  readonly end: string;
};
export type ScheduleTimeline = {
  readonly oncall_schedule_id: string;
  readonly name: string;
  readonly team_id: string;
  readonly timezone: string;
  readonly shifts: readonly Shift[];
  readonly gap_count: number;
  readonly gaps: readonly Gap[];
};
export type OnCallNow = {
  readonly oncall_schedule_id: string;
  readonly user: Person | null;
  readonly layer: number | 'override' | null;
  readonly end: string | null;
  readonly next: WholeShift | null;
};
export type Row = ScheduleTimeline & { readonly now: OnCallNow | undefined };
export type Group = { readonly team: string; readonly rows: readonly Row[] };

/** The gaps that are not over, without those by design. */
export const gapsAhead = ({ gaps }: Pick<ScheduleTimeline, 'gaps'>, now: number): readonly Gap[] =>
  gaps.filter(({ end, by_design }) => !by_design && (end === null || Date.parse(end) > now));

/** Whether nobody is on call, and is meant to be. */
export const isByDesignAt = ({ gaps }: Pick<ScheduleTimeline, 'gaps'>, now: number): boolean =>
  gaps.some(
    ({ start, end, by_design }) =>
      by_design && Date.parse(start) <= now && (end === null || now < Date.parse(end)),
  );

/** By team; schedules with a gap come first, the soonest before all, and so do their teams. */
export function grouped(rows: readonly Row[], now: number): readonly Group[] {
  const urgency = (row: Row) => Date.parse(gapsAhead(row, now)[0]?.start ?? '9999-12-31');
  const sorted = rows.toSorted(
    (one, other) => urgency(one) - urgency(other) || one.name.localeCompare(other.name),
  );
  return [...Map.groupBy(sorted, ({ team_id }) => team_id)].map(([team, own]) => ({
    team,
    rows: own,
  }));
}
