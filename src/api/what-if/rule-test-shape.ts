import Type from 'typebox';
import { instant, word } from '../../resources/declaration/answer.ts';
import { objectOf } from '../../resources/declaration/field.ts';

const flag = (doc: string) => Type.Boolean({ description: doc });

const evaluated = {
  matched: flag('Whether the condition matched.'),
  text: word('The values that were compared, as a sentence.'),
};

const group = objectOf({
  matched: flag('Whether all conditions of the group matched.'),
  conditions: Type.Array(objectOf(evaluated), {
    description: 'All conditions of the group, in order.',
  }),
});

/** The evaluation of one rule. */
export const evaluatedRule = {
  matched: flag('Whether the rule matches.'),
  scope: objectOf(evaluated, 'Whether the rule covers incidents of this integration and service.'),
  groups: Type.Array(group, {
    description: 'The condition groups, in order. The rule matches if any group matches.',
  }),
};

export const ruleTestShape = objectOf({
  at: instant('The time for which the rule is evaluated.'),
  alerts: Type.Array(
    objectOf({
      action: word('What the alert does: trigger, acknowledge or resolve.'),
      dedup_key: word('The key that groups the alerts of one problem.'),
      title: word('The title of the alert, before any rule changes it.'),
      ...evaluatedRule,
      effects: Type.Array(Type.String(), {
        description: 'What the rule would do, as sentences, in the order of its actions.',
      }),
    }),
    { description: 'The alerts in the event. One event can contain several.' },
  ),
  warnings: Type.Array(Type.String(), {
    description:
      'Why the rule would have no effect even if it matches, and what this response leaves out.',
  }),
});
