// Deliveries of outbound webhooks as the API answers them.
import Type from 'typebox';
import { occasions } from '../../incidents/incident.ts';
import { instant, word } from '../../resources/declaration/answer.ts';
import { choice, flag, id, objectOf, optional, text } from '../../resources/declaration/field.ts';

const eventTypes = [...occasions, 'oncall_shift_start', 'oncall_shift_end'] as const;

/** Details of an event, each character written as six. */
const bodyLength = 8_388_608;

const tryShape = objectOf({
  number: Type.Integer({ description: 'From 1.' }),
  at: instant('When it was made.'),
  finished_at: optional(instant('When it ended; absent while it runs.')),
  outcome: optional(
    choice(['delivered', 'retry', 'failed'], { doc: 'retry: it failed and is made again.' }),
  ),
  reason: optional(word('Why it failed.')),
  status: optional(Type.Integer({ description: 'Of the answer.' })),
  answer: optional(word('The first 2 KiB of the answer.')),
  method: optional(choice(['GET', 'POST', 'PUT'], { doc: 'As it was then.' })),
  url: optional(text({ doc: 'As it was then.', max: 2_048, sensitive: true })),
  headers: optional(
    Type.Record(Type.String(), Type.String(), { description: 'The webhook\u2019s own, as sent.' }),
  ),
});

const delivery = {
  id: id('For ever.'),
  event_type: choice(eventTypes, { doc: 'What it tells of.' }),
  test: optional(flag({ doc: 'Somebody tested the webhook.' })),
  incident: optional(
    objectOf({ id: id('The incident.'), number: Type.Integer({ description: 'Its number.' }) }),
  ),
  oncall_schedule: optional(objectOf({ id: id('The schedule.'), name: word('Its name then.') })),
  state: choice(['pending', 'sent', 'failed', 'cancelled'], {
    doc: 'pending: to be tried, or tried again; cancelled: not wanted any more when its turn came.',
  }),
  reason: optional(word('Why it was not sent, or not yet.')),
  redelivery_of: optional(id('The delivery that was asked for again.')),
  created_at: instant('When it was decided.'),
  finished_at: optional(instant('When nothing more was to be done.')),
  next_try_at: optional(instant('When it is due to be tried.')),
  tries: Type.Array(tryShape),
};

export const deliveryShape = objectOf(delivery, 'One call of an outbound webhook.');

export const deliveryWithContentShape = objectOf(
  {
    ...delivery,
    content: optional(
      objectOf(
        {
          type: word('Its Content-Type.'),
          body: text({ doc: 'The very bytes.', max: bodyLength, sensitive: true }),
        },
        'What it tells, as written for the first try; by GET and PUT an incident is not sent.',
      ),
    ),
  },
  'One call of an outbound webhook, with what it tells.',
);
