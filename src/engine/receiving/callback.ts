// What vendors send to the addresses that they are given, as each vendor's channel reads it.
import type { IncidentNotice } from '../../notices/notice.ts';
import type { CountedCall } from '../sending/channel.ts';
import type { Receipt } from './receipt.ts';

export type CallbackRequest = {
  readonly channel: string;
  /** As the vendor was given it: the public URL, the path and the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
};

export type CallbackInbound =
  | {
      readonly type: 'receipt';
      readonly vendorId: string;
      readonly receipt: Receipt;
      /** The contact that takes nothing more, as the receipt says. */
      readonly lost?: { readonly address: string; readonly state: 'opted_out' | 'invalid' };
      /** Of a call that is over. */
      readonly call?: CountedCall;
    }
  /** A key was pressed during a call. */
  | { readonly type: 'key'; readonly vendorId: string; readonly key: string }
  /** `eventId`: the same each time that the vendor sends it. */
  | {
      readonly type: 'text';
      readonly eventId: string;
      readonly address: string;
      readonly text: string;
      /** It was read so late that it may be about another incident than the one that is open now. */
      readonly isLate?: boolean;
    }
  /** Somebody lets nothing more through, or does so again. */
  | { readonly type: 'blocked' | 'restored'; readonly eventId: string; readonly address: string }
  | { readonly type: 'ignored' };

/** What a person is answered. */
export type CallbackReply = {
  readonly text: string;
  /** What is read out after it, with its keys; absent: the call ends. */
  readonly notice?: IncidentNotice;
  /** What keys are sent with that act on it, if it is another than before. */
  readonly handle?: string;
};

export type CallbackAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

export type CallbackReader<Connection> = {
  /** `refused`: it is not from the vendor, or cannot be read. */
  read(
    request: CallbackRequest,
    connection: Connection,
  ): { readonly refused: string } | { readonly inbound: CallbackInbound };
  /** `request` is that of the inbound; null: nobody is to be answered. */
  answer(
    inbound: CallbackInbound,
    reply: CallbackReply | null,
    request: CallbackRequest,
  ): CallbackAnswer;
};
