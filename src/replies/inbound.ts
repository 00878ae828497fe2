// What people and vendors send to Pager, whatever it arrives by: a socket, a poll, or an HTTP request
// (src/replies/callback.ts). Each vendor reads its own messages into this form.
import type { CountedCall, PostedMessage } from '../engine/sending/channel.ts';
import type { Receipt } from '../engine/sending/receipt.ts';
import type { IncidentNotice } from '../notices/kinds/incident.ts';
import type { Settings } from '../resources/connections/vendor.ts';
import type { Language } from '../resources/language.ts';
import type { ChatTeam } from '../storage/connections/chat-teams.ts';

/** Where something came from. */
export type Source = {
  readonly organizationId: string;
  readonly channel: string;
  /** Null: the channel needs none. Then nothing shows that the same was delivered before. */
  readonly connection: SourceConnection | null;
};

export type SourceConnection = {
  readonly id: string;
  readonly name: string;
  readonly settings: Settings;
};

/** A person as their vendor names them. The address is their id there. */
export type VendorAccount = {
  readonly connectionId: string;
  readonly vendorName: string;
  readonly vendorUserName: string;
  /** What the vendor has confirmed and may be trusted with. */
  readonly confirmedEmail: () => Promise<ConfirmedEmail>;
};

/** Null: there is none. `unsaid`: why the vendor did not answer. */
export type ConfirmedEmail =
  | { readonly email: string | null }
  | { readonly email?: never; readonly unsaid: string };

/** The one that somebody pressed a button of, where it can be edited. */
export type PressedMessage = PostedMessage & {
  /** What it was sent to. Absent: its place. */
  readonly room?: string;
};

/**
 * `address`: as the contact has it. `eventId`: the same when a connection delivers it again.
 * `account`: who it is, as the vendor has it; absent where the address is a contact of theirs alone.
 * `senderName`: what people call themselves at the vendor. `writtenAt`: when they sent it, which may be long
 * before it arrives; absent: the vendor does not say.
 */
export type Inbound =
  /** The code that links this chat to its person. */
  | {
      readonly type: 'start';
      readonly address: string;
      readonly code: string;
      readonly eventId?: string;
      readonly writtenAt?: Temporal.Instant;
    }
  /** A button of a message, or one of the choices of a reply. `handle` is what it carries. */
  | {
      readonly type: 'press';
      readonly address: string;
      readonly handle: string;
      readonly message?: Omit<PressedMessage, 'connectionId'>;
      /** The vendor is answered with the message as whoever pressed sees it from now on. */
      readonly isShown?: true;
      readonly eventId?: string;
      readonly writtenAt?: Temporal.Instant;
      readonly account?: VendorAccount;
      readonly senderName?: string;
    }
  /** Somebody wants to see a message as it is now. `handle`: what any button of it carries. */
  | { readonly type: 'refresh'; readonly handle: string }
  /** The app was added to a group of rooms, is known to be there, or the rooms there have changed. */
  | {
      readonly type: 'joined';
      readonly team: ChatTeam;
      readonly isGreeted: boolean;
      readonly isChanged: boolean;
    }
  /** It was removed from there. */
  | { readonly type: 'left'; readonly teamId: string }
  /** A key, during a call. `handle`: see `Receipt`. */
  | {
      readonly type: 'key';
      readonly handle?: string;
      readonly vendorId: string;
      readonly key: string;
    }
  | {
      readonly type: 'text';
      readonly address: string;
      readonly text: string;
      readonly eventId?: string;
      readonly writtenAt?: Temporal.Instant;
      /** It was read so late that it may mean another incident than the one that is open now. */
      readonly isLate?: boolean;
      /** The message that it is a reply to. */
      readonly repliedTo?: Pick<PostedMessage, 'place' | 'messageId'>;
      readonly account?: VendorAccount;
      readonly senderName?: string;
    }
  /** A command of the app. `text` follows its name. */
  | {
      readonly type: 'command';
      readonly address: string;
      readonly text: string;
      readonly eventId?: string;
      readonly writtenAt?: Temporal.Instant;
      /** The message in whose thread it was written. */
      readonly repliedTo?: Pick<PostedMessage, 'place' | 'messageId'>;
      readonly account?: VendorAccount;
    }
  /** Somebody stops what is sent to them, or allows it again. */
  | {
      readonly type: 'blocked' | 'restored';
      readonly address: string;
      readonly eventId?: string;
      readonly writtenAt?: Temporal.Instant;
      /** The vendor does not tell them that this is so. */
      readonly isUnconfirmed?: true;
    }
  | InboundReceipt
  | { readonly type: 'ignored' };

/** What a vendor reports about an attempt. */
export type InboundReceipt = {
  readonly type: 'receipt';
  /** Names the attempt: the vendor was given it with the message, or in the address that it calls. */
  readonly handle?: string;
  readonly vendorId: string;
  readonly receipt: Receipt;
  /** The contact accepts nothing more, as the receipt says. */
  readonly lost?: { readonly address: string; readonly state: 'opted_out' | 'invalid' };
  /** Of a call that is over. */
  readonly call?: CountedCall;
};

/** What a person is answered. Null: nothing. */
export type Reply = {
  readonly text: string;
  /** Of the text; absent: English. */
  readonly language?: Language;
  /** Where they go on. */
  readonly link?: {
    readonly href: string;
    readonly text: string;
    /** Nobody else may open it. */
    readonly isPersonal?: true;
  };
  /** They choose one by pressing a button that carries its handle. */
  readonly choices?: readonly Choice[];
  /** What the message whose button they pressed shows from now on, unless somebody else changes it. */
  readonly edit?: Edit;
  /** Where the vendor is answered with the message: as it is now. */
  readonly shown?: IncidentNotice;
  /** During a call, what is read out next, with its keys. Absent: the call ends. */
  readonly notice?: IncidentNotice;
  /** What keys are sent with from now on, if they act on another page than before. */
  readonly handle?: string;
} | null;

/** After what was asked for has failed unexpectedly. */
export const couldNotBeDone: NonNullable<Reply> = {
  text: 'This could not be done. Do it in Pager instead.',
};

export type Choice = { readonly text: string; readonly handle: string };

export type Edit = {
  readonly notice: IncidentNotice;
  /** What they did. Absent: nothing changed. */
  readonly taken?: { readonly action: string; readonly by: string; readonly at: Temporal.Instant };
};

/** Does what an inbound asks for. */
export type HandleInbound = (source: Source, inbound: Inbound) => Promise<Reply>;
