// Notices about shifts, as data: decided here, composed and sent elsewhere. Everything in this
// folder is pure.
import type { Move } from '../oncall/schedule.ts';
import type { Sealed } from '../resources/declaration/field.ts';

/** An edge of a shift, or that an edit moved somebody's future shifts. */
export type ShiftNoticeKind = 'shift_start' | 'shift_end' | 'shift_change';

export type Member = {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
};

/** The content of a notice, fixed when it is decided. */
export type ShiftStory = {
  readonly schedule: { readonly id: string; readonly name: string; readonly timezone: string };
  /** Whose shift it is; of a change, who is notified. */
  readonly user: Member;
  /** Of a start or an end. */
  readonly shift: {
    readonly id: string;
    readonly start: Temporal.Instant;
    readonly end: Temporal.Instant;
  } | null;
  /** Of a change: whether it took the person off call at once. */
  readonly taken_off: boolean;
  /** The name of whoever was on call before (start), or is from now on (end, taken off). */
  readonly other: string | null;
  /** Of a change: soonest first. */
  readonly changes: readonly Move[];
};

/** A notice to one person, chat channel or webhook; it is sent once per key. */
export type ShiftIntent = {
  readonly key: string;
  readonly kind: ShiftNoticeKind;
  /** As escalation targets name it, or `webhook`. */
  readonly channel: string;
  /** A person's address, a chat's webhook address as stored (sealed), or an outbound webhook's id. */
  readonly address: string | Sealed;
  /** Null unless the recipient is a person. */
  readonly user_id: string | null;
  readonly recipient: string | null;
  readonly mention: string | null;
  readonly why: string;
  /** Why it is not sent, when that is known at once; stored, so that people can read it. */
  readonly skipped: string | null;
  /** Why it reaches nobody, when it is only written to a folder. */
  readonly written?: string;
  readonly story: ShiftStory;
};
