// What people do to incidents, wherever they do it: one function for API, links and replies.
import { live } from '../incidents/actions/automatic.ts';
import { namedBy } from '../incidents/actions/named.ts';
import { type Request, requested } from '../incidents/actions/requested.ts';
import { bookFor } from '../incidents/actions/ruled.ts';
import type { Actor, Incident } from '../incidents/incident.ts';
import { advance, type IncidentEvent } from '../incidents/life.ts';
import type { Clock } from './clock.ts';
import { changesOf } from './deciding/desk.ts';
import { neededFor, type Pointed } from './deciding/needed.ts';
import { namedIn, readStanding } from './deciding/standing.ts';
import { type Ledger, type Needed, type Wake, wakeOf } from './ledger.ts';

export type Action =
  | Exclude<IncidentEvent, { type: 'woken' | 'suppressed' | 'reopen' | 'merge' | 'absorbed' }>
  | { readonly type: 'reopen'; readonly by: Actor }
  | { readonly type: 'merge'; readonly by: Actor; readonly intoId: string }
  | Request;

export type Acted =
  | { readonly result: 'done'; readonly incident: Incident }
  | { readonly result: 'refused'; readonly reason: string }
  | { readonly result: 'not_found' };

type Acting = {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly committed: (wake: Wake) => void;
};

/** Does the action on one incident in one transaction; `mayTouch` guards the caller's teams. */
export async function act(
  acting: Acting,
  on: { readonly organizationId: string; readonly id: string },
  how: { readonly action: Action; readonly mayTouch: (incident: Incident) => boolean },
): Promise<Acted> {
  const { action, mayTouch } = how;
  let wake: Wake | null = null;
  const acted = await acting.ledger.transact(async (tx): Promise<Acted> => {
    const now = acting.clock.now();
    const ids = action.type === 'merge' ? [on.id, action.intoId] : [on.id];
    const locked = await tx.lockIncidents(on.organizationId, ids);
    const incident = locked.find((one) => one.id === on.id && mayTouch(one));
    if (!incident) return { result: 'not_found' };
    const into =
      action.type === 'merge'
        ? locked.find((one) => one.id === action.intoId && mayTouch(one))
        : undefined;
    if (action.type === 'merge' && !into) return { result: 'not_found' };
    const { standing, named } = await readStanding(tx, [incident], (books) =>
      action.type === 'perform'
        ? [namedIn(incident, namedBy([action.action], bookFor(incident, { books }).playbooks))]
        : [],
    );
    const { targets } = standing;
    const directory = await tx.directory(neededBy(action, incident, { named, targets }), now);
    const deciding = { ...standing, directory, now };
    const outcome =
      action.type === 'perform'
        ? requested(incident, action, deciding)
        : live(incident, await eventOf(action, into, () => tx.anotherIsOpen(incident)), deciding);
    if ('refused' in outcome) return { result: 'refused', reason: outcome.refused };
    const outcomes = [outcome];
    if (into) {
      const other = { type: 'absorbed', by: action.by, other: incident } as const;
      const absorbed = advance(into, other, deciding);
      if (!('refused' in absorbed)) outcomes.push(absorbed);
    }
    const changes = changesOf(outcomes, { opened: [], changed: [outcome.incident] });
    await tx.save(changes, now);
    wake = wakeOf(changes);
    return { result: 'done', incident: outcome.incident };
  });
  if (wake !== null) acting.committed(wake);
  return acted;
}

async function eventOf(
  action: Exclude<Action, Request>,
  into: Incident | undefined,
  anotherIsOpen: () => Promise<boolean>,
): Promise<IncidentEvent> {
  if (action.type === 'merge') {
    if (!into) throw new Error('a merge without its other incident');
    return { type: 'merge', by: action.by, into };
  }
  if (action.type === 'reopen')
    return { type: 'reopen', by: action.by, anotherIsOpen: await anotherIsOpen() };
  return action;
}

function neededBy(action: Action, incident: Incident, pointed: Pointed): Needed[] {
  const needed = neededFor([incident], pointed);
  const more =
    action.type === 'reassign' || action.type === 'add_responder' ? [action.user.id] : [];
  return needed.map((one) => ({ ...one, userIds: new Set([...one.userIds, ...more]) }));
}
