import { refusedAddress } from './reachability.ts';
import type { RecordHooks } from './record-hooks.ts';

export const webhookHooks: RecordHooks = {
  findInoperative: ({ url, method = 'GET' }, capabilities) => [
    ...refusedAddress('url', url, capabilities),
    ...(method === 'POST'
      ? []
      : [`method ${method} tells of an incident by an empty call: only POST carries it.`]),
  ],
};
