import type { Notice } from '../../notices/notice.ts';
import type { Receipt } from './receipt.ts';

/** Who has to change something before what was refused can be taken. */
export const refusalBlames = ['contact', 'connection', 'message'] as const;
export type Blame = (typeof refusalBlames)[number];

/** The beginning of the other side's answer, and its status if it was HTTP. */
type AnswerDetails = { readonly answer?: string; readonly status?: number };

/** A message that can still be changed where it stands. */
export type PostedMessage = {
  /** Null: the channel needs no connection. */
  readonly connectionId: string | null;
  /** The chat, or whatever else the vendor calls it. */
  readonly place: string;
  readonly messageId: string;
};

/** What is counted of a notice that a vendor took, for its connection. */
export type Counted = {
  readonly connectionId: string;
  /** Of a number, its calling code, such as +49. */
  readonly country?: string;
  /** Of an SMS. */
  readonly segments?: number;
};

/** A message that was sent just now. */
export type SentMessage = PostedMessage & {
  /** It is not there yet, as with one device of several: it is sent once more, after that time. */
  readonly retry?: { readonly afterSeconds: number };
};

/** What differs between what a message shows and what it is to show. */
export type Difference =
  /** It is not there yet. */
  | 'all'
  | 'words'
  /** Nothing that anybody reads: paging has started again. */
  | 'cycle';

/** The result of one attempt. */
export type Delivery = AnswerDetails &
  (
    | {
        readonly outcome: 'delivered';
        readonly posted?: readonly SentMessage[];
        readonly counted?: Counted;
        /** What has become of the attempt whose message was changed, if the vendor reports it nowhere. */
        readonly receipt?: Receipt;
        /** As people know the connection of that message. */
        readonly connectionName?: string;
        /** The message that was to be changed was deleted, and this one shows it. */
        readonly insteadBy?: PostedMessage;
      }
    /** Nothing but the time has to change: no answer, an error of the other side's, or too much at once. */
    | {
        readonly outcome: 'no_answer';
        readonly reason: string;
        readonly retryAfterSeconds?: number;
        /** The vendor may have it all the same, and cannot be asked: each further try may be a copy. */
        readonly maybeTaken?: true;
      }
    /** It was refused, and is tried again, since whoever is to blame may mend it. */
    | { readonly outcome: 'refused'; readonly blame: Blame; readonly reason: string }
    /** It was refused, or there is no way to send it; trying again does not help. */
    | { readonly outcome: 'failed'; readonly blame?: Blame; readonly reason: string }
  );

/** That of a channel whose vendors report later whether what they took has arrived. */
export type ReportedDelivery =
  | Delivery
  | (AnswerDetails & {
      readonly outcome: 'handed_over';
      readonly connectionId: string;
      /** As people know it. */
      readonly connectionName?: string;
      /** What the vendor calls it. */
      readonly vendorId: string;
      /** When nothing is reported by then, it counts as lost. */
      readonly receiptWithinSeconds: number;
      /** What has become of the attempt before, where nobody has reported it. */
      readonly before?: string;
      /** What can still be changed of it, such as a call that rings. */
      readonly posted?: PostedMessage;
      readonly counted?: Counted;
    })
  /** Nothing was requested, and nothing has failed: the next claim decides what becomes of it. */
  | {
      readonly outcome: 'withheld';
      readonly reason: string;
      readonly forSeconds: number;
      readonly answer?: never;
      readonly status?: never;
    }
  /** Vendors took it, none reported whether it arrived, and no other way is left. */
  | (AnswerDetails & { readonly outcome: 'unconfirmed'; readonly reason: string });

/** What is counted of a call once its vendor has reported that it is over. */
export type CountedCall = { readonly seconds: number; readonly country: string };

type Taken = Extract<ReportedDelivery, { readonly outcome: 'delivered' | 'handed_over' }>;

/** That the other side has it; whether it has arrived may still be reported. */
export const isTaken = (delivery: ReportedDelivery): delivery is Taken =>
  delivery.outcome === 'delivered' || delivery.outcome === 'handed_over';

/** An attempt that a vendor took. */
export type HandedOver = {
  readonly connectionId: string;
  readonly vendorId: string;
  /** The last one; null: nothing was reported. */
  readonly receipt: Receipt | null;
};

/** Who reports what becomes of it. */
export type ReportedBy = Pick<HandedOver, 'connectionId' | 'vendorId'> & {
  /** What people call the connection, where that is known. */
  readonly connectionName?: string;
};

/** What one attempt knows of the others. */
export type Attempt = {
  /** Names it to the vendor, in the addresses that receipts are sent to. */
  readonly handle: string;
  /** Names the notice, the same in all attempts to send it there, for vendors that take none twice. */
  readonly once?: string;
  /** Those of the same notice to the same address that a vendor took, oldest first. */
  readonly earlier: readonly HandedOver[];
  /** When one was begun of which no server recorded the end: a vendor may have taken it. */
  readonly unknownSince?: Temporal.Instant;
  /** A vendor that cannot be asked may have it: nothing is sent while it answers nothing at all. */
  readonly maybeTaken?: true;
  /** The message about the same incident that already stands there, for vendors that have threads. */
  readonly thread: PostedMessage | null;
  /** From then on another server may send the notice: what is not done by then is not begun. */
  readonly until: Temporal.Instant;
  /** Whether the notice is still to be sent, for who sends it later than at once. */
  readonly isWanted: () => Promise<boolean>;
};

/**
 * Delivers messages, notices unless stated: one, or the summary of several. `send` never throws: failures
 * are a `Delivery`.
 */
export type Channel<Message = Notice, Result = Delivery> = {
  /** Without `attempt`, nobody waits for a receipt. */
  send(message: Message, address: string, attempt?: Attempt): Promise<Result>;
  /** Whether it posts what is about the same subject below the first: then `attempt` has that. */
  readonly threads?: boolean;
  /** Has a message that stands somewhere show what `message` now is. Never throws. */
  show?(message: Message, posted: PostedMessage, difference?: Difference): Promise<Delivery>;
  /**
   * Says below it what was done, for an edit alone is overlooked, or which alerts joined. Tried once. Never
   * throws.
   */
  comment?(message: Message, posted: PostedMessage): Promise<Delivery>;
};

/** One that reaches people or chats. */
export type NoticeChannel = Channel<Notice, ReportedDelivery>;
