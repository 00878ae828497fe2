// The channels that reach people and chat rooms. Each is declared once, and all behavior that depends on
// the channel reads its traits here. The vendors are in src/channels/<vendor>.

import { channelNames } from './channel-names.ts';
import { defaultLanguage, type Language } from './language.ts';

type Traits = {
  /** One person, at a contact that they have verified, or everybody in a chat room. */
  readonly reaches: 'person' | 'room';
  /**
   * What its addresses are. Numbers are limited to the prefixes that a connection allows. A page to a person
   * goes to all of their devices at once, elsewhere to one contact after the other.
   */
  readonly contact: 'number' | 'email' | 'chat' | 'device' | 'room';
  /**
   * How a contact is verified. code: Pager sends a code there, and its person types it in Pager. link: the
   * person sends a code from there to the account of a connection.
   */
  readonly proved: 'code' | 'link' | null;
  /** What it uses without a connection to a vendor. Null: it needs one. */
  readonly builtIn: 'mail server' | 'browsers' | 'webhooks' | null;
  /** One call at a time rings a telephone. Others wait, and a call that is no longer needed is hung up. */
  readonly rings: boolean;
  /** Vendors accept only so many per second. What waits for its turn is claimed already. */
  readonly paced: boolean;
  /** Vendors bill every message. */
  readonly billed: boolean;
  /** People who were paged by it are also notified by it that the incident is over. */
  readonly allClear: boolean;
  /** Carries notices of shifts. */
  readonly shifts: boolean;
  /** Carries warnings to those who can fix something. substitute: only while the usual channels fail. */
  readonly warnings: 'usual' | 'substitute' | 'never';
  /** Short texts and calls, which are in the language of the person. Others are in English. */
  readonly localized?: true;
  /** How people answer. Null: they cannot. */
  readonly replies: Replies | null;
  readonly words: Words;
};

type Replies = {
  /** Keys are pressed during a call. Texts and commands come in addition to buttons. */
  readonly by: 'keys' | 'texts' | 'commands';
  /** A sender that can be forged acts only on what was sent to its address, and verifies no contact. */
  readonly sender: 'confirmed' | 'forgeable';
  /**
   * How people stop notices. opted_out: with a word, for the whole organization. blocked: by blocking one
   * account, while others may still reach them. Null: the vendor does not report it.
   */
  readonly refusal: 'opted_out' | 'blocked' | null;
  /**
   * When texts of any content may be sent. in window: for a day after the person has written. At other
   * times, only texts that the vendor has approved.
   */
  readonly freeText: 'always' | 'in window';
};

type Words = {
  /** The name in lists and forms. */
  readonly name: string;
  /** Precedes the address of a contact. */
  readonly to?: string;
  /** How somebody acted or was paged, at the end of a sentence. */
  readonly from: string;
  /** The same after the name of a person. Absent where it adds nothing, as they were at a computer. */
  readonly acted?: string;
  /** Precedes a command, where that is not /pager. */
  readonly command?: string;
  /** What fails when it fails without a connection. */
  readonly builtIn?: string;
};

export const channels = {
  phone: {
    reaches: 'person',
    contact: 'number',
    proved: 'code',
    builtIn: null,
    rings: true,
    paced: true,
    billed: true,
    allClear: false,
    shifts: true,
    warnings: 'never',
    localized: true,
    replies: { by: 'keys', sender: 'confirmed', refusal: null, freeText: 'always' },
    words: { name: channelNames.phone, to: 'calls to', from: 'by phone', acted: 'phone' },
  },
  sms: {
    reaches: 'person',
    contact: 'number',
    proved: 'code',
    builtIn: null,
    rings: false,
    paced: true,
    billed: true,
    allClear: true,
    shifts: true,
    warnings: 'substitute',
    localized: true,
    replies: { by: 'texts', sender: 'forgeable', refusal: 'opted_out', freeText: 'always' },
    words: { name: channelNames.sms, to: 'SMS to', from: 'by SMS', acted: 'SMS' },
  },
  email: {
    reaches: 'person',
    contact: 'email',
    proved: 'code',
    builtIn: 'mail server',
    rings: false,
    paced: false,
    billed: false,
    allClear: true,
    shifts: true,
    warnings: 'usual',
    replies: { by: 'texts', sender: 'forgeable', refusal: null, freeText: 'always' },
    words: {
      name: channelNames.email,
      to: 'e-mail to',
      from: 'by e-mail',
      builtIn: 'E-mail',
    },
  },
  whatsapp: {
    reaches: 'person',
    contact: 'number',
    proved: 'link',
    builtIn: null,
    rings: false,
    paced: true,
    billed: true,
    allClear: true,
    shifts: true,
    warnings: 'never',
    localized: true,
    replies: { by: 'texts', sender: 'confirmed', refusal: 'opted_out', freeText: 'in window' },
    words: {
      name: channelNames.whatsapp,
      to: 'WhatsApp to',
      from: 'in WhatsApp',
      acted: 'WhatsApp',
    },
  },
  telegram: {
    reaches: 'person',
    contact: 'chat',
    proved: 'link',
    builtIn: null,
    rings: false,
    paced: false,
    billed: false,
    allClear: true,
    shifts: true,
    warnings: 'substitute',
    localized: true,
    replies: { by: 'texts', sender: 'confirmed', refusal: 'blocked', freeText: 'always' },
    words: {
      name: channelNames.telegram,
      to: 'Telegram chat',
      from: 'in Telegram',
      acted: 'Telegram',
    },
  },
  'push-notification': {
    reaches: 'person',
    contact: 'device',
    proved: 'code',
    builtIn: 'browsers',
    rings: false,
    paced: false,
    billed: false,
    allClear: true,
    shifts: false,
    warnings: 'usual',
    localized: true,
    replies: null,
    words: {
      name: channelNames['push-notification'],
      to: 'notifications in',
      from: 'by push notification',
      builtIn: 'Browser push',
    },
  },
  slack: {
    reaches: 'room',
    contact: 'room',
    proved: null,
    builtIn: 'webhooks',
    rings: false,
    paced: false,
    billed: false,
    allClear: true,
    shifts: true,
    warnings: 'never',
    replies: { by: 'commands', sender: 'confirmed', refusal: null, freeText: 'always' },
    words: { name: channelNames.slack, from: 'in Slack', builtIn: 'Slack webhooks' },
  },
  msteams: {
    reaches: 'room',
    contact: 'room',
    proved: null,
    builtIn: 'webhooks',
    rings: false,
    paced: false,
    billed: false,
    allClear: true,
    shifts: true,
    warnings: 'never',
    replies: { by: 'commands', sender: 'confirmed', refusal: null, freeText: 'always' },
    words: {
      name: channelNames.msteams,
      from: 'in Microsoft Teams',
      command: '@Pager',
      builtIn: 'Microsoft Teams webhooks',
    },
  },
  discord: {
    reaches: 'room',
    contact: 'room',
    proved: null,
    builtIn: 'webhooks',
    rings: false,
    paced: false,
    billed: false,
    allClear: true,
    shifts: true,
    warnings: 'never',
    replies: { by: 'commands', sender: 'confirmed', refusal: null, freeText: 'always' },
    words: { name: channelNames.discord, from: 'in Discord', builtIn: 'Discord webhooks' },
  },
} as const satisfies Readonly<Record<string, Traits>>;

