import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Creates all ids. */
export type Ids = { next(): string };

const secondsText = (second: number) => second.toString(16).padStart(8, '0');

/** No id created in that second or later is smaller. */
export const firstIdAt = (at: Temporal.Instant): string =>
  secondsText(Math.floor(at.epochMilliseconds / 1000)).padEnd(24, '0');

const COUNTER_LIMIT = 0x1000000;

/**
 * 24 lowercase hex characters, ordered by time: 4 bytes of seconds, 5 random bytes of this
 * process, 3 bytes of a counter that starts at a random value.
 */
export function createIds(clock: Clock, random: (bytes: number) => Uint8Array = randomBytes): Ids {
  const ofProcess = Buffer.from(random(5)).toString('hex');
  let counter = Buffer.from(random(3)).readUIntBE(0, 3);
  let second = 0;
  return {
    next() {
      // Seconds never go backwards within a process, so that ids keep their order if the clock does.
      second = Math.max(second, Math.floor(clock.now().epochMilliseconds / 1000));
      counter = (counter + 1) % COUNTER_LIMIT;
      // After a wrap within one second ids would sort too early, so the next second is used.
      if (counter === 0) second += 1;
      return secondsText(second) + ofProcess + counter.toString(16).padStart(6, '0');
    },
  };
}
