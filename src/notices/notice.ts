// A message to one person or one chat channel, before a channel formats it.
import { kinds } from './kinds/index.ts';
import type { Words } from './words/wording.ts';

export type Notice = ReturnType<(typeof kinds)[number]['sample']>;

type AnyKind = {
  readonly words: (notice: never) => Words;
  readonly threadOf: (notice: never) => string;
};

const byAbout = new Map<string, AnyKind>(kinds.map((kind) => [kind.about, kind]));

function kindOf({ about }: Notice): AnyKind {
  const kind = byAbout.get(about);
  if (kind === undefined) throw new Error(`no kind of notice is about ${about}`);
  return kind;
}

/** The text of a notice, before a channel formats it. */
export const wordsOf = (notice: Notice): Words => kindOf(notice).words(notice as never);

/** What the notices about one subject share. */
export const threadOf = (notice: Notice): string => kindOf(notice).threadOf(notice as never);
