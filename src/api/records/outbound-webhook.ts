import { refusedAddress } from './reachability.ts';
import type { RecordHooks } from './record-hooks.ts';

export const webhookHooks: RecordHooks = {
  findInoperative: ({ url, method = 'GET' }, capabilities) => [
    ...refusedAddress('url', url, capabilities),
    ...(method === 'POST' ? [] : [`method ${method} sends no incident: only POST does.`]),
  ],
};
