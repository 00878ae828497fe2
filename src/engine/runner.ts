// What the clock asks for: incidents that are due are looked at again.
import { advance } from '../incidents/life.ts';
import type { Clock } from './clock.ts';
import { changesOf, neededFor } from './decide.ts';
import type { Ledger } from './ledger.ts';

const batch = 200;

/** Wakes what is due, in one transaction; answers how many there were. */
export async function runDue(ledger: Ledger, clock: Clock): Promise<number> {
  return ledger.transact(async (tx) => {
    const now = clock.now();
    const due = await tx.dueIncidents(now, batch);
    if (due.length === 0) return 0;
    const directory = await tx.directory(neededFor(due));
    const outcomes = due.flatMap((incident) => {
      const outcome = advance(incident, { type: 'woken' }, { directory, now });
      return 'refused' in outcome ? [] : [outcome];
    });
    const changed = outcomes.map((outcome) => outcome.incident);
    await tx.save(changesOf(outcomes, { opened: [], changed }), now);
    return due.length;
  });
}
