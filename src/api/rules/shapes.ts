import Type from 'typebox';
import { instant, word } from '../../resources/declaration/answer.ts';
import { objectOf } from '../../resources/declaration/field.ts';

const flag = (doc: string) => Type.Boolean({ description: doc });

const evaluated = objectOf({
  held: flag('Whether it held.'),
  says: word('What was so, as a sentence.'),
});

const group = objectOf({
  matched: flag('Whether all conditions held.'),
  conditions: Type.Array(evaluated, { description: 'In their order, all of them.' }),
});

/** How a rule was judged. */
export const evaluatedRule = {
  matched: flag('Whether the rule matches.'),
  scope: evaluated,
  groups: Type.Array(group, { description: 'In their order; any is enough.' }),
};

export const ruleTestShape = objectOf({
  at: instant('The instant that it was judged at.'),
  alerts: Type.Array(
    objectOf({
      action: word('trigger, acknowledge or resolve.'),
      dedup_key: word('Tells alerts apart.'),
      title: word('Before any rule changes it.'),
      ...evaluatedRule,
      effects: Type.Array(Type.String(), { description: 'What the rule would do, in order.' }),
    }),
    { description: 'One event may hold several.' },
  ),
  warnings: Type.Array(Type.String(), { description: 'Why it would do nothing, for all that.' }),
});
