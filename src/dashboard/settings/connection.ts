// An account at a vendor by which people are reached, as the API answers it.
import {
  type ChannelName,
  chatChannels,
  isDeviceChannel,
  personalChannels,
  rings,
} from '../../resources/channels.ts';
import type { connectionStates } from '../../resources/connections/connection.ts';
import type { InboundMode } from '../../resources/connections/vendor.ts';
import { vendorNamed } from '../../resources/connections/vendors.ts';
import { visibleText } from '../../resources/visible-text.ts';
import type { Channel } from '../me/queries.ts';
import { channelIcon } from '../ui/channel.ts';
import type { IconName } from '../ui/icon.tsx';
import { type DeclaredField, sentOf, settingFields, type Typed, typedOf } from './declared.ts';
import { words } from './words.ts';

export type Secret = { readonly ends?: string; readonly set_at: string };

type Counted = {
  readonly messages: number;
  readonly segments: number;
  readonly call_seconds: number;
};

type MonthlyUsage = Counted & {
  readonly month: string;
  readonly countries: readonly (Counted & { readonly country: string })[];
};

export type Connection = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly vendor: string;
  readonly channels: readonly string[];
  readonly position: number;
  readonly enabled: boolean;
  /** Why it is not used although it is enabled. */
  readonly unused_reason?: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, Secret>>;
  readonly account?: string;
  readonly updated_at: string;
  /** Of this month and the last. */
  readonly usage: readonly MonthlyUsage[];
  readonly receive: InboundMode;
  readonly callback_urls: readonly {
    readonly channel: ChannelName;
    readonly url: string;
  }[];
  readonly callback_warning?: string;
  readonly health: {
    readonly state: (typeof connectionStates)[number];
    readonly reason?: string;
    readonly checked_at?: string;
    readonly failing_since?: string;
  };
};

/** What a vendor declares, by its path, as somebody types it. */
export type TypedFields = { readonly [path: `settings.${string}` | `secrets.${string}`]: Typed };

/** What a form changes; the position is as somebody types it. */
export type Draft = TypedFields & {
  readonly name: string;
  readonly position: string;
  readonly enabled: boolean;
};

export const draftOf = ({ name, position, enabled, vendor, settings }: Connection): Draft => ({
  ...typedFields(settingFields(vendor), settings),
  name,
  enabled,
  position: String(position),
});

/** Without a position it is the API's own choice. */
export const bodyOf = (vendor: string, draft: Draft) => ({
  name: draft.name,
  enabled: draft.enabled,
  position: draft.position.trim() === '' ? null : Number(draft.position),
  settings: sentFields(settingFields(vendor), draft),
});

/** What it served and would no longer. */
export function lostBy({ vendor, enabled, channels }: Connection, draft: Draft): readonly string[] {
  if (!enabled) return [];
  const set = Object.entries(bodyOf(vendor, draft).settings).filter(([, value]) => value !== null);
  const settings = Object.fromEntries(set);
  const served = draft.enabled && vendorNamed(vendor)?.channelsOf(settings);
  const left: readonly string[] = served || [];
  return channels.filter((channel) => !left.includes(channel));
}

export const typedFields = (
  fields: readonly DeclaredField[],
  values: Readonly<Record<string, unknown>>,
): TypedFields =>
  Object.fromEntries(fields.map((field) => [field.path, typedOf(field, values[field.name])]));

/** By name; null for what is empty. */
export const sentFields = (fields: readonly DeclaredField[], typed: TypedFields) =>
  Object.fromEntries(fields.map((field) => [field.name, sentOf(field, typed[field.path])]));

/** Those that are typed: an empty one stays as it is. */
export const newSecrets = (fields: readonly DeclaredField[], typed: TypedFields) =>
  Object.fromEntries(
    Object.entries(sentFields(fields, typed)).filter(([, secret]) => secret !== null),
  );

export type Health = {
  readonly type: 'off' | 'waiting' | 'ok' | 'degraded' | 'failing';
  readonly text: string;
};

type Shown = Pick<Connection, 'enabled' | 'unused_reason' | 'health'>;

