// What the clock asks for: incidents that are due are looked at again.
import { live } from '../incidents/actions/automatic.ts';
import type { Deciding } from '../incidents/actions/ruled.ts';
import { postponed } from '../incidents/arrival/undecided.ts';
import type { Incident, Outcome } from '../incidents/incident.ts';
import type { Clock } from './clock.ts';
import { changesOf } from './deciding/desk.ts';
import { neededFor } from './deciding/needed.ts';
import { readStanding } from './deciding/standing.ts';
import type { Ledger } from './ledger.ts';
import { failureOf, type Log, silentLog } from './log.ts';

const batch = 200;

/** Wakes what is due, in one transaction; answers how many there were. */
export async function runDue(ledger: Ledger, clock: Clock, log: Log = silentLog): Promise<number> {
  return ledger.transact(async (tx) => {
    const now = clock.now();
    const due = await tx.dueIncidents(now, batch);
    if (due.length === 0) return 0;
    const { standing, named } = await readStanding(tx, due);
    const { targets } = standing;
    const directory = await tx.directory(neededFor(due, { named, targets }), now);
    const deciding = { ...standing, directory, now };
    const outcomes = due.flatMap((incident) => woken(incident, deciding, log));
    const changed = outcomes.map((outcome) => outcome.incident);
    await tx.save(changesOf(outcomes, { opened: [], changed }), now);
    return due.length;
  });
}

/** A fault in one incident stops neither the others nor, for longer than a minute, that one. */
function woken(incident: Incident, deciding: Deciding, log: Log): Outcome[] {
  try {
    const outcome = live(incident, { type: 'woken' }, deciding);
    return 'refused' in outcome ? [] : [outcome];
  } catch (error) {
    log.error({ err: error, incident: incident.id }, 'an incident could not be decided');
    return [postponed(incident, failureOf(error), deciding.now)];
  }
}
