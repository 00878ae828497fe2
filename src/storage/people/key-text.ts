// The text of an API key: told apart from other secrets by its beginning, so that scanners of
// leaked secrets can find it.
import { accessLimits } from '../../limits/access.ts';

const BEGINNING = 'pgr_';
const RANDOM_BYTES = 20;
const PREFIX_LENGTH = 10;

export type Random = (bytes: number) => Uint8Array;

export const newKeyText = (random: Random): string =>
  BEGINNING + Buffer.from(random(RANDOM_BYTES)).toString('hex');

/** What such a key must look like; how random it is, is the operator's matter. */
export const KEY_PATTERN = `^[!-~]{${accessLimits.keyMin},${accessLimits.keyMax}}$`;

/** What may be shown of it: never more than a quarter. */
export const keyPrefix = (text: string): string =>
  text.slice(0, Math.min(PREFIX_LENGTH, Math.floor(text.length / 4)));
