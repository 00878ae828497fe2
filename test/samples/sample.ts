// Samples of our own: one message of a tool each, written from the tool's documentation, and what has to
// be read of it, word for word. They are in the repository, so every clone tests each integration type.
import type { Action, Json } from '../../src/alerts/alert.ts';

/** `grade`: the severity, the priority, or both with a space between them. */
export type Read = readonly [action: Action, key: string, title: string, grade?: string];

export type OwnSample = {
  readonly what: string;
  /** A text is sent as it is, anything else as JSON. */
  readonly body: Json;
  /** Empty: the message reports no problem. */
  readonly reads: readonly Read[];
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly query?: string;
};

export type ToolSamples = {
  /** Where the tool documents its messages. */
  readonly source: string;
  readonly sent: readonly OwnSample[];
};

type Sent = Omit<OwnSample, 'what' | 'body' | 'reads'>;

/** A message that holds one alert. */
export const message = (what: string, body: Json, read: Read, sent: Sent = {}): OwnSample => ({
  what,
  body,
  reads: [read],
  ...sent,
});

/** A message that holds several alerts, or none. */
export const messages = (
  what: string,
  body: Json,
  reads: readonly Read[],
  sent: Sent = {},
): OwnSample => ({ what, body, reads, ...sent });

export const formType = { contentType: 'application/x-www-form-urlencoded' } as const;

/** Fields as a form has them. */
export const form = (fields: Readonly<Record<string, string>>): string =>
  new URLSearchParams(fields).toString();
