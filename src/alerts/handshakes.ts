// How services ask whether an address takes events, and what they expect for an answer. None of it
// is about a problem, and each form is so narrow that no event has it.
import { eventsLimits } from '../limits/events.ts';
import type { HandshakeAnswer, HandshakeRequest, Json } from './alert.ts';
import { parseJson } from './body/json.ts';
import type { IntegrationType } from './integration-type.ts';
import { isObject } from './text.ts';

type Handshake = NonNullable<IntegrationType['handshake']>;

/** The answer to services that only want to know that somebody is there. */
const here: HandshakeAnswer = { json: { ok: true } };

/**
 * CloudEvents' protection against abuse: whoever answers `OPTIONS` so wants the events of that
 * origin. It may send as many as it likes.
 */
export const answerCloudEvents: Handshake = ({ method, headers }) => {
  const origin = headers['webhook-request-origin'];
  if (method !== 'OPTIONS' || typeof origin !== 'string') return undefined;
  return {
    headers: { 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*', allow: 'POST, PUT' },
    ...here,
  };
};

/** Azure Event Grid, in its own schema and in that of CloudEvents. */
export const answerEventGrid: Handshake = (request) =>
  answerCloudEvents(request) ?? answerValidation(request);

function answerValidation(request: HandshakeRequest): HandshakeAnswer | undefined {
  const json = smallJson(request, 'validationCode');
  const [event, ...others] = Array.isArray(json) ? json : [];
  if (!isObject(event) || others.length > 0) return undefined;
  const { eventType, data } = event;
  if (eventType !== 'Microsoft.EventGrid.SubscriptionValidationEvent' || !isObject(data))
    return undefined;
  const { validationCode } = data;
  if (typeof validationCode !== 'string') return undefined;
  return { json: { validationResponse: validationCode } };
}

/** Slack's Events API, and what imitates it. */
export const answerSlack: Handshake = (request) => {
  const json = smallJson(request, 'url_verification');
  if (!isObject(json) || json['type'] !== 'url_verification') return undefined;
  const { challenge } = json;
  return typeof challenge === 'string' ? { json: { challenge } } : undefined;
};

export const answerGitHub: Handshake = ({ method, headers }) =>
  method === 'POST' && headers['x-github-event'] === 'ping' ? here : undefined;

/** The test of a webhook of version 3. */
export const answerPagerDuty: Handshake = (request) => {
  const json = smallJson(request, 'pagey.ping');
  const event = isObject(json) ? json['event'] : undefined;
  return isObject(event) && event['event_type'] === 'pagey.ping' ? here : undefined;
};

const utf8 = new TextDecoder();

/** Parses only what may be one: every event passes by here. */
function smallJson({ method, body }: HandshakeRequest, word: string): Json | undefined {
  if (method === 'OPTIONS' || body.byteLength > eventsLimits.handshake) return undefined;
  const text = utf8.decode(body);
  if (!text.includes(word)) return undefined;
  const parsed = parseJson(text);
  return 'value' in parsed ? parsed.value : undefined;
}
