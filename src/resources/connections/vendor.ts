import type { TProperties } from 'typebox';
import type { personalChannels } from '../channels.ts';

/** A company or program by which people are reached, as a connection names it. */
export type Vendor = {
  readonly vendor: string;
  /** As people know it. */
  readonly title: string;
  readonly doc: string;
  readonly channels: readonly (typeof personalChannels)[number][];
  /** Never shown again once they are stored. */
  readonly secrets: TProperties;
  /** Which account it is: not secret, and the same with every new secret of it. */
  readonly accountIdOf: (secrets: Readonly<Record<string, string>>) => string;
};
