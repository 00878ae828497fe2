// What a vendor is: all that one company or program does for Pager. Each is a folder here, whose index.ts
// has one of these, and a line in src/channels/vendors.ts.
import type { Clock } from '../engine/clock.ts';
import type { Way } from '../engine/listening/listen.ts';
import type { Log } from '../engine/log.ts';
import type { NoticeChannel } from '../engine/sending/channel.ts';
import type { CallbackReader } from '../replies/callback.ts';
import type { HandleInbound } from '../replies/inbound.ts';
import type { ChannelName, deviceChannel, numberChannels } from '../resources/channels.ts';
import type { Vendor as Declaration } from '../resources/connections/vendor.ts';
import type { NumberConnection, NumberVendor } from './by-number.ts';
import type { Connected, LanePort } from './lanes.ts';
import type { MailReturns } from './notice-mail.ts';
import type { Outbound } from './outbound.ts';
import type { Publish } from './push/push.ts';
import type { TwilioOptions } from './twilio/channel.ts';
import type { InTurn } from './vendor-fault.ts';
import type { VendorHttp } from './vendor-http.ts';
import type { HasOpenWindow } from './whatsapp.ts';

/** An account at a vendor, as storage opens it. */
export type Connection = NumberConnection;
export type CalledConnection = Connection & {
  /** The secrets that were replaced a short time ago. They still verify what the vendor sends. */
  readonly replacedSecrets: Readonly<Record<string, string>>;
};

export type Vendor = {
  readonly declaration: Declaration;
  /** Its own address, which PAGER_VENDOR_URLS replaces. Null: each connection names a server. */
  readonly baseUrl: string | null;
  readonly check: Check;
  readonly send: Send;
  /** Reads what the vendor sends to the addresses that Pager gives it. */
  readonly callbacks?: (
    way: VendorWay & Pick<SendParts, 'clock'>,
  ) => CallbackReader<CalledConnection>;
  /** Receives what the vendor does not send by itself. Null: it does not have to. */
  readonly listen?: (parts: ListenParts) => Way | null;
  /** Which rooms a connection can post to. */
  readonly chats?: Chats;
};

/** The way to a vendor, and back. */
export type VendorWay = {
  readonly baseUrl: string;
  readonly http: VendorHttp;
  /** To servers that people choose. */
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Where the vendor can call Pager. Null: it cannot. */
  readonly callbackUrl: string | null;
};

export type CheckResult = { readonly name: string; readonly ok: boolean; readonly message: string };

/** `account`: its name for people. Null: something is wrong with it. */
export type Checked = {
  readonly checks: readonly CheckResult[];
  readonly account: string | null;
};

/** Calls the vendor with the credentials of a connection, and sends a message to the contact, if any. */
export type Check = (
  way: VendorWay,
  connection: Connection,
  to: { readonly channel: string; readonly address: string } | null,
) => Promise<Checked>;

type NumberChannel = (typeof numberChannels)[number];
type DeviceChannel = typeof deviceChannel;
type OtherChannel = Exclude<ChannelName, NumberChannel | DeviceChannel>;

/**
 * How notices are sent, by channel. Several vendors can serve the same numbers. Rooms that have webhooks
 * are reached by these as well.
 */
export type Send = Readonly<
  Partial<
    Record<NumberChannel, (parts: SendParts) => NumberVendor> &
      Record<DeviceChannel, (parts: SendParts) => Publish> &
      Record<OtherChannel, (parts: SendParts) => NoticeChannel>
  >
>;

export type SendParts = VendorWay &
  InTurn<Connected> &
  Pick<TwilioOptions, 'turn' | 'hold' | 'takenByOthers'> & {
    readonly publicUrl: string;
    readonly log: Log;
    /** Where replies to e-mails and bounces are received. */
    readonly mailReturns: MailReturns;
    readonly lanes: LanePort;
    /** The enabled connections of an organization to this vendor, in their order. */
    readonly connectionsOf: (organizationId: string) => Promise<readonly Connection[]>;
    readonly hasOpenWindow: HasOpenWindow;
    /** A contact accepts nothing more. */
    readonly lost: (
      contact: {
        readonly organizationId: string;
        readonly channel: string;
        readonly address: string;
      },
      loss: ContactLoss,
    ) => Promise<void>;
  };

export type ContactLoss = {
  readonly state: 'opted_out' | 'invalid' | 'blocked' | 'gone';
  readonly reason: string;
};

type OneOf = { readonly organizationId: string; readonly connectionId: string };

export type ListenParts = VendorWay &
  Pick<SendParts, 'turn'> & {
    readonly log: Log;
    readonly failed: (error: unknown) => void;
    readonly receive: HandleInbound;
    /** Null: its secrets cannot be read. */
    readonly open: (listened: Connected) => Promise<Connection | null>;
    /** Notes whether the connection works. `reason`: why it does not. */
    readonly note: (
      listened: Connected,
      noted: { readonly reason: string | null; readonly account?: string },
    ) => Promise<unknown>;
    /** Whether anybody was paged on a channel since then, for an incident that was open. */
    readonly isAnyPaged: (paged: {
      readonly organizationId: string;
      readonly channel: string;
      readonly since: Temporal.Instant;
    }) => Promise<boolean>;
    /** Whether somebody has been given a code that links a chat, and has not sent it yet. */
    readonly isAnyLinking: (linking: {
      readonly organizationId: string;
      readonly channel: string;
    }) => Promise<boolean>;
    /** Which of these events were handled. */
    readonly readBefore: (
      events: OneOf & { readonly eventIds: readonly string[] },
    ) => Promise<ReadonlySet<string>>;
    readonly recordRead: (
      event: OneOf & { readonly eventId: string },
      now: Temporal.Instant,
    ) => Promise<unknown>;
  };

export type Room = { readonly id: string; readonly name: string; readonly isPrivate: boolean };

/** A group of rooms that the app was added to, as the vendor has reported. */
export type JoinedTeam = {
  readonly id: string;
  /** Empty: the vendor has not said it. */
  readonly name: string;
  /** Where the vendor takes requests about it. */
  readonly serviceUrl: string;
};

/** `joined`: for vendors whose rooms are found by these alone. */
export type Chats = {
  /** One page of them. `isAnew`: they are to be read from the first page on. */
  readonly list: (
    way: VendorWay,
    connection: Connection,
    page: string | null,
    joined: readonly JoinedTeam[],
  ) => Promise<
    | { readonly channels: readonly Room[]; readonly nextPage: string | null }
    | { readonly fault: { readonly retryAfterSeconds?: number }; readonly isAnew: boolean }
  >;
  /** Null: the connection does not know it, or cannot post there. */
  readonly find: (
    way: VendorWay,
    connection: Connection,
    id: string,
    joined: readonly JoinedTeam[],
  ) => Promise<Room | null>;
};
