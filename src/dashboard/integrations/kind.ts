import type { RecordKind } from '../records/record.ts';
import { words } from './words.ts';

export const integrations: RecordKind = {
  name: 'integration',
  path: '/integrations',
  icon: 'plug',
  words,
};
