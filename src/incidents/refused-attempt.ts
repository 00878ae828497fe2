// Who tried to act on an incident and may not: whether its timeline is to name them, and in which words.
import { oneLine } from '../alerts/text.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { type PastEntries, type PastEntry, placeOf } from './actions-without-effect.ts';
import { type Actor, type Entry, entry, type Incident } from './incident.ts';

export type RefusedAttempt = {
  /** As in "tried to …". */
  readonly deed: string;
  readonly via: Actor['via'];
  readonly who: Unentitled;
};

export type Unentitled =
  /** `why`: as the end of a sentence. */
  | { readonly person: { readonly id: string; readonly name: string }; readonly why: string }
  /** `account` stands for where they are known; `name`: what is said of them there, by anybody. */
  | { readonly account: string; readonly name: string };

/** As the end of a sentence; `role` null: they are not active. */
export const whyRefused = (role: string | null): string =>
  role === null ? 'their account in Pager is not active' : `a ${role} cannot act on incidents`;

export const refusedBefore: PastEntries = {
  types: ['refused'],
  limit: incidentsLimits.refusedNoted,
};

/** Once for each person or account; null: it is noted, or as many are as may be. */
export function refusedEntry(
  incident: Incident,
  past: readonly PastEntry[],
  { deed, via, who }: RefusedAttempt,
): Entry | null {
  if (past.length >= refusedBefore.limit) return null;
  const from = placeOf(via);
  if ('person' in who) {
    const { id, name } = who.person;
    if (past.some(({ actor }) => actor?.id === id)) return null;
    const text = `${name} tried to ${deed}${from} and was refused: ${who.why}`;
    return entry(incident, 'refused', text, { actor: { type: 'user', id, name, via } });
  }
  const strangers = past.flatMap(({ account }) => account ?? []);
  if (strangers.length >= incidentsLimits.strangersNoted || strangers.includes(who.account))
    return null;
  const text = `An unknown person${from}, ${plain(who.name)}, tried to ${deed} and was refused`;
  return entry(incident, 'refused', text, { details: { account: who.account } });
}

const nameLength = 60;

/** Without what could be read as markup, a mention or an address, wherever the timeline is shown. */
function plain(name: string): string {
  const line = oneLine(
    name
      .toWellFormed()
      .replace(/[<>@#&*_~`|[\](){}\\/\p{C}\p{Default_Ignorable_Code_Point}]/gu, ' '),
  );
  const points = [...line];
  if (points.length === 0) return 'without a name';
  return points.length > nameLength ? `${points.slice(0, nameLength - 1).join('')}…` : line;
}
