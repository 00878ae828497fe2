// What somebody did that changed nothing: why, and whether the timeline is to say so.
import { incidentsLimits } from '../limits/incidents.ts';
import { traitsOf } from '../resources/channels.ts';
import { type Actor, type Entry, entry, type Incident } from './incident.ts';

/** An entry of a timeline, as far as it tells what was tried before. */
export type PastEntry = {
  readonly type: string;
  readonly actor: PastActor | null;
  /** Of somebody unknown: what stands for their account. */
  readonly account: string | null;
};

type PastActor = {
  readonly type: string;
  readonly id: string | null;
  readonly name: string;
  readonly via: string;
};

/** Which entries of a timeline are read, the last first. */
export type PastEntries = { readonly types: readonly string[]; readonly limit: number };

const stateTypes: readonly string[] = [
  ...['opened', 'acknowledged', 'unacknowledged', 'escalated', 'resolved', 'reopened', 'merged'],
];

/** With the entry that made the incident what it is. */
export const sinceState: PastEntries = {
  types: [...stateTypes, 'unchanged'],
  limit: incidentsLimits.unchangedNoted + 1,
};

/** What the incident is already, so that doing this changes nothing; null: it changes something. */
export function soAlready({ status }: Pick<Incident, 'status'>, action: string): string | null {
  if (!['acknowledge', 'unacknowledge', 'escalate', 'resolve'].includes(action)) return null;
  if (status === 'resolved') return 'already resolved';
  if (action === 'acknowledge' && status === 'acknowledged') return 'already acknowledged';
  return action === 'unacknowledge' && status === 'triggered' ? 'not acknowledged' : null;
}

type Tried = {
  readonly by: Actor;
  /** As in "tried to …". */
  readonly deed: string;
  /** What it is already, or another reason why nothing was changed. */
  readonly because: { readonly state: string } | { readonly reason: string };
};

export type Unchanged = {
  /** As the end of a sentence to whoever did it. */
  readonly reason: string;
  /** They have done just that before, and nobody anything since. */
  readonly isRepeat: boolean;
  /** Null: the timeline says so already, or need not. */
  readonly entry: Entry | null;
};

/** Once for each person and way, until the incident is in another state. */
export function unchanged(
  incident: Incident,
  past: readonly PastEntry[],
  { by, deed, because }: Tried,
): Unchanged {
  const last = past.find(({ type }) => stateTypes.includes(type));
  const isRepeat =
    last !== undefined &&
    last.actor !== null &&
    isSame(last.actor, by) &&
    last.type === results[deed];
  const maker = makerOf(incident, last);
  const from = maker === null ? '' : `, by ${maker.name}`;
  const isState = 'state' in because;
  const why = isState ? `it was ${because.state}${from}` : because.reason;
  const text = `${by.name} tried to ${deed}${placeOf(by.via)}, which changed nothing: ${why}`;
  const one = entry(incident, 'unchanged', text, { actor: by });
  return {
    reason: isState ? `INC-${incident.number} is ${because.state}${from}` : because.reason,
    isRepeat,
    entry: isRepeat || isNoted(past, by) ? null : one,
  };
}

/** Whether as much is on the timeline as is to be said of it. */
export function isNoted(past: readonly PastEntry[], by: Actor): boolean {
  const start = past.findIndex(({ type }) => stateTypes.includes(type));
  const since = start < 0 ? past : past.slice(0, start);
  if (since.length >= incidentsLimits.unchangedNoted) return true;
  return since.some(({ actor }) => actor !== null && actor.via === by.via && isSame(actor, by));
}

/** The entries of what they do. */
const results: Readonly<Record<string, string>> = {
  acknowledge: 'acknowledged',
  unacknowledge: 'unacknowledged',
  resolve: 'resolved',
};

/** Who made it acknowledged or resolved. */
function makerOf({ status }: Incident, last: PastEntry | undefined): PastActor | null {
  const types = status === 'resolved' ? ['resolved', 'merged'] : [status];
  return last !== undefined && types.includes(last.type) ? last.actor : null;
}

/** Whoever uses a link of a chat is nobody in particular: they have a name alone. */
const isSame = (actor: PastActor, { type, id, name }: Actor): boolean =>
  actor.type === type && actor.id === (id ?? null) && (id !== undefined || actor.name === name);

/** From where it was tried; empty: it says nothing. */
export const placeOf = (via: Actor['via']): string => {
  const place = links[via] ?? traitsOf(via)?.words.from;
  return place === undefined ? '' : ` ${place}`;
};

/** What stands in messages acts for whoever has them. */
const links: Readonly<Partial<Record<Actor['via'], string>>> = {
  chat: 'through a link in a chat',
  push: 'through a notification',
};
