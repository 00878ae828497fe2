// Schemas of the answers about deliveries of outbound webhooks.
import Type from 'typebox';
import { noticeStates } from '../../engine/ledger.ts';
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
  number: Type.Integer({ description: 'The number of the try, counted from 1.' }),
  at: instant('When the call was made.'),
  finished_at: optional(instant('When the call ended; absent while it runs.')),
  outcome: optional(
    choice(['delivered', 'retry', 'failed'], {
      doc: 'delivered; retry: it failed and is tried again; failed: it failed for good.',
    }),
  ),
  reason: optional(word('Why the call failed; absent when it did not.')),
  status: optional(Type.Integer({ description: 'The HTTP status of the answer.' })),
  answer: optional(word('The first 2 KiB of the body of the answer.')),
  method: optional(choice(['GET', 'POST', 'PUT'], { doc: 'The HTTP method that this try used.' })),
  url: optional(text({ doc: 'The address that this try called.', max: 2_048, sensitive: true })),
  headers: optional(
    mapOf(text({ doc: 'The value of the header.', masked: true }), {
      doc: 'The headers that the webhook declares, as they were sent, by name. Viewers and responders see their names, and not their values.',
      max: 100,
    }),
  ),
});

const delivery = {
  id: id('The id of the delivery; it never changes.'),
  event_type: choice(eventTypes, { doc: 'The event that the call is about.' }),
  test: optional(flag({ doc: 'Whether it is a test call; absent otherwise.' })),
  incident: optional(
    objectOf(
      {
        id: id('The id of the incident.'),
        number: Type.Integer({ description: 'The number of the incident.' }),
      },
      'The incident that the call is about; absent where it is about a shift.',
    ),
  ),
  oncall_schedule: optional(
    objectOf(
      {
        id: id('The id of that on-call schedule.'),
        name: word('The name of the on-call schedule, as it was then.'),
      },
      'The on-call schedule that the call is about; absent where it is about an incident.',
    ),
  ),
  state: choice(noticeStates, {
    doc: 'pending: it is tried, or tried again; sent; failed: it is given up; cancelled: it was no longer needed when its turn came.',
  }),
  reason: optional(word('Why the call was not delivered, or not yet.')),
  redelivery_of: optional(id('The delivery that this one repeats; absent where it repeats none.')),
  created_at: instant('When it was decided that the call is made.'),
  finished_at: optional(
    instant('When it was delivered, given up or cancelled; absent while it is pending.'),
  ),
  next_try_at: optional(instant('When the next try is due; absent when none is.')),
  tries: Type.Array(tryShape, { description: 'The tries of the call, oldest first.' }),
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
            doc: 'The body, byte for byte as it is signed.',
            max: bodyLength,
            sensitive: true,
          }),
        },
        'The content of the call, written once for all tries; absent for incidents by GET and PUT, which carry none.',
      ),
    ),
  },
  'One call of an outbound webhook, with its content.',
);
