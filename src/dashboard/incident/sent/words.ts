import type { Fate } from './outcome.ts';

const awaited = 'sent, awaiting receipt';
const unconfirmed = 'sent, unconfirmed';

const fates: Readonly<Record<Fate, string>> = {
  sent: 'sent',
  pending: 'pending',
  failed: 'failed',
  cancelled: 'not sent',
  awaited,
  unconfirmed,
};

const outcomes: Readonly<Record<string, string>> = {
  running: 'sending',
  delivered: 'delivered',
  awaited,
  reported: 'sent',
  silent: 'sent, no receipt',
  unconfirmed,
  retry: 'failed, retried',
  failed: 'failed',
};

const receipts: Readonly<Record<string, string>> = {
  sent: 'sent',
  answered: 'picked up',
  undelivered: 'not delivered',
  unanswered: 'no answer',
  read_out: 'read out, no key pressed',
  delivered: 'delivered',
  acted: 'key pressed',
};

export const words = {
  fate: (fate: Fate) => fates[fate],
  attempt: (count: number) => `Attempt ${count}`,
  /** By which connection. */
  through: 'through',
  to: 'to',
  outcome: (outcome: string) => outcomes[outcome] ?? outcome,
  receipt: (state: string) => `Receipt: ${receipts[state] ?? state}`,
} as const;
