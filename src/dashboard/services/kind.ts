import type { RecordKind } from '../records/record.ts';
import { words } from './words.ts';

export const services: RecordKind = {
  name: 'service',
  path: '/services',
  icon: 'box',
  words,
};
