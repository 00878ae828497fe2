import type { RecordKind } from '../records/record.ts';
import { kindWords } from './words.ts';

export const schedules: RecordKind = {
  name: 'oncall_schedule',
  path: '/on-calls',
  icon: 'phone-call',
  words: kindWords,
};
