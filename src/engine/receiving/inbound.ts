import type { IncidentNotice } from '../../notices/notice.ts';
import type { Posted } from '../sending/channel.ts';

/**
 * What somebody did at a vendor, as its channel reads it. `address`: as their contact has it;
 * `eventId`: the same when it is delivered again, of one connection; `senderName`: what they call
 * themselves there.
 */
export type Inbound =
  /** They sent what Pager gave them to link this chat. */
  | { readonly type: 'start'; readonly address: string; readonly code: string }
  /** They pressed a button of a message; `handle` is what the button carries. */
  | {
      readonly type: 'press';
      readonly address: string;
      readonly handle: string;
      /** The message that it is on, where that can be changed. */
      readonly message?: Pick<Posted, 'place' | 'messageId'>;
      readonly eventId?: string;
      readonly senderName?: string;
    }
  | {
      readonly type: 'text';
      readonly address: string;
      readonly text: string;
      readonly eventId?: string;
      /** It may be about another incident than the one that is open now. */
      readonly isLate?: boolean;
      /** The message that it is a reply to. */
      readonly repliedTo?: Pick<Posted, 'place' | 'messageId'>;
      readonly senderName?: string;
    }
  /** They used a command of the app; `text` is what stands after its name. */
  | {
      readonly type: 'command';
      readonly address: string;
      readonly text: string;
      readonly eventId?: string;
    }
  /** They let nothing more through, or do so again. */
  | {
      readonly type: 'blocked' | 'restored';
      readonly address: string;
      readonly eventId?: string;
    };

/** Of somebody, as a vendor has confirmed it. Null: there is none; `unsaid`: it did not say, with why. */
export type ConfirmedEmail =
  | { readonly email: string | null }
  | { readonly email?: never; readonly unsaid: string };

/** What they are answered; null: nothing. */
export type Reply = {
  readonly text: string;
  /** Where they go on. */
  readonly link?: { readonly href: string; readonly text: string };
  /** Of which they choose one: to choose it is to press a button that carries its handle. */
  readonly choices?: readonly Choice[];
  /** What the message that they pressed a button of is to show from now on, if nobody else changes it. */
  readonly edit?: Edit;
} | null;

export type Choice = { readonly text: string; readonly handle: string };

export type Edit = {
  readonly notice: IncidentNotice;
  /** What they have done; absent where nothing was. */
  readonly taken?: { readonly action: string; readonly by: string; readonly at: Temporal.Instant };
};
