import { initialsOf } from '../ui/person.ts';
import type { Span, Whole } from './axis.ts';
import { words } from './words.ts';

/** A stretch of time in a lane, and what it says: as much as it has room for. Its lane may cut it. */
export type Bar = Span & {
  readonly key: string;
  /** What is said of it, and done with it. */
  readonly whole: Whole;
  readonly kind: 'shift' | 'override' | 'gap' | 'by design';
  readonly userId?: string;
  readonly hue?: number | undefined;
  readonly full: string;
  readonly short: string;
  readonly initials: string;
  /** Why it is so. */
  readonly note?: string;
};

export const firstWord = (name: string) => name.split(' ')[0] ?? name;

/** Of a shift, or of one that is had for somebody else. */
export const barNames = (name: string, other?: string) => ({
  full: other === undefined ? name : words.nameForOther(name, other),
  short:
    other === undefined ? firstWord(name) : words.nameForOther(firstWord(name), firstWord(other)),
  initials: initialsOf(name),
});

/** Of an override that takes somebody off, with nobody instead. */
export const takenOffNames = (name: string) => ({
  full: words.takenOff(name),
  short: words.takenOff(firstWord(name)),
  initials: '–',
});
