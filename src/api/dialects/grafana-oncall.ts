// The addresses of integrations in Grafana OnCall.
import { type Dialect, keyInPath } from './dialect.ts';

export const grafanaOncall: Dialect = {
  kind: 'grafana_oncall',
  routes: [
    {
      takes: 'events',
      methods: ['POST'],
      url: '/integrations/v1/:type/:key',
      key: keyInPath,
      path: ({ params }) => `/integrations/v1/${(params as { readonly type: string }).type}`,
    },
    {
      takes: 'heartbeats',
      methods: ['GET', 'POST'],
      key: keyInPath,
      url: '/integrations/v1/:type/:key/heartbeat',
    },
    {
      takes: 'heartbeats',
      methods: ['GET', 'POST'],
      key: keyInPath,
      url: '/integrations/v1/heartbeat/:key',
    },
  ],
  accepted: () => ({ status: 200, body: 'Ok.' }),
  refused: ({ code, message, status }) => ({
    status: code === 'not_found' ? 403 : status,
    body: message,
  }),
};
