// What people do to incidents: one function for the API, links and replies.
import { advanceWithPlaybooks } from '../incidents/actions/automatic-playbooks.ts';
import { type ActionRequest, performRequest } from '../incidents/actions/requested-action.ts';
import { configurationIn } from '../incidents/configuration.ts';
import type { Actor, Incident } from '../incidents/incident.ts';
import { advance, type IncidentEvent } from '../incidents/lifecycle.ts';
import type { Clock } from './clock.ts';
import { changesOf } from './intake/batch-state.ts';
import {
  type ActionTx,
  type ReplyKey,
  type Transactor,
  type UnreadableIncident,
  type Wake,
  wakeOf,
} from './ledger.ts';

export type Action =
  | Exclude<IncidentEvent, { type: 'timer' | 'suppressed' | 'reopen' | 'merge' | 'absorbed' }>
  | { readonly type: 'reopen'; readonly by: Actor }
  | { readonly type: 'merge'; readonly by: Actor; readonly intoId: string }
  | ActionRequest;

export type ActionResult =
  | { readonly result: 'done'; readonly incident: Incident }
  | { readonly result: 'refused'; readonly reason: string }
  | { readonly result: 'not_found' };

type ActContext = {
  readonly ledger: Transactor<ActionTx>;
  readonly clock: Clock;
  readonly committed: (wake: Wake) => void;
};

type MayAccess = (incident: Pick<Incident, 'team_id'>) => boolean;

/** Does the action on one incident in one transaction; `mayAccess` limits it to the caller's teams. */
export async function act(
  context: ActContext,
  target: { readonly organizationId: string; readonly id: string },
  request: {
    readonly action: Action;
    readonly mayTouch: MayAccess;
    /** Why it may not be done to the incident as it is now; null: it may. */
    readonly reasonAgainst?: (incident: Incident) => string | null;
    /** What asked for it: delivered once more, it is done, and nothing more is done. */
    readonly reply?: ReplyKey;
  },
): Promise<ActionResult> {
  const { action, mayTouch, reasonAgainst, reply } = request;
  let wake: Wake | null = null;
  const result = await context.ledger.transact(async (tx): Promise<ActionResult> => {
    const now = context.clock.now();
    const ids = action.type === 'merge' ? [target.id, action.intoId] : [target.id];
    const unreadable: UnreadableIncident[] = [];
    const locked = await tx.lockIncidents(target.organizationId, ids, (one) =>
      unreadable.push(one),
    );
    const notFound = (id: string): ActionResult => {
      const match = unreadable.find((one) => one.id === id && mayTouch(one));
      if (!match) return { result: 'not_found' };
      return { result: 'refused', reason: match.error.message };
    };
    const accessible = locked.filter(mayTouch);
    const incident = accessible.find(({ id }) => id === target.id);
    const into =
      action.type === 'merge' ? accessible.find(({ id }) => id === action.intoId) : undefined;
    if (!incident) return notFound(target.id);
    if (action.type === 'merge' && !into) return notFound(action.intoId);
    if (reply && (await tx.hasActed(reply))) return { result: 'done', incident };
    const against = reasonAgainst?.(incident) ?? null;
    if (against !== null) return { result: 'refused', reason: against };
    const configurations = await tx.configurations([target.organizationId], now);
    const deciding = { configuration: configurationIn(configurations, target.organizationId), now };
    const outcome =
      action.type === 'perform'
        ? performRequest(incident, action, deciding)
        : advanceWithPlaybooks(
            incident,
            await eventOf(action, into, () => tx.anotherIsOpen(incident)),
            deciding,
          );
    if ('refused' in outcome) return { result: 'refused', reason: outcome.refused };
    const outcomes = [outcome];
    if (into) {
      const absorb = { type: 'absorbed', by: action.by, other: incident } as const;
      const absorbed = advance(into, absorb, deciding);
      if (!('refused' in absorbed)) outcomes.push(absorbed);
    }
    const changes = changesOf(outcomes, { opened: [], changed: [outcome.incident] });
    if (reply) await tx.recordActed({ ...reply, incidentId: target.id }, now);
    await tx.save(changes, now);
    wake = wakeOf(changes, now);
    return { result: 'done', incident: outcome.incident };
  });
  if (wake !== null) context.committed(wake);
  return result;
}

async function eventOf(
  action: Exclude<Action, ActionRequest>,
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
