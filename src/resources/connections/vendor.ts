import type { TProperties } from 'typebox';
import type { ChatChannel, personalChannels } from '../channels.ts';

export type ServedChannel = (typeof personalChannels)[number] | ChatChannel;

/** By field, as they are declared. */
export type Settings = Readonly<Record<string, unknown>>;

type Account = {
  readonly settings: Settings;
  /** Without those that a write leaves as they are. */
  readonly secrets: Readonly<Record<string, string>>;
};

/** A rule about several fields, each as `settings.<field>` or `secrets.<field>`. */
export type FieldRule = {
  readonly set: 'all_or_none' | 'one_at_most' | 'one_at_least';
  readonly of: readonly string[];
};

/** Where what a connection needs comes from, as forms show it. */
export type SetupSteps = {
  readonly title: string;
  readonly link: { readonly href: string; readonly text: string };
  /** After the link, in their order. */
  readonly steps: readonly string[];
  readonly note: string;
};

export const inboundModes = ['socket', 'poll', 'callbacks', 'nothing'] as const;
export type InboundMode = (typeof inboundModes)[number];

export type Rooms = {
  /** The id of a room in what somebody pasted. Null: there is none. */
  readonly idIn: (text: string) => string | null;
  /** Whether a room with that id is in no list, although it may be one. Absent: all are listed. */
  readonly isUnlisted?: (id: string) => boolean;
  /** Follows the id of a room that no connection can post to, as far as is known. */
  readonly unpostable: string;
};

/** A company or program by which people are reached, as a connection names it. */
export type Vendor = {
  readonly vendor: string;
  /** As people know it. */
  readonly title: string;
  readonly doc: string;
  /** All that connections of it can serve. */
  readonly channels: readonly ServedChannel[];
  /** Those that a connection with these settings serves. */
  readonly channelsOf: (settings: Settings) => readonly ServedChannel[];
  /** By which way Pager hears from it; callbacks only where it can call Pager. */
  readonly receive: InboundMode;
  /** By which way, where it cannot. Absent: by none. */
  readonly withoutCallbacks?: InboundMode;
  /** What is missing where it cannot, as sentences. Absent: nothing. */
  readonly lostWithoutCallbacks?: string;
  /** What comes back, where it comes by another way. Absent: the way says it. */
  readonly receiveText?: string;
  /** What to do at the vendor with the addresses that it calls. Absent: nothing. */
  readonly callbackHelp?: string;
  /** Shown to those who read connections. */
  readonly settings: TProperties;
  /** Never shown again once they are stored. */
  readonly secrets: TProperties;
  /**
   * Those of them that people choose: not even their last characters are shown. The end of a password
   * helps to guess it. Absent: the vendor issues them all.
   */
  readonly chosenSecrets?: readonly string[];
  readonly check: readonly FieldRule[];
  /** Absent: its fields say it. */
  readonly setup?: SetupSteps;
  /** What the vendor makes an app of, to be pasted there as JSON. */
  readonly manifest?: object;
  /** The same, where it depends on the connection. */
  readonly manifestOf?: (settings: Settings, publicUrl: string) => object;
  /** Where its app is added to what people use, such as a server. Absent: at the vendor. */
  readonly inviteUrl?: (settings: Settings) => string;
  /** The rooms that connections can post to are read from the vendor. Absent: nothing lists them. */
  readonly rooms?: Rooms;
  /** An account as people write it. Absent: as it is. */
  readonly accountText?: (account: string) => string;
  /** What people write to, where the vendor names the account otherwise. Null: there is nothing. */
  readonly linkedAccount?: (settings: Settings) => string | null;
  /** Opens a chat with an account and sends it the code that links the chat to its person. */
  readonly linkUrl?: (account: string, code: string) => string;
  /** What that link sends, for who writes it themselves. */
  readonly linkText?: (code: string) => string;
  /** The field that tells which account it is. */
  readonly accountAt: string;
  /** Which account it is: not secret, and the same with every new secret of it. Null: they do not tell. */
  readonly accountIdOf: (account: Account) => string | null;
};
