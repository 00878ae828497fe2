// HTTP requests of vendors: {public url}/callbacks/<channel>/<connection id>[/<handle>]. Each vendor that
// calls Pager has a reader for its own.
import type { Inbound, Reply } from './inbound.ts';

export const callbackAddress = (publicUrl: string, channel: string, connectionId: string): string =>
  `${publicUrl}/callbacks/${channel}/${connectionId}`;

export type CallbackRequest = {
  /** Many vendors send a challenge by GET before they send anything else. */
  readonly method: 'GET' | 'POST';
  readonly channel: string;
  /** As the vendor was given it: the public URL, the path and the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
};

export type CallbackAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

export type CallbackRead =
  /** It is not from the vendor, or cannot be read. */
  | { readonly refused: string }
  /** Nothing is to be done, such as for a challenge. */
  | { readonly answer: CallbackAnswer }
  /**
   * Replies stand in the answer to the request, or are sent afterwards where the reader can `respond`.
   * `channel`: what they came by, where one address receives several.
   */
  | { readonly inbounds: readonly Inbound[]; readonly channel?: string }
  /** The vendor waits too short a time for a reply: it is answered at once, and replies are sent later. */
  | { readonly inbounds: readonly Inbound[]; readonly isDeferred: true };

export type Replied = { readonly inbound: Inbound; readonly reply: Reply };

export type CallbackReader<Connection> = {
  /** Absent: it is called by POST alone. */
  readonly takesGet?: true;
  readonly read: (
    request: CallbackRequest,
    connection: Connection,
  ) => CallbackRead | Promise<CallbackRead>;
  /** `replied` has all inbounds of the request; none where replies are deferred. */
  readonly answer: (
    replied: readonly Replied[],
    request: CallbackRequest,
    connection: Connection,
  ) => CallbackAnswer | Promise<CallbackAnswer>;
  /**
   * Sends a reply after the answer, also where there is none: some vendors show people that they wait.
   * Why it could not be sent; null: it was.
   */
  readonly respond?: (
    replied: Replied,
    connection: Connection,
    request: CallbackRequest,
  ) => Promise<string | null>;
};
