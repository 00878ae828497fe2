// Look-ups by a secret that anybody can make up. Those of strangers are limited before the database
// is asked, so that a storm of guesses takes neither its connections nor its time.
import { Gate } from '../../admission/gate.ts';
import type { Clock } from '../../engine/clock.ts';
import { accessLimits } from '../../limits/access.ts';
import { memoryLimits } from '../../limits/memory.ts';

/** Answers what the secret stands for; null: nothing. */
export type SecretLookup<T> = (secret: string, address: string) => Promise<T | null | 'too_many'>;

type Limits<T> = {
  readonly clock: Clock;
  /** Whether what it stands for is of use; if not, the secret counts as a wrong one. */
  readonly isRight?: (value: T) => boolean;
  /** Of look-ups whose wrong secrets count together. */
  readonly misses?: Misses;
  /** Wrong secrets of one address. */
  readonly perSecond?: number;
  /** Secrets not known from before, of all addresses together. */
  readonly atOnce?: number;
  readonly waitingMax?: number;
};

/** A secret that was right before is looked up without limits, until it is wrong. */
export function limitGuesses<T>(
  find: (secret: string) => Promise<T | null>,
  {
    clock,
    isRight = () => true,
    misses = createMisses(clock),
    perSecond = accessLimits.guesses,
    atOnce = accessLimits.lookups,
    waitingMax = accessLimits.lookupsWaiting,
  }: Limits<T>,
): SecretLookup<T> {
  const known = new Set<string>();
  const gate = new Gate(atOnce);
  const isOver = (address: string) => misses.of(address) >= perSecond;

  async function tryOne(secret: string, address: string) {
    if (isOver(address)) return 'too_many';
    const value = await find(secret);
    if (value === null || !isRight(value)) {
      misses.count(address);
      return value;
    }
    if (known.size >= memoryLimits.knownSecrets) known.clear();
    known.add(secret);
    return value;
  }

  return async (secret, address) => {
    const value = known.has(secret) ? await find(secret) : null;
    if (value !== null && isRight(value)) return value;
    known.delete(secret);
    if (isOver(address) || gate.waiting >= waitingMax) return 'too_many';
    return gate.pass(() => tryOne(secret, address));
  };
}

type Misses = ReturnType<typeof createMisses>;

/** How often each address was wrong in this second. */
export function createMisses(clock: Clock) {
  let second = 0;
  const counts = new Map<string, number>();
  function turnOver(): void {
    const now = Math.floor(clock.now().epochMilliseconds / 1_000);
    if (now !== second || counts.size > memoryLimits.guessers) counts.clear();
    second = now;
  }
  return {
    of(address: string): number {
      turnOver();
      return counts.get(address) ?? 0;
    },
    count(address: string): void {
      turnOver();
      counts.set(address, (counts.get(address) ?? 0) + 1);
    },
  };
}
