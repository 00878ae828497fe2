// Who tried to act on an incident and may not.
import { type RefusedAttempt, refusedBefore, refusedEntry } from '../incidents/refused-attempt.ts';
import type { Clock } from './clock.ts';
import type { Transactor } from './ledger.ts';
import type { ActionTx } from './ports/actions.ts';
import { noChanges } from './ports/changes.ts';

type NoteContext = { readonly ledger: Transactor<ActionTx>; readonly clock: Clock };

type Target = {
  readonly organizationId: string;
  readonly id: string;
  /** One that is over is left as it is. */
  readonly mustBeOpen?: boolean;
};

/** On the timeline of the incident, if there is one that can be read. */
export const noteRefused = (
  { ledger, clock }: NoteContext,
  { organizationId, id, mustBeOpen = false }: Target,
  attempt: RefusedAttempt,
): Promise<void> =>
  ledger.transact(async (tx) => {
    const [incident] = await tx.lockIncidents(organizationId, [id]);
    if (incident === undefined || (mustBeOpen && incident.status === 'resolved')) return;
    const past = await tx.pastEntries(incident, refusedBefore);
    const one = refusedEntry(incident, past, attempt);
    if (one === null) return;
    const entries = [{ ...one, organization_id: organizationId }];
    await tx.save({ ...noChanges, entries }, clock.now());
  });
