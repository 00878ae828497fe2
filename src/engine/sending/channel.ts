import type { Notice } from '../../notices/notice.ts';

/** What the other side said: the beginning of it, and its HTTP status if it spoke HTTP. */
type Answered = { readonly answer?: string; readonly status?: number };

/** What became of one attempt. */
export type Delivery = Answered &
  (
    | { readonly outcome: 'delivered' }
    | { readonly outcome: 'retry'; readonly reason: string; readonly retryAfterSeconds?: number }
    | { readonly outcome: 'failed'; readonly reason: string }
  );

/** A way out, to people unless told. `send` never throws: whatever goes wrong is a `Delivery`. */
export type Channel<Message = Notice> = {
  send(message: Message, address: string): Promise<Delivery>;
};
