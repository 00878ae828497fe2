// The notices that a change causes at once, as previews answer them.
import Type from 'typebox';
import type { Configuration, Rota } from '../../incidents/configuration.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { word } from '../../resources/declaration/answer.ts';
import { objectOf, optional } from '../../resources/declaration/field.ts';
import type { Advance } from '../../shifts/advance.ts';
import { announce } from '../../shifts/announce.ts';
import type { ShiftIntent } from '../../shifts/notice.ts';
import { timezoneOf } from '../../what-if/coverage-words.ts';
import { withSchedules } from '../../what-if/proposals.ts';

export const noticesAtOnce = Type.Array(
  objectOf({
    kind: Type.Union(
      ['shift_start', 'shift_end', 'shift_change'].map((kind) => Type.Literal(kind)),
      { description: 'Whether a shift starts or ends at once, or later shifts change.' },
    ),
    channel: word('The channel used, such as email or slack.'),
    user_id: optional(word('The person who is notified. Absent for chat channels and webhooks.')),
    recipient: optional(word('The name of the recipient.')),
    reason: optional(word('Why the notice cannot be sent. Absent if it can be sent.')),
  }),
  {
    description: `The notices that are sent at once. Changes of shifts that begin more than ${incidentsLimits.shiftsMovedDays} days ahead cause no notices.`,
  },
);

export function renderIntent({ kind, channel, user_id, recipient, skipped, written }: ShiftIntent) {
  const reason = skipped ?? written;
  return {
    kind,
    channel,
    ...(user_id !== null && { user_id }),
    ...(recipient !== null && { recipient }),
    ...(reason !== undefined && { reason }),
  };
}

/** What the engine will send of it. */
export function noticesOf(
  advance: Advance | null,
  rota: Rota | null,
  configuration: Configuration,
): readonly ShiftIntent[] {
  if (advance === null || rota === null) return [];
  const { id, name, schedule } = rota;
  return announce(
    advance,
    { organization_id: configuration.organization_id, id, name, timezone: timezoneOf(schedule) },
    withSchedules(configuration, new Map([[id, rota]])),
  );
}
