import type { Notice } from '../notices/notice.ts';

/** What became of one attempt; `answer` is the beginning of what the other side said. */
export type Delivery =
  | { readonly outcome: 'delivered'; readonly answer?: string }
  | {
      readonly outcome: 'retry';
      readonly reason: string;
      readonly retryAfterSeconds?: number;
      readonly answer?: string;
    }
  | { readonly outcome: 'failed'; readonly reason: string; readonly answer?: string };

/** A way out to people. `send` never throws: whatever goes wrong is a `Delivery`. */
export type Channel = { send(notice: Notice, address: string): Promise<Delivery> };
