import type { Fate } from './outcome.ts';

const awaited = 'handed over, receipt awaited';
const unconfirmed = 'sent, not confirmed';

const fates: Readonly<Record<Fate, string>> = {
  sent: 'sent',
  pending: 'on the way',
  failed: 'failed',
  cancelled: 'not sent',
  awaited,
  unconfirmed,
};

const outcomes: Readonly<Record<string, string>> = {
  running: 'under way',
  delivered: 'delivered',
  awaited,
  reported: 'handed over',
  silent: 'handed over, no receipt came',
  unconfirmed,
  retry: 'failed, tried again',
  failed: 'failed',
};

const receipts: Readonly<Record<string, string>> = {
  sent: 'on its way',
  answered: 'picked up',
  undelivered: 'it did not arrive',
  unanswered: 'nobody answered',
  read_out: 'read out without keys',
  delivered: 'it arrived',
  acted: 'answered with a key',
};

const channels: Readonly<Record<string, string>> = {
  email: 'e-mail',
  'push-notification': 'push',
  'phone-call': 'phone',
  sms: 'SMS',
};

export const words = {
  by: (channel: string) => `by ${channels[channel] ?? channel}`,
  fate: (fate: Fate) => fates[fate],
  attempt: (count: number) => `Attempt ${count}`,
  /** By which connection. */
  through: 'by',
  to: 'to',
  outcome: (outcome: string) => outcomes[outcome] ?? outcome,
  receipt: (state: string) => `Receipt: ${receipts[state] ?? state}`,
} as const;
