// Schemas of the answers about deliveries of outbound webhooks.
import Type from 'typebox';
import { noticeStates } from '../../engine/ports/sending.ts';
import { occasions } from '../../incidents/incident.ts';
import { instant, word } from '../../resources/declaration/answer.ts';
import {
  choice,
  flag,
  id,
  mapOf,
  objectOf,
  optional,
  text,
} from '../../resources/declaration/field.ts';

const eventTypes = [...occasions, 'oncall_shift_start', 'oncall_shift_end'] as const;

/** Details of an event, each character written as six. */
const bodyLength = 8_388_608;

const tryShape = objectOf({
  number: Type.Integer({ description: 'The number of the attempt, from 1.' }),
  at: instant('When the call was made.'),
  finished_at: optional(instant('When the call ended. Absent while it is running.')),
  outcome: optional(
    choice(['delivered', 'retry', 'failed'], {
      doc: 'delivered: it succeeded. retry: it failed and will be retried. failed: it failed permanently.',
    }),
  ),
  reason: optional(word('Why the call failed. Absent if it did not fail.')),
  status: optional(Type.Integer({ description: 'The HTTP status of the response.' })),
  answer: optional(word('The first 2 KiB of the response body.')),
  method: optional(choice(['GET', 'POST', 'PUT'], { doc: 'The HTTP method of this attempt.' })),
  url: optional(
    text({ doc: 'The address that this attempt called.', max: 2_048, sensitive: true }),
  ),
  headers: optional(
    mapOf(text({ doc: 'The value of the header.', masked: true }), {
      doc: 'The webhook’s own headers as they were sent, by name. Viewers and responders see only the names.',
      max: 100,
    }),
  ),
});

const delivery = {
  id: id('The id of the delivery. It never changes.'),
  event_type: choice(eventTypes, { doc: 'The event that the call is about.' }),
  test: optional(flag({ doc: 'Whether it is a test call. Otherwise absent.' })),
  incident: optional(
    objectOf(
      {
        id: id('The id of the incident.'),
        number: Type.Integer({ description: 'The number of the incident.' }),
      },
      'The incident that the call is about. Absent if it is about a shift.',
    ),
  ),
  oncall_schedule: optional(
    objectOf(
      {
        id: id('The id of that on-call schedule.'),
        name: word('The name of the on-call schedule, as it was then.'),
      },
      'The on-call schedule that the call is about. Absent if it is about an incident.',
    ),
  ),
  state: choice(noticeStates, {
    doc: 'pending: it is being attempted or will be retried. sent: it was delivered. failed: Pager gave up. cancelled: it was no longer needed when its turn came.',
  }),
  reason: optional(word('Why the call was not delivered, or has not been delivered yet.')),
  redelivery_of: optional(id('The delivery that this one repeats. Otherwise absent.')),
  created_at: instant('When the call was created.'),
  finished_at: optional(
    instant('When it was delivered, failed or was cancelled. Absent while it is pending.'),
  ),
  next_try_at: optional(instant('When the next attempt is due. Absent if there is none.')),
  tries: Type.Array(tryShape, { description: 'The attempts of the call, oldest first.' }),
};

export const deliveryShape = objectOf(delivery, 'One call of an outbound webhook.');

export const deliveryWithContentShape = objectOf(
  {
    ...delivery,
    content: optional(
      objectOf(
        {
          type: word('The content type of the body.'),
          body: text({
            doc: 'The body, byte for byte as signed.',
            max: bodyLength,
            sensitive: true,
          }),
        },
        'The content of the call, the same for all attempts. Absent for incidents by GET and PUT, which send none.',
      ),
    ),
  },
  'One call of an outbound webhook, with its content.',
);
