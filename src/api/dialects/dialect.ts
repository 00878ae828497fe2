// What stands in for another service: its routes, where its clients put their key, and its answers.
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { JsonObject } from '../../alerts/alert.ts';
import type { IntakeAnswer } from '../../engine/intake/answer.ts';
import type { KeyKind } from '../../resources/integration-key.ts';
import type { RecognisedIntegration } from '../events/hooks.ts';
import type { FailureCode } from '../failures.ts';

export type Answer = {
  readonly status: number;
  /** Null: none. */
  readonly body: string | JsonObject | readonly JsonObject[] | null;
  /** Of a text that is no plain one. */
  readonly type?: string;
};

/** What a client sent, its key recognised. */
export type Sent = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly integration: RecognisedIntegration;
  /** Of its body; empty where that is no object. */
  readonly fields: JsonObject;
};

export type Accepted = Sent &
  Pick<Extract<IntakeAnswer, { type: 'accepted' }>, 'eventId' | 'alerts'>;

export type Refused = {
  readonly code: FailureCode;
  readonly message: string;
  /** Of the code, or the one that the sender's tool understands. */
  readonly status: number;
};

type Keyed = {
  readonly methods: readonly HTTPMethods[];
  readonly url: string;
  /** Where the key stands before the body; null: not there. */
  readonly key: (request: FastifyRequest) => string | null;
};

/** Takes events. */
export type EventRoute = Keyed & {
  readonly takes: 'events';
  /** What a key in the body is called; without it only bodies of known senders are read. */
  readonly keyNames?: readonly string[];
  /** Whether `stored` or the answer need the fields of a body; so they are if it has the key. */
  readonly isParsed?: boolean;
  /** The path as it is stored: it names the dialect, and has no key. */
  readonly path: (request: FastifyRequest) => string;
  /** What the body or a record makes of it; absent: nothing else. */
  readonly stored?: (sent: Sent) => StoredAddress | Promise<StoredAddress>;
  readonly accepted?: Dialect['accepted'];
};

export type StoredAddress = { readonly path: string; readonly query?: string };

/** Answers something, and takes nothing. */
export type ReadRoute = Keyed & {
  readonly takes: 'nothing';
  readonly answer: (sent: Omit<Sent, 'fields'>) => Answer | Promise<Answer>;
};

/** There are none yet: who reports one is not to believe that it counts. */
export type HeartbeatRoute = Omit<Keyed, 'key'> & {
  readonly takes: 'heartbeats';
  /** Absent: its address has no key of an integration. */
  readonly key?: Keyed['key'];
};

export type Dialect = {
  /** Of its keys. */
  readonly kind: KeyKind;
  readonly routes: readonly (EventRoute | ReadRoute | HeartbeatRoute)[];
  accepted(accepted: Accepted): Answer;
  refused(refused: Refused, reply: FastifyReply): Answer;
};

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** A part of the address: `/alert/:key`. */
export const keyInPath = (request: FastifyRequest) =>
  text((request.params as { readonly key?: unknown }).key);

export const keyInQuery =
  (name: string) =>
  ({ query }: FastifyRequest) =>
    text((query as Readonly<Record<string, unknown>>)[name]);

/** `Authorization: <scheme> <key>`, whatever the case of the scheme. */
export const keyInHeader =
  (scheme: string) =>
  ({ headers }: FastifyRequest): string | null => {
    const [named = '', key = ''] = (headers.authorization ?? '').trim().split(/\s+/, 2);
    return named.toLowerCase() === scheme ? text(key) : null;
  };

/** The password, or else the name. */
export function keyInBasic(request: FastifyRequest): string | null {
  const decoded = Buffer.from(keyInHeader('basic')(request) ?? '', 'base64').toString();
  const colon = decoded.indexOf(':');
  return text(decoded.slice(colon + 1)) ?? text(decoded.slice(0, Math.max(0, colon)));
}

type KeyPlace = (request: FastifyRequest) => string | null;

/** The first of these places that has one. */
export const firstKey =
  (...places: readonly KeyPlace[]): KeyPlace =>
  (request) => {
    for (const place of places) {
      const key = place(request);
      if (key !== null) return key;
    }
    return null;
  };
