import type { Clock } from '../../engine/clock.ts';
import { createLimiter } from './limiter.ts';

/** How often somebody may try to sign in, by the address they come from and by the e-mail. */
export type Attempts = {
  /** Seconds to wait; 0: go on. Counts the try. */
  take(said: { readonly address: string; readonly email: string }): number;
};

const WINDOW_SECONDS = 300;
const TRIES_PER_ADDRESS = 50;
const TRIES_PER_EMAIL = 10;

export function createAttempts(clock: Clock): Attempts {
  const window = { clock, seconds: WINDOW_SECONDS };
  const addresses = createLimiter({ ...window, tries: TRIES_PER_ADDRESS });
  const emails = createLimiter({ ...window, tries: TRIES_PER_EMAIL });
  return {
    // The address first: who is over it cannot use up the tries of others' e-mails.
    take: ({ address, email }) =>
      addresses.take(networkOf(address)) || emails.take(email.toLowerCase()),
  };
}

/** Of IPv6 the first 64 bits: the rest of them is one customer's. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0');
  const all = address.includes('::') ? [...groups, ...zeros, ...last] : groups;
  return `${all.slice(0, 4).join(':')}::/64`;
}
