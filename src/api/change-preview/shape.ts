import Type from 'typebox';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { managedBySchema } from '../../resources/declaration/managed-by.ts';

const people = (description: string) =>
  Type.Array(
    objectOf({
      id: word('The id of the person.'),
      name: word('The name of the person.'),
    }),
    { description },
  );

const until = (what: string) =>
  orNull(instant(`When ${what} ends.`), `When ${what} ends; null when it goes on.`);

export const changePreviewShape = objectOf({
  data: objectOf(
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
              'still_used',
            ].map((code) => Type.Literal(code)),
            { description: 'What the warning is about, as a word for programs.' },
          ),
          path: orNull(
            word('The part of the record.'),
            'The part of the record that the warning is about; null when it is none.',
          ),
          message: word('The warning, as a sentence for people.'),
        }),
        { description: 'What people should know before the change is made.' },
      ),
      on_call: orNull(
        objectOf({
          at: instant('When the change would take effect.'),
          before: orNull(
            people('Who is on call then without the change.'),
            'Who is on call then without the change; null for a new schedule.',
          ),
          after: people('Who is on call then with the change.'),
        }),
        'Who is on call of the schedule; null for other records, and where layers are unknown.',
      ),
      gaps: Type.Array(objectOf({ from: instant('When the gap begins.'), to: until('the gap') }), {
        description: 'The first gaps of the schedule that the change makes.',
      }),
      gaps_count: count('The number of all gaps that the change makes in the years ahead.'),
      moved_shifts: Type.Array(
        objectOf({
          from: instant('When the shift starts.'),
          to: until('the shift'),
          before: people('Who has the shift without the change; empty for nobody.'),
          after: people('Who has the shift with the change; empty for nobody.'),
        }),
        { description: 'The first shifts that the change gives to somebody else.' },
      ),
      moved_shifts_count: count('The number of all such shifts of the next 60 days.'),
      unreachable_steps: Type.Array(
        objectOf({
          escalation_policy: objectOf(
            {
              id: orNull(
                word('The id of the policy.'),
                'The id of the policy; null for a new one.',
              ),
              name: word('The name of the policy.'),
            },
            'The policy that the step is of.',
          ),
          step: Type.Integer({ minimum: 1, description: 'The number of the step, from 1.' }),
          from: instant('When the step reaches nobody for the first time.'),
          to: orNull(
            instant('When it reaches somebody again.'),
            'When it reaches somebody again; null when it does not.',
          ),
          reason: word('Why, as text for people.'),
        }),
        {
          description:
            'The first steps that reach nobody, always or at times: those of the policy, or those that the change of a schedule makes so.',
        },
      ),
      unreachable_steps_count: count('The number of all such steps.'),
      used_by: Type.Array(
        objectOf({
          kind: word('What the record is.'),
          id: word('The id of the record.'),
          name: word('The name of the record.'),
          managed_by: Type.Optional(managedBySchema),
        }),
        { description: 'The active records that still use what is to be archived.' },
      ),
    },
    'What the change would do.',
  ),
});
