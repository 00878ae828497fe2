// What the clock asks for: incidents that are due are looked at again.
import { live } from '../incidents/actions/automatic.ts';
import type { Deciding } from '../incidents/actions/ruled.ts';
import { alarm, postponed } from '../incidents/arrival/undecided.ts';
import { configurationIn } from '../incidents/configuration.ts';
import { type Incident, type Outcome, then } from '../incidents/incident.ts';
import type { Clock } from './clock.ts';
import { organizationsOf } from './deciding/decide.ts';
import { changesOf } from './deciding/desk.ts';
import type { TimerTx, Transacting } from './ledger.ts';
import { failureOf, type Log } from './log.ts';

const batch = 200;

/** Wakes what is due, in one transaction; answers how many there were. */
export async function runDue(
  ledger: Transacting<TimerTx>,
  clock: Clock,
  log: Log,
): Promise<number> {
  return ledger.transact(async (tx) => {
    const now = clock.now();
    const due = await tx.dueIncidents(now, batch);
    if (due.length === 0) return 0;
    const configurations = await tx.configurations(organizationsOf(due), now);
    const outcomes = due.flatMap((incident) => {
      const configuration = configurationIn(configurations, incident.organization_id);
      return woken(incident, { configuration, now }, log);
    });
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
    const later = postponed(incident, failureOf(error), deciding.now);
    return [then(later, (one) => alarm(one, deciding))];
  }
}
