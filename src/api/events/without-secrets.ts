// What a tool's form, or a mapping, says is secret in messages is not stored.
import type { Secrets } from '../../alerts/alert.ts';
import { spend } from '../../alerts/effort.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { knownAction } from '../../alerts/words.ts';
import type { Arrival } from '../../engine/intake/arrival.ts';
import { eventsLimits } from '../../limits/events.ts';
import { jsonFormsOf, masked, maskedBytes } from './sent-request.ts';

/** `by name`: the body is not read, and whatever is called like a secret is left out. */
export function withoutSecrets(
  arrival: Arrival,
  type: IntegrationType | undefined,
  how: 'by place' | 'by name' = 'by place',
): Arrival {
  const { path, sent, contentType, body } = arrival;
  if (type?.secretsIn === undefined || sent === undefined) return arrival;
  const { method, query } = sent;
  const request = { source: 'http', method, path, query, headers: {}, contentType } as const;
  const read = { ...request, body: how === 'by place' ? body : nothing };
  const { texts, values, names } = type.secretsIn(read, arrival.mapping ?? undefined);
  if (texts.length + values.length + names.length === 0) return arrival;
  spend(PASS_WORK * body.byteLength * (1 + Math.min(texts.length, eventsLimits.secrets)));
  // The body is gone through for each of them; of more each is masked where it is a whole value.
  const searched = texts.slice(0, eventsLimits.secrets);
  const named = maskedMembers(Buffer.from(body.buffer, body.byteOffset, body.byteLength), names);
  const bytes = searched.reduce(maskedBytes, named);
  return {
    ...arrival,
    sent: { ...sent, query: searched.reduce(masked, query) },
    body: maskedValues(bytes, [...values, ...texts.slice(eventsLimits.secrets)]),
  };
}

const nothing = new Uint8Array();
/** Of a byte, each time that the body is gone through. */
const PASS_WORK = 0.5;

/** A string of JSON, and whether it names a member. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/** In one go, however many they are. Names of members stay, and words that say a state. */
function maskedValues(body: Buffer, values: Secrets['values']): Buffer {
  const secret = values.filter((value) => knownAction(value) === undefined);
  if (secret.length === 0) return body;
  const written = new Set(secret.flatMap(jsonFormsOf).map((form) => latin1(`"${form}"`)));
  const text = body
    .toString('latin1')
    .replace(STRING, (one, colon?: string) =>
      colon === undefined && written.has(one) ? `"${'*'.repeat(one.length - 2)}"` : one,
    );
  return Buffer.from(text, 'latin1');
}

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

/**
 * Texts of members that are called so, in JSON also where it is broken, and within a string. In one
 * go: each name is followed by what is read once.
 */
function maskedMembers(body: Buffer, names: Secrets['names']): Buffer {
  if (names.length === 0) return body;
  const written = names.map((name) => RegExp.escape(latin1(name))).join('|');
  const member = new RegExp(
    `("(?:${written})\\\\{0,8}"\\s{0,8}:\\s{0,8}\\\\{0,8}")([^"\\\\]*)`,
    'gi',
  );
  const text = body
    .toString('latin1')
    .replace(member, (_whole, before: string, value: string) => before + '*'.repeat(value.length));
  return Buffer.from(text, 'latin1');
}
