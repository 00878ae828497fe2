import { sentenceOf } from '../../resources/sentence.ts';
import { stepChanges } from '../../resources/step-changes.ts';
import type { RecordKind } from '../records/record.ts';
import { targetName } from './sentence.ts';
import { stepsIn } from './steps.ts';
import { words } from './words.ts';

export const policies: RecordKind = {
  name: 'escalation_policy',
  path: '/escalation-policies',
  icon: 'list-ordered',
  words,
  changesOf: (before, after, nameOf) =>
    stepChanges(stepsIn(before['steps']), stepsIn(after['steps']), (target) =>
      targetName(target, nameOf),
    ).map(sentenceOf),
};
