import type { RecordKind } from '../records/record.ts';
import { words } from './words.ts';

export const webhooks: RecordKind = {
  name: 'outbound_webhook',
  path: '/outbound-webhooks',
  icon: 'webhook',
  words,
};
