import type { RecordKind } from '../records/record.ts';
import { words } from './words.ts';

export const playbooks: RecordKind = {
  name: 'playbook',
  path: '/playbooks',
  icon: 'book-open-check',
  words,
};
