// The payloads of the two shift events for outbound webhooks. 6.2
import type { Static } from 'typebox';
import { choice, id, objectOf, text } from '../../resources/declaration/field.ts';
import type { ShiftNoticeKind, ShiftStory } from '../../shifts/notice.ts';
import type { CallContent } from './call.ts';

const instant = (doc: string) => text({ doc, format: 'date-time' });

const eventTypes = ['oncall_shift_start', 'oncall_shift_end'] as const;

/** The one source of its shape. 6.2.2 */
export const shiftPayload = objectOf(
  {
    event_type: choice(eventTypes, { doc: 'What happened to the shift.' }),
    organization: objectOf({
      id: id('The organization.'),
      name: text({ doc: 'Its name.' }),
    }),
    user: objectOf({
      id: id('Whose shift it is.'),
      firstName: text({ doc: 'Their first name.' }),
      lastName: text({ doc: 'Their last name.' }),
      email: text({ doc: 'Their e-mail address.' }),
    }),
    oncall: objectOf({
      id: id('The schedule.'),
      name: text({ doc: 'Its name.' }),
      url: text({ doc: 'Its page.', max: 2_048, format: 'uri' }),
      shift: objectOf({
        id: text({ doc: 'The shift: the same at its start and its end.' }),
        start: instant('When it began.'),
        end: instant('When it ends or ended.'),
      }),
    }),
  },
  'The start or the end of an on-call shift.',
);
export type ShiftPayload = Static<typeof shiftPayload>;

export type ShiftEvent = {
  readonly kind: ShiftNoticeKind;
  readonly organization: { readonly id: string; readonly name: string };
  /** The schedule's page. */
  readonly url: string;
  readonly story: ShiftStory;
};

/** Null for what is no event: that somebody's future shifts have changed. */
export function shiftPayloadOf(event: ShiftEvent): ShiftPayload | null {
  const { kind, organization, url, story } = event;
  const { user, schedule, shift } = story;
  if (shift === null || kind === 'shift_change') return null;
  return {
    event_type: kind === 'shift_start' ? 'oncall_shift_start' : 'oncall_shift_end',
    organization: { id: organization.id, name: organization.name },
    user: {
      id: user.id,
      firstName: user.first_name,
      lastName: user.last_name,
      email: user.email,
    },
    oncall: {
      id: schedule.id,
      name: schedule.name,
      url,
      shift: { id: shift.id, start: timeText(shift.start), end: timeText(shift.end) },
    },
  };
}

/** JSON whatever the webhook's `content_type`. */
export const shiftContentOf = (payload: ShiftPayload): CallContent => ({
  type: 'application/json',
  body: JSON.stringify(payload),
});

const timeText = (at: Temporal.Instant): string => at.toString({ fractionalSecondDigits: 3 });
