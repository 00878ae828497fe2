import { earlier, later } from '../order.ts';
import {
  type ByDesign,
  type Inactivity,
  type Override,
  pickByDesign,
  type Revision,
  type Schedule,
} from '../schedule.ts';

/** An override as one edit left it, until another took its place. */
export type OverrideVersion = Override & {
  /** The number of the edit among all of the schedule and its overrides. */
  readonly edit: number;
  readonly in_force_from: Temporal.Instant;
  readonly ended: { readonly edit: number; readonly at: Temporal.Instant } | null;
};

/** A time in which a person of the schedule is inactive, with the edits that begin and end it. */
export type InactivityVersion = Inactivity & {
  readonly edit: number;
  /** Null: it has not ended. */
  readonly ended_edit: number | null;
};

/** All that was ever in force (or all since some instant), with the number of each edit. */
export type History = ByDesign & {
  readonly revisions: readonly (Revision & { readonly edit: number })[];
  /** Oldest override first. */
  readonly overrides: readonly OverrideVersion[];
  readonly inactive?: readonly InactivityVersion[];
};

/** The schedule as it stands, or as it stood after an edit, before later ones were made. */
export function scheduleAsOf(history: History, edit = Number.POSITIVE_INFINITY): Schedule {
  const versions = history.overrides.filter((version) => version.edit <= edit);
  const inactive = (history.inactive ?? []).filter((period) => period.edit <= edit);
  return {
    ...pickByDesign(history),
    revisions: history.revisions.filter((revision) => revision.edit <= edit),
    overrides: versions.flatMap((version) => {
      const ended = version.ended && version.ended.edit <= edit ? version.ended.at : null;
      const start = later(version.start, version.in_force_from);
      const end = ended ? earlier(version.end, ended) : version.end;
      if (Temporal.Instant.compare(start, end) >= 0) return [];
      const { id, user_id, replaces_user_id, comment, author } = version;
      return [
        {
          id,
          user_id,
          ...(replaces_user_id !== undefined && { replaces_user_id }),
          start,
          end,
          ...(comment !== undefined && { comment }),
          ...(author !== undefined && { author }),
        },
      ];
    }),
    ...(inactive.length > 0 && {
      inactive: inactive.map(({ user_id, start, end, ended_edit }) => ({
        user_id,
        start,
        end: ended_edit !== null && ended_edit <= edit ? end : null,
      })),
    }),
  };
}
