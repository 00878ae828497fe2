import { httpRequestOf } from '../src/engine/intake/http-request.ts';
import type { IntakeOptions } from '../src/engine/intake/intake.ts';

export const posted = {
  source: 'http',
  method: 'POST',
  query: '',
  headers: {},
  mail: null,
} as const;

/** How a tool's JSON comes. */
export const pushed = {
  ...{ ...posted, path: '/push-events', content_type: 'application/json' },
} as const;

export const readByHttp: IntakeOptions['read'] = async (event, type, integrationName) =>
  type.read(httpRequestOf(event), { receivedAt: event.received_at, integrationName });
