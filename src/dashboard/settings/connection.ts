// An account at a vendor by which people are reached, as the API answers it.
import type { connectionStates } from '../../resources/connections/connection.ts';
import { visibleText } from '../ui/visible-text.ts';
import { words } from './words.ts';

export type Secret = { readonly ends: string; readonly set_at: string };

export type Connection = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly vendor: string;
  readonly channels: readonly string[];
  readonly position: number;
  readonly enabled: boolean;
  readonly secrets: Readonly<Record<string, Secret>>;
  readonly account?: string;
  readonly health: {
    readonly state: (typeof connectionStates)[number];
    readonly reason?: string;
    readonly checked_at?: string;
  };
};

/** What a form changes; the position is as somebody types it. */
export type Draft = { readonly name: string; readonly position: string; readonly enabled: boolean };

export const draftOf = ({ name, position, enabled }: Connection): Draft => ({
  ...{ name, enabled },
  position: String(position),
});

/** Without a position it is the API's own choice. */
export const bodyOf = ({ name, position, enabled }: Draft) => ({
  ...{ name, enabled },
  position: position.trim() === '' ? null : Number(position),
});

export type Health = { readonly type: 'off' | 'waiting' | 'ok' | 'failing'; readonly text: string };

export function healthOf({ enabled, health }: Pick<Connection, 'enabled' | 'health'>): Health {
  if (!enabled) return { type: 'off', text: words.health.off };
  switch (health.state) {
    case 'unchecked':
      return { type: 'waiting', text: words.health.waiting };
    case 'ok':
      return { type: 'ok', text: words.health.ok };
    case 'failing':
      return { type: 'failing', text: sentenceOf(health.reason ?? words.health.unknown) };
  }
}

/** Reasons of the API come without a full stop. */
export function sentenceOf(text: string): string {
  const shown = visibleText(text.trim());
  return /[.!?…]$/.test(shown) ? shown : `${shown}.`;
}

/** The vendor is about to answer, and somebody may be waiting for that. */
export const isAwaited = (connections: readonly Connection[]): boolean =>
  connections.some((one) => healthOf(one).type === 'waiting');

/** What people recognise the account by. */
export const accountOf = ({ vendor, account }: Connection): string | undefined =>
  account !== undefined && vendor === 'telegram' ? `@${account}` : account;

type OwnContact = {
  readonly id: string;
  readonly channel: string;
  readonly address: string;
  readonly verified: boolean;
};

/** Where a test message to the person themselves can go. */
export const ownContactOf = <Contact extends OwnContact>(
  { channels }: Pick<Connection, 'channels'>,
  contacts: readonly Contact[],
): Contact | undefined =>
  contacts.find(({ channel, verified }) => verified && channels.includes(channel));
