import { randomBytes, randomInt } from 'node:crypto';

export type Random = {
  bytes(count: number): Uint8Array;
  /** From 0 up to and without the limit. */
  below(limit: number): number;
};

export const systemRandom: Random = { bytes: randomBytes, below: (limit) => randomInt(limit) };
