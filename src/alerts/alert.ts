import { eventsLimits } from '../limits/events.ts';

/**
 * What monitoring tools send becomes alert events here: one pure function per integration type,
 * from a request and the moment it came to what is wrong, or no longer wrong.
 */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** By which way an event came. */
export const eventSources = ['http', 'mail'] as const;
export type EventSource = (typeof eventSources)[number];

export type Severity = 'sev1' | 'sev2' | 'sev3';
export type Priority = 'p1' | 'p2' | 'p3' | 'p4' | 'p5';
export type Action = 'trigger' | 'acknowledge' | 'resolve';
export type Link = { readonly href: string; readonly text?: string };

/** When a problem began or ended, by the clock of its source. */
export type SourceTime = {
  /** `mail`: when it was written. `group`: when the alert of a group began, or ended. */
  readonly by: 'mail' | 'group';
  readonly at: Temporal.Instant;
  /** What it says may be older than what came before it. */
  readonly mayBeLate: boolean;
  /** Of an end: what is older than it is late. */
  readonly isSure: boolean;
};

/** One message of a tool about one problem; the key pairs its messages over time. */
export type AlertEvent = {
  readonly action: Action;
  readonly dedup_key: string;
  /** The key that 0.1.0 made of the same message, where it was another one. */
  readonly former_key?: string;
  /**
   * What was sent in the place of the key and is none, because a template left it or it is the same
   * for everything. An end has it only where nothing else says what it ends.
   */
  readonly raw_key?: string;
  /** Which end it is, and whether it is one: src/alerts/in-doubt.ts settles it by what is open. */
  readonly in_doubt?: InDoubt;
  /**
   * An end of which only is known that its source no longer watches: whether the problem is over is
   * not. What the source said.
   */
  readonly unwatched?: string;
  readonly title: string;
  readonly details?: Json;
  readonly severity?: Severity;
  readonly priority?: Priority;
  readonly links?: readonly Link[];
  /** When it happened, where its source says so: what is older than an end is late. */
  readonly sourceTime?: SourceTime;
  /**
   * Of what Prometheus sends itself: who, since when, and until when it holds by the sender's clock.
   */
  readonly direct?: {
    readonly sender: string;
    readonly startsAt?: Temporal.Instant;
    readonly endsAt: Temporal.Instant;
  };
  /** What its tool itself groups alerts by, as one text: those with the same one belong together. */
  readonly group?: string;
  /** How many alerts of the group its tool left out of the message; absent: the tool does not say. */
  readonly omitted?: number;
  /** Which of several senders of the same alert sent it; never part of a key. */
  readonly reporter?: string;
  /** Its end is read from a mark in a text, or from a tool's line as a whole. */
  readonly is_marked?: true;
  /** What the incident's timeline is to show beside it, such as how many alerts its tool left out. */
  readonly note?: string;
  /** Resolves by itself at this moment unless it is triggered again before. */
  readonly expires_at?: Temporal.Instant;
};

/** Of what may end one of several incidents, or is an end only where one of these is open. */
export type InDoubt = {
  /** The line with the sign. */
  readonly line: string;
  /** Keys of incidents that it may end besides the alert's own. */
  readonly keys: readonly string[];
  /** The key that it triggers if it ends nothing. Of an end in a fixed place there is none. */
  readonly trigger_key?: string;
};

/** A mail as text; header names are in lower case. */
export type Mail = {
  readonly subject: string;
  readonly from: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * What arrived at an integration; `path` is what follows its token. `headers` has those that are
 * stored with the event, by their names in lower case.
 */
export type AlertRequest =
  | {
      readonly source: 'http';
      readonly method: string;
      readonly path: string;
      readonly query: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly contentType: string;
      readonly body: Uint8Array;
    }
  | ({ readonly source: 'mail' } & Mail);
export type HttpRequest = AlertRequest & { readonly source: 'http' };

/**
 * What was made of a request; no alerts means that it was understood and asks for nothing. `note`
 * is for the log of events: why it asks for nothing, or what is odd about it.
 */
export type Reading =
  | {
      readonly alerts: readonly AlertEvent[];
      readonly note?: string;
      /** It was refused before it was read. */
      readonly refused?: true;
    }
  | { readonly unreadable: string };

export type About = {
  readonly receivedAt: Temporal.Instant;
  readonly integrationName: string;
};

/**
 * How a tool is connected. `{url}` and `{email}` stand for the integration's addresses, `{origin}`
 * and `{token}` for the server and the token in the first.
 */
export type Guide = {
  readonly steps: readonly string[];
  /** What is worth knowing that is no step. */
  readonly notes?: readonly string[];
  /** Configuration to copy, each with the name of the file or form that it belongs to. */
  readonly snippets?: readonly { readonly file: string; readonly text: string }[];
};

/** What is not stored of a request, as it is written there. */
export type Secrets = {
  /** Wherever they stand, also within a longer text. */
  readonly texts: readonly string[];
  /** Each a whole value: of those of an object any may be a word that stands elsewhere too. */
  readonly values: readonly string[];
  /** Of members, wherever they stand: places cannot be looked up in what is not read as it came. */
  readonly names: readonly string[];
};

/** A request as it came; header names are in lower case. */
export type HandshakeRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
};

/** With status 200. */
export type HandshakeAnswer = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: JsonObject;
};

export type TestAlert = { readonly title: string; readonly note: string };
export type TestRequest =
  | { readonly source: 'http'; readonly json: Json }
  | ({ readonly source: 'mail' } & Mail);

/** Refuses a request with more alerts than one request may carry. */
export function tooMany(count: number, path: string): { unreadable: string } | undefined {
  if (count <= eventsLimits.alerts) return undefined;
  return {
    unreadable: `${path}: contains ${count} alerts, but one request can contain at most ${eventsLimits.alerts}`,
  };
}
