// What the clock asks for: incidents that are due are looked at again.
import type { Directory } from '../incidents/directory.ts';
import type { Incident, Outcome } from '../incidents/incident.ts';
import { advance } from '../incidents/life.ts';
import { postponed } from '../incidents/undecided.ts';
import type { Clock } from './clock.ts';
import { changesOf } from './desk.ts';
import type { Ledger } from './ledger.ts';
import { failureOf, type Log, silentLog } from './log.ts';
import { neededFor } from './needed.ts';

const batch = 200;

/** Wakes what is due, in one transaction; answers how many there were. */
export async function runDue(ledger: Ledger, clock: Clock, log: Log = silentLog): Promise<number> {
  return ledger.transact(async (tx) => {
    const now = clock.now();
    const due = await tx.dueIncidents(now, batch);
    if (due.length === 0) return 0;
    const directory = await tx.directory(neededFor(due), now);
    const outcomes = due.flatMap((incident) => woken(incident, { directory, now }, log));
    const changed = outcomes.map((outcome) => outcome.incident);
    await tx.save(changesOf(outcomes, { opened: [], changed }), now);
    return due.length;
  });
}

type Context = { readonly directory: Directory; readonly now: Temporal.Instant };

/** A fault in one incident stops neither the others nor, for longer than a minute, that one. */
function woken(incident: Incident, context: Context, log: Log): Outcome[] {
  try {
    const outcome = advance(incident, { type: 'woken' }, context);
    return 'refused' in outcome ? [] : [outcome];
  } catch (error) {
    log.error({ err: error, incident: incident.id }, 'an incident could not be decided');
    return [postponed(incident, failureOf(error), context.now)];
  }
}
