import type { RecordKind } from '../records/record.ts';
import { words } from './words.ts';

export const rules: RecordKind = {
  name: 'alert_routing_rule',
  path: '/alert-rules',
  icon: 'list-filter',
  words,
};