type Channels = typeof channels;
export type ChannelName = keyof Channels;

/** The names of the channels that have these traits. */
type With<Trait> = {
  [Name in ChannelName]: Channels[Name] extends Trait ? Name : never;
}[ChannelName];
export type PersonalChannel = With<{ readonly reaches: 'person' }>;
export type ChatChannel = With<{ readonly reaches: 'room' }>;
export type ReplyChannel = With<{ readonly replies: Replies }>;

const names = Object.keys(channels) as ChannelName[];

/** In the order of the table. */
function having<const Trait extends Partial<Traits>>(traits: Trait): readonly With<Trait>[] {
  return names.filter((name): name is With<Trait> =>
    Object.entries(traits).every(([key, value]) => traitsOf(name)?.[key as keyof Traits] === value),
  );
}

/** Undefined: it is no channel of people, such as an outbound webhook or the canary. */
export const traitsOf = (channel: string): Traits | undefined =>
  Object.hasOwn(channels, channel) ? channels[channel as ChannelName] : undefined;

/** How a notice is sent, at the end of a sentence, such as `by SMS`. */
export const byChannel = (channel: string): string =>
  traitsOf(channel)?.words.from ?? `by ${channel}`;

export const personalChannels = having({ reaches: 'person' });
export const chatChannels = having({ reaches: 'room' });
export const channelsWithoutConnection = names.filter(
  (name): name is Exclude<ChannelName, With<{ readonly builtIn: null }>> =>
    channels[name].builtIn !== null,
);
/** The channels that a person can choose for notices of shifts. */
export const shiftChannels = having({ reaches: 'person', shifts: true });
export const numberChannels = having({ contact: 'number' });
export const linkedChannels = having({ proved: 'link' });
export const ringingChannels = having({ rings: true });
export const pacedChannels = having({ paced: true });
export const channelsWithoutAllClear = having({ allClear: false });
export const warningChannels = having({ warnings: 'usual' });
/** The cheapest first. */
export const substituteChannels = having({ warnings: 'substitute' }).toSorted(
  (one, other) => Number(channels[one].billed) - Number(channels[other].billed),
);
/** Warnings to a person about their own contacts use these: calls and SMS cost money and wake people. */
export const freeWarningChannels = [...warningChannels, ...substituteChannels].filter(
  (name) => !channels[name].billed,
);

/** Uses the operator's mail server. */
export const mailChannel = 'email' satisfies With<{ readonly builtIn: 'mail server' }>;
/** Everybody has a contact on it: the address that they sign in with. */
export const signInChannel = 'email' satisfies With<{ readonly contact: 'email' }>;
/** Reaches all devices of a person. */
export const deviceChannel = 'push-notification' satisfies With<{ readonly contact: 'device' }>;

export const isNumberChannel = (channel: string): boolean =>
  traitsOf(channel)?.contact === 'number';

export const isLinkedChannel = (channel: string): boolean => traitsOf(channel)?.proved === 'link';

export const isDeviceChannel = (channel: string): boolean =>
  traitsOf(channel)?.contact === 'device';

export const rings = (channel: string): boolean => traitsOf(channel)?.rings === true;

export const answersBy = (way: Replies['by'], channel: string): channel is ReplyChannel =>
  traitsOf(channel)?.replies?.by === way;

export const isLocalized = (channel: string): boolean => traitsOf(channel)?.localized === true;

/** The language of a text there to somebody who has this one. */
export const languageOn = (channel: string, language: Language): Language =>
  isLocalized(channel) ? language : defaultLanguage;

/** What people write before a command. */
export const commandOf = (channel: string): string => traitsOf(channel)?.words.command ?? '/pager';

/** Whether a channel works without a connection to a vendor. */
export const isBuiltIn = (channel: string): boolean => traitsOf(channel)?.builtIn !== null;

/** Without a mail server, mails are only written to a folder, which reaches nobody. */
export const needsMailServer = (channel: string): boolean =>
  traitsOf(channel)?.builtIn === 'mail server';
