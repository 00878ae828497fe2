// What comes through a service that passes messages on, Amazon SNS or Google Cloud Pub/Sub. Any tool's
// message may come so, whatever the type of the integration is.
import type { HttpRequest, Json } from './alert.ts';
import { parseJson } from './body/json.ts';
import { envelopeIn, holds, mayBeEnvelope, unwrapSns } from './sns.ts';
import { isObject } from './text.ts';

type Published = {
  readonly message: Json;
  /** The message as if it had come by itself, if it is JSON of an object or a list. */
  readonly inner?: HttpRequest;
};

/** What is in an envelope; nothing if the body is none. */
export function publishedIn(request: HttpRequest): Published | undefined {
  const { body } = request;
  const envelope = mayBeEnvelope(body) ? envelopeIn(body) : undefined;
  const sns = envelope && unwrapSns(envelope.fields);
  if (sns !== undefined)
    return sns.nothing === undefined ? published(sns.message, request) : { message: sns.message };
  const pushed = pushedIn(body);
  return pushed === undefined ? undefined : published(pushed, request);
}

function published(message: Json, request: HttpRequest): Published {
  if (typeof message !== 'object' || message === null) return { message };
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  return { message, inner: { ...request, contentType: 'application/json', body: bytes } };
}

/** Pub/Sub passes 10 MB on at most; an alert is a small part of that. */
const MOST_BYTES = 1_000_000;

/** The JSON in a push of Pub/Sub. */
function pushedIn(body: Uint8Array): Json | undefined {
  if (body.length > MOST_BYTES) return undefined;
  if (!holds(body, '"subscription"') || !holds(body, '"data"')) return undefined;
  const parsed = parseJson(new TextDecoder().decode(body));
  const json = 'value' in parsed ? parsed.value : null;
  if (!isObject(json) || !isObject(json['message'])) return undefined;
  const data = json['message']['data'];
  if (!/^projects\//.test(String(json['subscription'])) || typeof data !== 'string')
    return undefined;
  const inner = parseJson(decoded(data));
  return 'value' in inner && isObject(inner.value) ? inner.value : undefined;
}

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(base64));
  } catch {
    return '';
  }
}
