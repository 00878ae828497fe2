// Alertmanager's API, as Prometheus and others send alerts to it.
import type { FastifyRequest } from 'fastify';
import type { JsonObject } from '../../alerts/alert.ts';
import type { Clock } from '../../engine/clock.ts';
import {
  type Answer,
  type Dialect,
  type EventRoute,
  firstKey,
  keyInBasic,
  keyInHeader,
  keyInPath,
  type ReadRoute,
} from './dialect.ts';

const keyInAuthorization = firstKey(keyInHeader('bearer'), keyInBasic);

export function alertmanager({ clock }: { readonly clock: Clock }): Dialect {
  const startedAt = clock.now();
  const status = statusSince(startedAt);
  const places = [
    { below: '/:key', key: keyInPath },
    { below: '', key: keyInAuthorization },
  ];
  return {
    kind: 'alertmanager',
    routes: places.flatMap(({ below, key }) => {
      const events = (version: 'v1' | 'v2'): EventRoute => {
        const path = `/api/${version}/alerts`;
        const url = `${below}${path}`;
        return { takes: 'events', methods: ['POST'], url, key, path: () => path };
      };
      const read = (path: string, answer: Answer): ReadRoute => ({
        takes: 'nothing',
        methods: ['GET'],
        url: `${below}${path}`,
        key,
        answer: () => answer,
      });
      return [
        events('v1'),
        events('v2'),
        read('/api/v1/alerts', ok({ status: 'success', data: [] })),
        read('/api/v2/alerts', { ...ok([]) }),
        read('/api/v1/status', ok({ status: 'success', data: status })),
        read('/api/v2/status', ok(status)),
        read('/-/ready', ok('OK')),
        read('/-/healthy', ok('OK')),
      ];
    }),
    accepted: ({ request }) => ok(isVersion1(request) ? { status: 'success' } : null),
    refused({ code, message, status: known }, { request }) {
      const status = code === 'not_found' ? 401 : known;
      return isVersion1(request)
        ? { status, body: { status: 'error', errorType: 'bad_data', error: message } }
        : { status, type: 'application/json', body: JSON.stringify(message) };
    },
  };
}

const ok = (body: Answer['body']): Answer => ({ status: 200, body });

const isVersion1 = ({ url }: FastifyRequest) => /\/api\/v1\//.test(url);

/** Who asks wants to know that it answers: there is no cluster and no configuration of its own. */
const statusSince = (startedAt: Temporal.Instant): JsonObject => ({
  cluster: { status: 'disabled', peers: [] },
  config: { original: '' },
  uptime: startedAt.toString(),
  versionInfo: {
    version: '0.27.0',
    revision: '',
    branch: '',
    buildUser: '',
    buildDate: '',
    goVersion: '',
  },
});
