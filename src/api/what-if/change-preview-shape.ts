import Type from 'typebox';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { objectOf, optional } from '../../resources/declaration/field.ts';
import { managedBySchema } from '../../resources/declaration/managed-by.ts';
import { noticesAtOnce } from './notices-at-once.ts';

const people = (description: string) =>
  Type.Array(
    objectOf({
      id: word('The id of the person.'),
      name: word('The name of the person.'),
    }),
    { description },
  );

const until = (what: string) =>
  orNull(instant(`When ${what} ends.`), `When ${what} ends. Null if it does not end.`);

const scheduleEffects = {
  on_call: orNull(
    objectOf({
      at: instant('When the change takes effect.'),
      before: orNull(
        people('Who is on call then without the change.'),
        'Who is on call then without the change. Null for a new schedule.',
      ),
      after: people('Who is on call then with the change.'),
    }),
    'Who is on call for the schedule. Null for other records, and if layers are unknown.',
  ),
  gaps: Type.Array(objectOf({ from: instant('When the gap begins.'), to: until('the gap') }), {
    description: 'The first gaps that the change causes in the schedule.',
  }),
  gaps_count: count('The total number of gaps that the change causes in the coming years.'),
  gaps_by_design: Type.Array(
    objectOf({ from: instant('When the period begins.'), to: until('the period') }),
    {
      description:
        'The first periods within uncovered_by_design in which the change leaves nobody on call. They are not gaps.',
    },
  ),
  gaps_by_design_count: count('The total number of such periods in the coming years.'),
  moved_shifts: Type.Array(
    objectOf({
      from: instant('When the shift starts.'),
      to: until('the shift'),
      before: people('Who has the shift without the change. Empty if nobody does.'),
      after: people('Who has the shift with the change. Empty if nobody does.'),
    }),
    { description: 'The first shifts that the change moves to someone else.' },
  ),
  moved_shifts_count: count('The total number of such shifts in the next 60 days.'),
  notices: noticesAtOnce,
  notices_count: count('The total number of notices that are sent at once.'),
};

const recipients = (description: string) =>
  Type.Array(
    objectOf({
      id: orNull(word('The id of the person.'), 'The id of the person. Null for a chat channel.'),
      name: word('The name, and the schedule that the person is on call for.'),
    }),
    { description },
  );

const paged = (which: string) =>
  objectOf(
    {
      first: recipients('The people and chat channels that are paged first. Empty if nobody is.'),
      later: recipients('Those that later steps page in addition, if nobody acknowledges.'),
    },
    `Whom an event pages ${which}.`,
  );

const changeEffects = objectOf(
  {
    warnings: Type.Array(
      objectOf({
        code: Type.Union(
          [
            'on_call_changes',
            'gap',
            'no_shift',
            'shifts_move',
            'step_reaches_nobody',
            'notified',
            'still_used',
            'pages_move',
            'pages_stop',
            'channel_lost',
          ].map((code) => Type.Literal(code)),
          { description: 'The type of warning, for programs.' },
        ),
        path: orNull(
          word('The part of the record.'),
          'The part of the record that the warning is about. Null if it concerns the whole record.',
        ),
        message: word('The warning, as a sentence.'),
      }),
      { description: 'Warnings to read before you make the change.' },
    ),
    ...scheduleEffects,
    unreachable_steps: Type.Array(
      objectOf({
        escalation_policy: objectOf(
          {
            id: orNull(
              word('The id of the policy.'),
              'The id of the policy. Null for a new policy.',
            ),
            name: word('The name of the policy.'),
            managed_by: Type.Optional(managedBySchema),
          },
          'The policy that contains the step.',
        ),
        step: Type.Integer({ minimum: 1, description: 'The number of the step, from 1.' }),
        from: instant('When the step reaches nobody for the first time.'),
        to: orNull(
          instant('When it reaches someone again.'),
          'When it reaches someone again. Null if it does not.',
        ),
        reason: word('The reason, as text.'),
        message: word('All of this as a sentence, as in `warnings`.'),
      }),
      {
        description:
          'The first steps that always or sometimes reach nobody: steps of the policy, or steps affected by the schedule change.',
      },
    ),
    unreachable_steps_count: count('The total number of such steps.'),
    page_changes: Type.Array(
      objectOf({
        integrations: Type.Array(
          objectOf({
            id: word('The id of the integration.'),
            name: word('The name of the integration.'),
          }),
          { description: 'The integrations that receive the events.' },
        ),
        before: paged('without the change'),
        after: paged('with the change'),
        message: word('All of this as a sentence, as in `warnings`.'),
      }),
      {
        description:
          'The first changes of whom new events page, if they arrived now. Events of several integrations that change in the same way are one entry.',
      },
    ),
    page_changes_count: count('The total number of such changes.'),
    schedules: optional(
      Type.Array(
        objectOf({
          oncall_schedule_id: word('The id of the on-call schedule.'),
          name: word('The name of the on-call schedule.'),
          ...scheduleEffects,
        }),
        {
          description:
            'Only for a user: the first schedules that the deactivation changes. The effects on them are here, and not in the fields above.',
        },
      ),
    ),
    used_by: Type.Array(
      objectOf({
        kind: word('The kind of record.'),
        id: word('The id of the record.'),
        name: word('The name of the record.'),
        managed_by: Type.Optional(managedBySchema),
      }),
      { description: 'The active records that still use the record to be archived.' },
    ),
  },
  'The effects of the change.',
);

export const changePreviewShape = objectOf({ data: changeEffects });

export const changePreviewsShape = objectOf({
  data: Type.Array(
    objectOf({
      status: Type.Integer({
        description: 'The status with which POST /preview answers this change.',
      }),
      data: optional(changeEffects),
      error: optional(word('The error code, if the change is refused.')),
      message: optional(word('The error message, if the change is refused.')),
      issues: optional(
        Type.Array(
          objectOf({
            path: word('The invalid field of the change.'),
            message: word('What is wrong with the field.'),
          }),
          { description: 'The errors in the change, if it is refused.' },
        ),
      ),
    }),
    { description: 'One entry for each change, in the same order.' },
  ),
});
