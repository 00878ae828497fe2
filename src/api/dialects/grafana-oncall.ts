// The addresses of integrations in Grafana OnCall.
import { failures } from '../failures.ts';
import { type Dialect, keyInPath } from './dialect.ts';

export const grafanaOncall: Dialect = {
  kind: 'grafana_oncall',
  routes: [
    {
      ...{ takes: 'events', methods: ['POST'], url: '/integrations/v1/:type/:key', key: keyInPath },
      stored: ({ request }) => ({
        path: `/integrations/v1/${(request.params as { readonly type: string }).type}`,
      }),
    },
    {
      ...{ takes: 'heartbeats', methods: ['GET', 'POST'], key: keyInPath },
      url: '/integrations/v1/:type/:key/heartbeat',
    },
  ],
  accepted: () => ({ status: 200, body: 'Ok.' }),
  refused: ({ code, message }) => ({
    status: code === 'not_found' ? 403 : failures[code][0],
    body: message,
  }),
};
