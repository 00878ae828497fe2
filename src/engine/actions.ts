// What people do to incidents, wherever they do it: one function for API, links and replies.
import { advanceWithPlaybooks } from '../incidents/actions/automatic-playbooks.ts';
import { type ActionRequest, performRequest } from '../incidents/actions/requested-action.ts';
import { configurationIn } from '../incidents/configuration.ts';
import type { Actor, Incident } from '../incidents/incident.ts';
import { advance, type IncidentEvent } from '../incidents/lifecycle.ts';
import type { Clock } from './clock.ts';
import { changesOf } from './intake/batch-state.ts';
import {
  type ActionTx,
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

/** Does the action on one incident in one transaction; `mayTouch` guards the caller's teams. */
export async function act(
  acting: ActContext,
  on: { readonly organizationId: string; readonly id: string },
  how: { readonly action: Action; readonly mayTouch: MayAccess },
): Promise<ActionResult> {
  const { action, mayTouch } = how;
  let wake: Wake | null = null;
  const acted = await acting.ledger.transact(async (tx): Promise<ActionResult> => {
    const now = acting.clock.now();
    const ids = action.type === 'merge' ? [on.id, action.intoId] : [on.id];
    const unreadable: UnreadableIncident[] = [];
    const locked = await tx.lockIncidents(on.organizationId, ids, (one) => unreadable.push(one));
    const absent = (id: string): ActionResult => {
      const broken = unreadable.find((one) => one.id === id && mayTouch(one));
      if (!broken) return { result: 'not_found' };
      return { result: 'refused', reason: broken.error.message };
    };
    const touchable = locked.filter(mayTouch);
    const incident = touchable.find(({ id }) => id === on.id);
    const into =
      action.type === 'merge' ? touchable.find(({ id }) => id === action.intoId) : undefined;
    if (!incident) return absent(on.id);
    if (action.type === 'merge' && !into) return absent(action.intoId);
    const configurations = await tx.configurations([on.organizationId], now);
    const deciding = { configuration: configurationIn(configurations, on.organizationId), now };
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
      const other = { type: 'absorbed', by: action.by, other: incident } as const;
      const absorbed = advance(into, other, deciding);
      if (!('refused' in absorbed)) outcomes.push(absorbed);
    }
    const changes = changesOf(outcomes, { opened: [], changed: [outcome.incident] });
    await tx.save(changes, now);
    wake = wakeOf(changes, now);
    return { result: 'done', incident: outcome.incident };
  });
  if (wake !== null) acting.committed(wake);
  return acted;
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
