// What the engine will announce as soon as an edit of a schedule is saved.
import type { History } from '../oncall/revisions/history.ts';
import type { Revision, Schedule } from '../oncall/schedule.ts';
import { type Advance, advanceCursor, type ShiftCursor } from '../shifts/advance.ts';
import { idsLike } from './proposed-schedule.ts';

/** Up to where the shifts of a schedule are recorded, and all that was in force since. */
export type Recorded = { readonly cursor: ShiftCursor; readonly history: History };

export type AnnouncedEdit = {
  /** Null: the schedule is new. */
  readonly recorded: Recorded | null;
  /** With the edit. */
  readonly edited: History;
  /** When it takes effect. */
  readonly at: Temporal.Instant;
};

/** The shifts that begin and end at once, and those that move. */
export function advanceByEdit({ recorded, edited, at }: AnnouncedEdit): Advance {
  const newId = idsLike('shift');
  // Nobody is notified of later shifts of a new schedule.
  if (recorded === null)
    return advanceCursor(
      { advanced_to: at, running: null, edits: 1, seen_edits: 1 },
      { history: edited, now: at, newId },
    );
  // What is not announced yet is not the doing of this edit.
  const { history } = recorded;
  const { cursor: before } = advanceCursor(recorded.cursor, { history, now: at, newId });
  return advanceCursor(
    { ...before, edits: nextEdit(recorded) },
    { history: edited, now: at, newId },
  );
}

/** Its number among those of the schedule. */
export const nextEdit = (recorded: Recorded | null): number => (recorded?.cursor.edits ?? 0) + 1;

type Edit = Pick<AnnouncedEdit, 'recorded' | 'at'> & {
  /** Absent: people become inactive, and no layer is edited. */
  readonly revision?: Revision | undefined;
  /** The schedule as it is to be; who is inactive from then on is read from it. */
  readonly schedule: Schedule;
};

export function announcedEdit({ recorded, at, revision, schedule }: Edit): AnnouncedEdit {
  const edit = nextEdit(recorded);
  const { revisions, overrides, inactive = [] } = recorded?.history ?? noHistory;
  const isKnown = (user: string) =>
    inactive.some(({ user_id, ended_edit }) => user_id === user && ended_edit === null);
  const added = (schedule.inactive ?? []).filter(
    ({ user_id, end }) => end === null && !isKnown(user_id),
  );
  const edited = {
    overrides,
    revisions: [...revisions, ...(revision ? [{ ...revision, edit }] : [])],
    inactive: [...inactive, ...added.map((period) => ({ ...period, edit, ended_edit: null }))],
  };
  return { recorded, edited, at };
}

const noHistory: History = { revisions: [], overrides: [] };
