// Who is on call, at any instant, past or to come. Everything in this folder is pure: what was
// declared, when it was in force and an instant go in; nothing about the answer is ever stored.
import type { Restriction, Window } from './restriction.ts';
import type { Anchor, Rotation } from './rotation.ts';

/** Who takes turns, when they change, and in which hours; null is a turn with nobody. */
export type Layer = {
  /** Kept through moves and edits; a new one only for a layer that pairs with none before it. */
  readonly id: string;
  readonly name?: string;
  readonly users: readonly (string | null)[];
  readonly rotation: Rotation;
  readonly restriction?: Restriction;
  readonly starts_at?: string;
  readonly ends_at?: string;
  readonly anchor: Anchor;
  /** When it was made or last edited: its shifts from then on are new ones. */
  readonly generated_at: Temporal.Instant;
};

/** A schedule as one save left it; in force until the next one. Archived, it has nobody. */
export type Revision = {
  readonly from: Temporal.Instant;
  readonly archived: boolean;
  readonly timezone: string;
  readonly layers: readonly Layer[];
};

/**
 * Somebody instead of whoever the layers have, or of one person only, in [start, end). Null takes
 * the person off whom it replaces, with nobody instead.
 */
export type Override = {
  readonly id: string;
  readonly user_id: string | null;
  readonly replaces_user_id?: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  /** Why, and by whom, as people read it; for gaps that it leaves. */
  readonly comment?: string;
  readonly author?: string;
};

/** A time in which a person is inactive, and so on call nowhere; `end` null: until further notice. */
export type Inactivity = {
  readonly user_id: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant | null;
};

/** The hours of a week in which nobody is meant to be on call. They decide nothing of who is. */
export type ByDesign = { readonly uncovered_by_design?: readonly Window[] };

export const pickByDesign = ({ uncovered_by_design }: ByDesign): ByDesign =>
  uncovered_by_design === undefined ? {} : { uncovered_by_design };

/** The hours by design are in the time zone that the schedule has last, and count at all times. */
export type Schedule = ByDesign & {
  /** In the order in which they came into force; of two from one instant the later counts. */
  readonly revisions: readonly Revision[];
  /** Oldest first: the newest wins. */
  readonly overrides: readonly Override[];
  /** Of the people whom the schedule names; left away: all are active. */
  readonly inactive?: readonly Inactivity[];
};

/** A longest stretch in which one turn of one layer, or one override, is effective. */
export type Shift = {
  readonly user_id: string;
  /** The layer's index. */
  readonly layer: number | 'override';
  /** The same text for stretches of the same turn, or of the same override and person. */
  readonly source: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
};

/** From included, to excluded. */
export type Interval = { readonly from: Temporal.Instant; readonly to: Temporal.Instant };

/** A stretch of time on call that an edit gave somebody, or took away. */
export type Move = {
  readonly type: 'gained' | 'lost';
  readonly start: Temporal.Instant;
  /** Null if no end is found soon after the interval that was compared. */
  readonly end: Temporal.Instant | null;
};

type Naming = {
  readonly revisions: readonly { readonly layers: readonly Pick<Layer, 'users'>[] }[];
  readonly overrides: readonly Pick<Override, 'user_id'>[];
};

/** Everybody who may be on call by the schedule. */
export const usersOf = ({ revisions, overrides }: Naming): readonly string[] => [
  ...revisions.flatMap(({ layers }) =>
    layers.flatMap(({ users }) => users.filter((id) => id !== null)),
  ),
  ...overrides.flatMap(({ user_id }) => user_id ?? []),
];
