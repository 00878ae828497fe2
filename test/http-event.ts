import { typeOf } from '../src/alerts/index.ts';
import type { IntegrationType } from '../src/alerts/integration-type.ts';

/** The type that most tests send events of. */
export const webhookType: IntegrationType = webhookIn(typeOf('webhook'));

function webhookIn(type: IntegrationType | undefined): IntegrationType {
  if (type === undefined) throw new Error('there is no type webhook');
  return type;
}

export const posted = {
  source: 'http',
  method: 'POST',
  query: '',
  headers: {},
  mapping_revision: null,
  mail: null,
} as const;

/** How a tool's JSON comes. */
export const pushed = {
  ...posted,
  path: '/push-events',
  content_type: 'application/json',
} as const;
