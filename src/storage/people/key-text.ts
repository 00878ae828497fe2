// The text of an API key: told apart from other secrets by its beginning, so that scanners of
// leaked secrets can find it.
const BEGINNING = 'pgr_';
const RANDOM_BYTES = 20;
const PREFIX_LENGTH = 10;

export type Random = (bytes: number) => Uint8Array;

export const newKeyText = (random: Random): string =>
  BEGINNING + Buffer.from(random(RANDOM_BYTES)).toString('hex');

/** What a key that an operator chooses must look like. */
export const KEY_PATTERN = '^pgr_[A-Za-z0-9]{32,100}$';

/** What may be shown of it. */
export const keyPrefix = (text: string): string => text.slice(0, PREFIX_LENGTH);
