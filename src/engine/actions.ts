// What people do to incidents: one function for the API, links and replies.
import { advanceWithPlaybooks } from '../incidents/actions/automatic-playbooks.ts';
import { type ActionRequest, performRequest } from '../incidents/actions/requested-action.ts';
import { deeds } from '../incidents/actions/timeline-entries.ts';
import { isNoted, sinceState, soAlready, unchanged } from '../incidents/actions-without-effect.ts';
import { configurationIn } from '../incidents/configuration.ts';
import type { Actor, Entry, Incident, Outcome } from '../incidents/incident.ts';
import { advance, type IncidentEvent } from '../incidents/lifecycle.ts';
import type { Clock } from './clock.ts';
import { changesOf } from './intake/batch-state.ts';
import type { Transactor } from './ledger.ts';
import type { ActionTx, ReplyKey } from './ports/actions.ts';
import { noChanges } from './ports/changes.ts';
import type { UnreadableIncident } from './ports/incidents.ts';
import { type Wake, wakeOf } from './wake.ts';

export type Action =
  | Exclude<IncidentEvent, { type: 'timer' | 'suppressed' | 'reopen' | 'merge' | 'absorbed' }>
  | { readonly type: 'reopen'; readonly by: Actor }
  | { readonly type: 'merge'; readonly by: Actor; readonly intoId: string }
  | ActionRequest;

export type ActionResult =
  | { readonly result: 'done'; readonly incident: Incident }
  | {
      readonly result: 'unchanged';
      readonly incident: Incident;
      /** As the end of a sentence. */
      readonly reason: string;
    }
  | { readonly result: 'refused'; readonly reason: string }
  | { readonly result: 'not_found' };

type ActContext = {
  readonly ledger: Transactor<ActionTx>;
  readonly clock: Clock;
  readonly committed: (wake: Wake) => void;
};

type MayAccess = (incident: Pick<Incident, 'team_id'>) => boolean;

type ActRequest = {
  readonly action: Action;
  readonly mayTouch: MayAccess;
  /** It was requested where the incident may be shown as it was: what is so already is not refused. */
  readonly mayBeLate?: boolean;
  /** Why it is not to be done to the incident as it is now; null: it is. */
  readonly reasonAgainst?: (incident: Incident) => string | null;
  /** What asked for it: delivered once more, it has the same result, and nothing more is done. */
  readonly reply?: ReplyKey;
};

/** Does the action on one incident in one transaction; `mayAccess` limits it to the caller's teams. */
export async function act(
  context: ActContext,
  target: { readonly organizationId: string; readonly id: string },
  request: ActRequest,
): Promise<ActionResult> {
  const { action, mayTouch, reply } = request;
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
    const before = reply ? await tx.actedBefore(reply) : null;
    if (before !== null) return resultOf(incident, before.unchanged);
    const because = lateness(incident, request);
    if (because !== null) {
      const past = await tx.pastEntries(incident, sinceState);
      const deed = action.type === 'perform' ? deeds[action.action.type] : action.type;
      const late = unchanged(incident, past, { by: action.by, deed, because });
      // Without a name for what was delivered, the second may be the first once more.
      const reason = late.isRepeat && !reply ? null : late.reason;
      return changeNothing(tx, { incident, reply, now }, { ...late, reason });
    }
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
    const only = onlyUnchanged(outcome);
    if (only !== null) {
      const isKnown = isNoted(await tx.pastEntries(incident, sinceState), action.by);
      const noted = { entry: isKnown ? null : only, reason: only.text };
      return changeNothing(tx, { incident, reply, now }, noted);
    }
    const outcomes = [outcome];
    if (into) {
      // Its alerts move, with what their tools sent.
      const other = await tx.withContents(incident);
      const absorb = { type: 'absorbed', by: action.by, other } as const;
      const absorbed = advance(into, absorb, deciding);
      if (!('refused' in absorbed)) outcomes.push(absorbed);
    }
    const changed = outcomes.map((one) => one.incident);
    const changes = changesOf(outcomes, { opened: [], changed });
    if (reply) await tx.recordActed({ ...reply, incidentId: target.id, unchanged: null }, now);
    await tx.save(changes, now);
    wake = wakeOf(changes, now);
    return { result: 'done', incident: outcome.incident };
  });
  if (wake !== null) context.committed(wake);
  return result;
}

type Requested = {
  readonly incident: Incident;
  readonly reply: ReplyKey | undefined;
  readonly now: Temporal.Instant;
};

/** With the entry, if there is one, and known by its reply. Without a reason it was done before. */
async function changeNothing(
  tx: ActionTx,
  { incident, reply, now }: Requested,
  { entry, reason }: { readonly entry: Entry | null; readonly reason: string | null },
): Promise<ActionResult> {
  const { id, organization_id } = incident;
  if (entry !== null)
    await tx.save({ ...noChanges, entries: [{ ...entry, organization_id }] }, now);
  if (reply) await tx.recordActed({ ...reply, incidentId: id, unchanged: reason }, now);
  return resultOf(incident, reason);
}

const resultOf = (incident: Incident, reason: string | null): ActionResult =>
  reason === null ? { result: 'done', incident } : { result: 'unchanged', incident, reason };

/** Why it changes nothing any more; null: it does, or is refused. */
function lateness(
  incident: Incident,
  { action, mayBeLate = false, reasonAgainst }: ActRequest,
): { readonly state: string } | { readonly reason: string } | null {
  const state = mayBeLate ? soAlready(incident, action.type) : null;
  if (state !== null) return { state };
  const reason = reasonAgainst?.(incident) ?? null;
  return reason === null ? null : { reason };
}

/** The entry that says that nothing was changed, if that is all. */
function onlyUnchanged({ entries, intents }: Outcome): Entry | null {
  const [first, ...others] = entries;
  const isAll = first?.type === 'unchanged' && others.length === 0 && intents.length === 0;
  return isAll ? first : null;
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
