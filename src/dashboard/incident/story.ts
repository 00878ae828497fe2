// The timeline as people read it: each entry with the notices that it sent.
import { channelName } from '../ui/channel.ts';
import { words } from './words.ts';

export type Actor = {
  readonly type: string;
  readonly id?: string;
  readonly name: string;
  readonly via: string;
  /** Of an SMS reply, whose sender can be forged: the end of the number. */
  readonly from?: string;
};

export type Entry = {
  readonly id: string;
  readonly cursor: string;
  readonly at: string;
  readonly type: string;
  readonly text: string;
  readonly actor?: Actor;
  readonly details?: unknown;
};

export type Notice = {
  readonly key: string;
  readonly kind: string;
  readonly channel: string;
  readonly recipient?: string;
  /** How the person came to be meant. */
  readonly route?: string;
  readonly user_id?: string;
  readonly state: 'pending' | 'sent' | 'failed' | 'cancelled';
  readonly awaits_receipt: boolean;
  readonly reason?: string;
  readonly created_at: string;
  readonly finished_at?: string;
  readonly attempts: readonly Attempt[];
};

export type Attempt = {
  readonly number: number;
  readonly claimed_at: string;
  readonly finished_at: string | null;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly answer: unknown;
  /** Masked; null unless there were several. */
  readonly contact: string | null;
  readonly connection: { readonly name: string } | null;
  readonly receipt: {
    readonly state: string;
    readonly reason: string | null;
    readonly at: string;
  } | null;
};

export type Row = { readonly entry: Entry; readonly notices: readonly Notice[] };

const isOfNotice = ({ type, details }: Entry) =>
  type.startsWith('notice_') &&
  !(typeof details === 'object' && details && 'delivery_id' in details);

/**
 * What became of a notice is shown with the entry that sent it; where some are not known any more,
 * the entries of their own tell of them.
 */
export function rowsOf(
  entries: readonly Entry[],
  notices: readonly Notice[] | null,
): readonly Row[] {
  const shown = entries.filter((entry) => !isOfNotice(entry));
  const first = entries[0]?.at ?? '';
  const sent = (notices ?? []).filter(
    ({ kind, created_at }) => kind !== 'webhook' && created_at >= first,
  );
  const hosts = new Map(sent.map((notice) => [notice, hostOf(notice, shown)]));
  if (notices === null || [...hosts.values()].includes(undefined))
    return entries.map((entry) => ({ entry, notices: [] }));
  return shown.map((entry) => ({
    entry,
    notices: sent.filter((notice) => hosts.get(notice) === entry),
  }));
}

/** They were stored together. */
function hostOf(notice: Notice, entries: readonly Entry[]): Entry | undefined {
  const together = entries.filter(({ at }) => at === notice.created_at);
  const types = sendingTypes[notice.kind] ?? [notice.kind];
  return together.findLast(({ type }) => types.includes(type)) ?? together.at(-1);
}

const sendingTypes: Readonly<Record<string, readonly string[]>> = {
  page: ['step_ran'],
  all_clear: ['resolved', 'expired'],
};

/** By what a person or an API key did it. */
export function wayOf({ type, via, from }: Actor): string | null {
  if (type !== 'user' && type !== 'key') return null;
  const way = words.ways[via] ?? channelName(via);
  return from === undefined ? way : words.wayFrom(way, from);
}

export const filters = ['all', 'pages', 'people', 'alerts'] as const;
export type Filter = (typeof filters)[number];

const ofPages =
  /^(step_|notice_|nobody_paged|not_all_paged|paged_again|paging_delayed|escalated|assigned|responder_added)/;
const ofAlerts =
  /^(opened|suppressed|worse|late_end|fell_silent|ended_before_upgrade|alert_|expired|storm|absorbed|undecided)/;

/** A person or a timer is the actor of others. */
const isOfWorse = ({ type, actor }: Entry) =>
  actor === undefined && (type === 'unacknowledged' || type === 'unmuted');

export function isShown({ entry, notices }: Row, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'pages':
      return notices.length > 0 || ofPages.test(entry.type);
    case 'people':
      return entry.actor?.type === 'user' || entry.actor?.type === 'key';
    case 'alerts':
      return entry.actor?.type === 'alert' || ofAlerts.test(entry.type) || isOfWorse(entry);
  }
}

const states = ['sent', 'pending', 'failed', 'cancelled'] as const;

/** How many of them are in which state, those that went well first. */
export const tally = (notices: readonly Notice[]) =>
  states
    .map((state) => ({ state, count: notices.filter((one) => one.state === state).length }))
    .filter(({ count }) => count > 0);

/** The status that an entry tells of, if it is one. */
export function statusAfter({ type }: Entry): 'triggered' | 'acknowledged' | 'resolved' | null {
  if (['opened', 'reopened', 'unacknowledged'].includes(type)) return 'triggered';
  if (type === 'acknowledged') return 'acknowledged';
  return type === 'resolved' || type === 'merged' ? 'resolved' : null;
}

/** The incident that it was merged with, did not join, or was split from. */
export function otherOf({ type, details }: Entry): string | null {
  if (!/^(merged|absorbed|opened|opened_apart|alerts_split)$/.test(type)) return null;
  const { incident_id: id } = (details ?? {}) as { incident_id?: unknown };
  return typeof id === 'string' ? id : null;
}
