// GoAlert's integrations: the generic API, and those of its tools.
import type { FastifyRequest } from 'fastify';
import {
  type Dialect,
  type EventRoute,
  firstKey,
  keyInBasic,
  keyInHeader,
  keyInQuery,
} from './dialect.ts';

const keyNames = ['token', 'integrationKey', 'integration_key', 'key'];
const key = firstKey(...keyNames.map(keyInQuery), keyInHeader('bearer'), keyInBasic);

/** `url`: its own, or one that stands for it. */
const from = (tool: string, url = `/api/v2/${tool}/incoming`) => {
  const path = () => `/api/v2/${tool}/incoming`;
  return { takes: 'events', methods: ['POST'], url, key, keyNames, path } as const;
};

const wantsJson = ({ headers }: FastifyRequest) => (headers.accept ?? '').includes('json');

const generic = (url?: string): EventRoute => ({
  ...from('generic', url),
  methods: ['GET', 'POST'],
  accepted: ({ request, eventId, alerts: [alert] }) =>
    wantsJson(request)
      ? {
          status: 200,
          body: { AlertID: alert?.incident ?? 0, IsNew: alert?.outcome === 'opened', id: eventId },
        }
      : { status: 204, body: null },
});

export const goalert: Dialect = {
  kind: 'goalert',
  routes: [
    generic(),
    generic('/v1/api/alerts'),
    from('grafana'),
    from('grafana', '/v1/webhooks/grafana'),
    from('site24x7'),
    from('prometheusalertmanager'),
    { takes: 'heartbeats', methods: ['GET', 'POST'], url: '/api/v2/heartbeat/:id' },
    { takes: 'heartbeats', methods: ['GET', 'POST'], url: '/v1/api/heartbeat/:id' },
  ],
  accepted: () => ({ status: 204, body: null }),
  refused: ({ code, message, status }) => ({
    status: code === 'not_found' ? 401 : status,
    body: message,
  }),
};
