// The REST endpoint of Splunk On-Call, which was VictorOps.
import { asText } from '../../alerts/body/json.ts';
import { type Dialect, keyInPath } from './dialect.ts';

const route = { takes: 'events', methods: ['POST'], key: keyInPath, isParsed: true } as const;

const path = '/integrations/generic/20131114/alert';

export const victorops: Dialect = {
  kind: 'victorops',
  routes: [
    { ...route, url: `${path}/:key`, path: () => path },
    { ...route, url: `${path}/:key/:routing`, path: () => path },
  ],
  accepted: ({ fields, alerts }) => ({
    status: 200,
    body: {
      result: 'success',
      entity_id: asText(fields['entity_id']) ?? alerts[0]?.dedup_key ?? '',
    },
  }),
  refused: ({ code, message, status }) => ({
    // Its clients send again after 5xx only.
    status: code === 'rate_limited' ? 503 : status,
    body: { result: 'failure', messages: message },
  }),
};
