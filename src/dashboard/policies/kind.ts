import type { RecordKind } from '../records/record.ts';
import { words } from './words.ts';

export const policies: RecordKind = {
  name: 'escalation_policy',
  path: '/escalation-policies',
  icon: 'list-ordered',
  words,
};
