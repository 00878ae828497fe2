// Schedules and their overrides as they would be after a save.
import { type Declared, type Edit, editLayers } from '../oncall/revisions/edits.ts';
import type { History } from '../oncall/revisions/history.ts';
import type { IsActive } from '../oncall/revisions/succession.ts';
import type { Former } from '../oncall/revisions/undo.ts';
import {
  type ByDesign,
  type Override,
  pickByDesign,
  type Revision,
  type Schedule,
  usersOf,
} from '../oncall/schedule.ts';

const nothing: Schedule = { revisions: [], overrides: [] };

export type DeclaredSchedule = Declared & ByDesign;

export type ScheduleEdit = {
  /** Undefined: the schedule is new. */
  readonly before: Schedule | undefined;
  readonly after: DeclaredSchedule;
  /** When the edit takes effect. */
  readonly at: Temporal.Instant;
  /** What was in force before the schedule's own revisions. */
  readonly past?: readonly Former[];
  readonly isActive: IsActive;
  readonly rules?: Edit['rules'];
};

/** The schedule with its past, and as it is edited from then on. */
export function editedSchedule(edit: ScheduleEdit): Schedule {
  const { before = nothing, after, at, past = [], isActive, rules } = edit;
  const nextId = idsLike('new');
  const last = before.revisions.at(-1) ?? null;
  const [first] = before.revisions;
  const older = past.filter(({ from }) => first && Temporal.Instant.compare(from, first.from) < 0);
  const all = [...older, ...before.revisions];
  const layers = editLayers({ before: last, past: all, after, now: at, isActive, rules, nextId });
  const revision = { from: at, archived: false, timezone: after.timezone, layers };
  const { uncovered_by_design: _was, ...rest } = before;
  return withRevision({ ...rest, ...pickByDesign(after) }, revision);
}

export function archivedSchedule(before: Schedule, at: Temporal.Instant): Schedule {
  const { timezone, layers } = before.revisions.at(-1) ?? { timezone: 'Etc/UTC', layers: [] };
  return withRevision(before, { from: at, archived: true, timezone, layers });
}

const withRevision = (before: Schedule, revision: Revision): Schedule => ({
  ...before,
  revisions: [...before.revisions, revision],
});

/** The schedule with these people inactive from then on, as far as it names them. */
export function withInactive(
  schedule: Schedule,
  inactive: ReadonlySet<string>,
  at: Temporal.Instant,
): Schedule {
  const { inactive: known = [] } = schedule;
  const isKnown = (user: string) =>
    known.some(({ user_id, end }) => user_id === user && end === null);
  const named = new Set(usersOf(schedule));
  const added = [...named].filter((user) => inactive.has(user) && !isKnown(user));
  if (added.length === 0) return schedule;
  return {
    ...schedule,
    inactive: [...known, ...added.map((user_id) => ({ user_id, start: at, end: null }))],
  };
}

type OverrideEdit = {
  /** None: `replaces` is removed. */
  readonly overrides: readonly Override[];
  /** The id of the one that the only override takes the place of; null: all are new. */
  readonly replaces: string | null;
  /** The number of the edit. */
  readonly edit: number;
  readonly at: Temporal.Instant;
};

/** The history with more overrides, or with one changed or removed. */
export function withOverrides(
  history: History,
  { overrides: added, replaces, edit, at }: OverrideEdit,
): History {
  const isReplaced = ({ id, ended }: History['overrides'][number]) =>
    id === replaces && ended === null;
  const made = added.map((one) => ({ ...one, edit, in_force_from: at, ended: null }));
  const index = history.overrides.findIndex(isReplaced);
  const overrides = history.overrides.map((one) =>
    isReplaced(one) ? { ...one, ended: { edit, at } } : one,
  );
  // A changed one stays in its place, by which the newest of several applies.
  return {
    ...history,
    overrides: overrides.toSpliced(index === -1 ? overrides.length : index + 1, 0, ...made),
  };
}

/** Ids of what is never saved. */
export function idsLike(prefix: string): () => string {
  let made = 0;
  return () => {
    made += 1;
    return `${prefix} ${made}`;
  };
}
