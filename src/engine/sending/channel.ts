import type { Notice } from '../../notices/notice.ts';

/** The beginning of the other side's answer, and its status if it was HTTP. */
type AnswerDetails = { readonly answer?: string; readonly status?: number };

/** The result of one attempt. */
export type Delivery = AnswerDetails &
  (
    | { readonly outcome: 'delivered' }
    | { readonly outcome: 'retry'; readonly reason: string; readonly retryAfterSeconds?: number }
    | { readonly outcome: 'failed'; readonly reason: string }
  );

/** Delivers messages, notices unless stated. `send` never throws: failures are a `Delivery`. */
export type Channel<Message = Notice> = {
  send(message: Message, address: string): Promise<Delivery>;
};