export function healthOf({ enabled, unused_reason, health }: Shown): Health {
  if (!enabled) return { type: 'off', text: words.health.off };
  if (unused_reason !== undefined) return { type: 'off', text: unused_reason };
  switch (health.state) {
    case 'unchecked':
      return { type: 'waiting', text: words.health.waiting };
    case 'ok':
      return { type: 'ok', text: words.health.ok };
    case 'degraded':
    case 'failing':
      return { type: health.state, text: sentenceOf(health.reason ?? words.health.unknown) };
  }
}

type ChannelState = {
  readonly channel: string;
  readonly usable: boolean;
  readonly reason: string | undefined;
  readonly health: Channel['health'];
};

/**
 * Of a channel: one that is not set up is off, and one that was not used yet is usable. A chat is
 * reached by the webhook that a policy names, so nothing is set up for it here.
 */
export function channelHealthOf({ channel, usable, reason = '', health }: ChannelState): Health {
  if (!usable) return { type: 'off', text: reason };
  const isChat = chatChannels.some((each) => each === channel);
  const { state = 'ok', reason: why = words.health.notTaken } = health ?? {};
  if (state === 'degraded' || state === 'failing') return { type: state, text: sentenceOf(why) };
  return { type: 'ok', text: isChat && state !== 'ok' ? words.usableByWebhook : words.usable };
}

/** Reasons of the API come without a full stop. */
export function sentenceOf(text: string): string {
  const shown = visibleText(text.trim());
  return /[.!?…]$/.test(shown) ? shown : `${shown}.`;
}

/** For so long after a write its effect at the vendor may be seen. */
const AWAITED_MS = 60_000;

/** The vendor is about to answer, and somebody may be waiting for that. */
export const isAwaited = (connections: readonly Connection[], now: number): boolean =>
  connections.some(
    (one) => healthOf(one).type === 'waiting' && now < Date.parse(one.updated_at) + AWAITED_MS,
  );

export const vendorTitle = (vendor: string): string => vendorNamed(vendor)?.title ?? vendor;

/** That of the first channel that it serves. */
export const connectionIcon = ({ vendor, channels }: Connection): IconName =>
  channelIcon(channels[0] ?? vendor);

/** As it is read; the months and, below each, its countries where there are several. */
export type UsageLine = {
  readonly key: string;
  readonly name: string;
  readonly isCountry: boolean;
  readonly messages: string;
  readonly segments: string;
  readonly minutes: string;
};

export const usageLines = ({ usage }: Pick<Connection, 'usage'>): readonly UsageLine[] =>
  usage.flatMap(({ month, countries, ...sums }) => [
    lineOf(month, sums),
    ...(countries.length < 2 ? [] : countries).map(({ country, ...own }) => ({
      ...lineOf(country, own),
      key: `${month} ${country}`,
      isCountry: true,
    })),
  ]);

const lineOf = (name: string, { messages, segments, call_seconds }: Counted): UsageLine => ({
  key: name,
  name,
  isCountry: false,
  messages: formatted(messages),
  segments: formatted(segments),
  // Vendors bill minutes that have begun.
  minutes: formatted(Math.ceil(call_seconds / 60)),
});

const formatted = (count: number) => count.toLocaleString('en-US');

/** What people recognise the account by. */
export const accountOf = ({ vendor, account }: Connection): string | undefined =>
  account && (vendorNamed(vendor)?.accountText?.(account) ?? account);

/** Chats have channels instead of contacts, and devices are tested as contacts. */
export const isTested = (channel: string): boolean =>
  !isDeviceChannel(channel) && personalChannels.some((each) => each === channel);

type OwnContact = {
  readonly id: string;
  readonly channel: string;
  readonly address: string;
  readonly verified: boolean;
};

/** Where a test message to the person themselves can go: they are called only if there is nothing else. */
export const ownContactOf = <Contact extends OwnContact>(
  { channels }: Pick<Connection, 'channels'>,
  contacts: readonly Contact[],
): Contact | undefined =>
  contacts
    .filter(({ channel, verified }) => verified && isTested(channel) && channels.includes(channel))
    .toSorted((one, other) => Number(rings(one.channel)) - Number(rings(other.channel)))[0];
