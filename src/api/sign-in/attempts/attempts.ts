// How often somebody may try to sign in. Whoever knows an e-mail can fail with it as often as they
// like: that makes themselves wait, and strangers everywhere together, but no browser and no
// network from which its owner signed in before.
import type { Clock } from '../../../engine/clock.ts';
import { accessLimits } from '../../../limits/access.ts';
import { memoryLimits } from '../../../limits/memory.ts';
import { createLimiter } from '../../http/limiter.ts';
import { networkOf } from '../../http/network.ts';
import { createGrowingWaits } from './growing-waits.ts';

export type Try = {
  /** They come from. */
  readonly address: string;
  readonly email: string;
  /** Whether the browser has the cookie of an earlier sign-in with this e-mail. */
  readonly isKnownBrowser: boolean;
};

export type Attempts = {
  /** Seconds to wait; 0: go on. Counts the try. */
  take(attempt: Try): number;
  succeeded(attempt: Try): void;
};

/** With one e-mail from one network or known browser. */
const OWN_WAITS = {
  free: accessLimits.signInsFree,
  firstSeconds: accessLimits.signInWaitFirst,
  maxSeconds: accessLimits.signInWait,
};

export function createAttempts(clock: Clock): Attempts {
  const window = { clock, seconds: accessLimits.signInWindow };
  const networks = createLimiter({ ...window, tries: accessLimits.signInsPerNetwork });
  const strangers = createLimiter({ ...window, tries: accessLimits.signInsOfStrangers });
  const own = createGrowingWaits({ clock, ...OWN_WAITS });
  const knownNetworks = new Set<string>();

  function sourceOf({ address, email, isKnownBrowser }: Try) {
    const account = email.toLowerCase();
    const network = networkOf(address);
    const key = `${account} ${isKnownBrowser ? '' : network}`;
    return { account, network, key, isKnown: isKnownBrowser || knownNetworks.has(key) };
  }

  return {
    take(attempt) {
      const { account, network, key, isKnown } = sourceOf(attempt);
      // The network first: who is over it uses up no tries of others.
      const wait =
        (attempt.isKnownBrowser ? 0 : networks.take(network)) ||
        own.waitOf(key) ||
        (isKnown ? 0 : strangers.take(account));
      if (wait === 0) own.count(key);
      return wait;
    },
    succeeded(attempt) {
      const { key } = sourceOf(attempt);
      own.forget(key);
      if (attempt.isKnownBrowser) return;
      knownNetworks.delete(key);
      const [oldest] = knownNetworks;
      if (knownNetworks.size >= memoryLimits.signIns && oldest !== undefined)
        knownNetworks.delete(oldest);
      knownNetworks.add(key);
    },
  };
}
