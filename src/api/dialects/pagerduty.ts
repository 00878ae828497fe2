// PagerDuty's Events API, version 2 and 1.
import type { JsonObject } from '../../alerts/alert.ts';
import { isUnfilled, mayHaveGap } from '../../alerts/reading/template-leftovers.ts';
import { isObject } from '../../alerts/text.ts';
import { type Accepted, type Answer, type Dialect, keyInPath } from './dialect.ts';

const nowhere = () => null;

export const pagerduty: Dialect = {
  kind: 'pagerduty',
  routes: [
    {
      takes: 'events',
      methods: ['POST'],
      url: '/v2/enqueue',
      key: nowhere,
      keyNames: ['routing_key', 'service_key'],
      path: () => '/v2/enqueue',
    },
    {
      takes: 'events',
      methods: ['POST'],
      url: '/v2/change/enqueue',
      key: nowhere,
      keyNames: ['routing_key'],
      path: () => '/v2/change/enqueue',
      accepted: () => ({
        status: 202,
        body: { status: 'success', message: 'Change event processed' },
      }),
    },
    {
      takes: 'events',
      methods: ['POST'],
      url: '/integration/:key/enqueue',
      key: keyInPath,
      isParsed: true,
      // Tools send their own bodies there, too: those the integration's type reads.
      path: () => '/integration/enqueue',
      stored: ({ fields }) => ({ path: isEvent(fields) ? '/v2/enqueue' : '/integration/enqueue' }),
    },
    {
      takes: 'events',
      methods: ['POST'],
      url: '/generic/2010-04-15/create_event.json',
      key: nowhere,
      keyNames: ['service_key', 'routing_key'],
      path: () => '/generic/2010-04-15/create_event.json',
      accepted: (event) => ({
        status: 200,
        body: { ...success, incident_key: keyOf(event, 'incident_key') },
      }),
    },
  ],
  accepted: (event) => ({
    status: 202,
    body: { ...success, dedup_key: keyOf(event, 'dedup_key') },
  }),
  refused({ code, message, status }, { request }): Answer {
    const refusal = (name: string, text = message, errors = [message]) => ({
      status: name,
      message: text,
      errors,
      // Where some of its clients look for it.
      error: { code: INVALID, message: text, errors },
    });
    // Version 1 says so by 403.
    const busy = request.url.includes('/generic/2010-04-15/') ? 403 : 429;
    if (code === 'rate_limited')
      return { status: status === 429 ? busy : status, body: refusal('throttle exceeded') };
    if (status > 429) return { status, body: refusal('internal error') };
    // Its clients know 400 for all that does not pass if it is sent again.
    const errors = [code === 'not_found' ? 'Invalid routing key' : message];
    return { status: 400, body: refusal('invalid event', wrong, errors) };
  },
};

/** "Invalid Input Provided", of its errors by number. */
const INVALID = 2001;
const wrong = 'Event object is invalid';
const success = { status: 'success', message: 'Event processed' };

const isEvent = (fields: JsonObject) =>
  'event_action' in fields || (isObject(fields['payload']) && 'routing_key' in fields);

/** What was sent, or was made of it: with that a client can resolve. */
function keyOf({ fields, alerts }: Accepted, name: string): string {
  const sent = fields[name];
  if (typeof sent === 'string' && !isUnfilled(sent) && !mayHaveGap(sent)) return sent;
  return alerts[0]?.dedup_key ?? '';
}
