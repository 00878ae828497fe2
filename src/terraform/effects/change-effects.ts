// What one change of a plan does to people that its diff does not show.

/** A sentence, and its type for what counts them. */
export type Effect = { readonly code: string; readonly message: string };

export type Period = { readonly from: string; readonly to: string | null };

export type Notified = {
  readonly id: string;
  readonly name: string;
  /** Whether at least one channel can reach them. */
  readonly isReached: boolean;
};

/** What a change does to one schedule; lists have the first entries, and counts all. */
export type ScheduleEffects = {
  readonly name: string;
  readonly timezone: string;
  readonly isNew: boolean;
  /** Null if the same person stays on call. */
  readonly onCall: { readonly before: string; readonly after: string } | null;
  readonly gaps: readonly Period[];
  readonly gapsCount: number;
  readonly moves: readonly { readonly before: string; readonly after: string }[];
  readonly movesCount: number;
  readonly notified: readonly Notified[];
  readonly noticesAreCut: boolean;
};

export type ChangeEffects = {
  /** `oncall_schedule` */
  readonly kind: string;
  /** What people call the record. */
  readonly name: string;
  /** `Effects of changing the on-call schedule "Nights"` */
  readonly title: string;
  /** The attribute that it is shown at if it is the only one. */
  readonly path: string | undefined;
  readonly isCreation: boolean;
  readonly effects: readonly Effect[];
  readonly schedules: readonly ScheduleEffects[];
  /** The numbers of the layers whose shifts are regenerated, from 1. */
  readonly layers: readonly number[];
  /** Why the rest of the effects is not known. */
  readonly unknown: string | undefined;
};

export const nobody = 'nobody';

/** The gravest first. What a newer server adds may be grave. */
const codes = [
  'gap',
  'pages_stop',
  'step_reaches_nobody',
  'on_call_changes',
  'pages_move',
  'layer_starts',
  'replaced',
  'another',
  'still_used',
  'secret_rotated',
  'shifts_move',
  'settings_overwritten',
  'settings_returned',
  'layer_loses',
  'no_shift',
  'notified',
  'layer_removed',
  'layer_regenerated',
];

/** Lower is graver. */
export const rankOf = ({ code }: Effect): number =>
  codes.includes(code) ? codes.indexOf(code) : codes.indexOf('another');

/** That nobody is paged who was, or who should be. */
export const isLoss = ({ code }: Effect): boolean =>
  code === 'gap' || code === 'pages_stop' || code === 'step_reaches_nobody';

export const losesCoverage = ({ effects, schedules }: ChangeEffects): boolean =>
  effects.some(isLoss) || schedules.some(({ onCall }) => onCall?.after === nobody);

const gravestOf = (change: ChangeEffects): number =>
  losesCoverage(change) ? -1 : Math.min(...change.effects.map(rankOf), codes.length);

/** In the same order, whatever the order in which Terraform plans. */
export const byWeight = (changes: readonly ChangeEffects[]): readonly ChangeEffects[] =>
  changes.toSorted(
    (one, other) =>
      gravestOf(one) - gravestOf(other) ||
      one.kind.localeCompare(other.kind, 'en') ||
      one.name.localeCompare(other.name, 'en', { numeric: true }),
  );
