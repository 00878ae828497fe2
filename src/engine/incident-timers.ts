// Runs the timers of incidents that are due: the next step, a repeat, the end of a mute, the
// acknowledgement timeout, auto-resolve.
import { advanceWithPlaybooks } from '../incidents/actions/automatic-playbooks.ts';
import type { DecisionContext } from '../incidents/configuration.ts';
import { configurationIn } from '../incidents/configuration.ts';
import { type Incident, type Outcome, then } from '../incidents/incident.ts';
import { needsDeafTime, needsPages } from '../incidents/lifecycle.ts';
import type { Spell } from '../incidents/missed-events.ts';
import type { RoundPage } from '../incidents/page-results.ts';
import { notifyAdminsOfFailure, postpone } from '../incidents/undecided.ts';
import type { Clock } from './clock.ts';
import { type Batch, bisectFailures, type Faults } from './faults.ts';
import { changesOf } from './intake/batch-state.ts';
import { organizationsOf } from './intake/decide.ts';
import type { Transactor } from './ledger.ts';
import { failureOf } from './log.ts';
import type { IncidentKey, TimerTx } from './ports/incidents.ts';

const batch = 200;

/** Runs what is due, in one transaction; returns how many incidents there were. */
export function runDueIncidents(
  ledger: Transactor<TimerTx>,
  clock: Clock,
  faults: Faults,
): Promise<number> {
  return bisectFailures<IncidentKey, number>({
    limitMax: batch,
    name: ({ id }) => id,
    work: (some) => ledger.transact((tx) => runBatch(tx, { ...some, clock, faults })),
    async blame(id, error) {
      await ledger.transact((tx) => tx.postponeIncident(id, { error, now: clock.now() }));
      return 1;
    },
  });
}

type BatchContext = Batch<IncidentKey> & {
  readonly clock: Clock;
  readonly faults: Faults;
};

async function runBatch(
  tx: TimerTx,
  { limit, selected, clock, faults }: BatchContext,
): Promise<number> {
  const now = clock.now();
  const due = await tx.dueIncidents(now, limit);
  if (due.length === 0) return 0;
  selected(due.map(({ organization_id, id }) => ({ organization_id, id })));
  const configurations = await tx.configurations(organizationsOf(due), now);
  const withPages = due.filter((incident) => needsPages(incident, now));
  const rounds =
    withPages.length === 0
      ? new Map<string, readonly RoundPage[]>()
      : await tx.roundPages(withPages, now);
  const ending = due.filter((incident) => needsDeafTime(incident, now));
  const deaf =
    ending.length === 0 ? new Map<string, readonly Spell[]>() : await tx.deafSpells(ending, now);
  const outcomes = due.flatMap((incident) => {
    const configuration = configurationIn(configurations, incident.organization_id);
    const pages = rounds.get(incident.id) ?? [];
    const spells = deaf.get(incident.id) ?? [];
    return runIncidentTimers(incident, { configuration, now, pages, deaf: spells, faults });
  });
  const changed = outcomes.map((outcome) => outcome.incident);
  await tx.save(changesOf(outcomes, { opened: [], changed }), now);
  return due.length;
}

type TimerContext = DecisionContext & {
  readonly pages: readonly RoundPage[];
  readonly deaf: readonly Spell[];
  readonly faults: Faults;
};

/** A fault in one incident does not stop the others; this one is tried again in a minute. */
function runIncidentTimers(
  incident: Incident,
  { pages, deaf, faults, ...context }: TimerContext,
): Outcome[] {
  try {
    const outcome = advanceWithPlaybooks(incident, { type: 'timer', pages, deaf }, context);
    return 'refused' in outcome ? [] : [outcome];
  } catch (error) {
    faults({ of: 'incident', id: incident.id, error });
    const later = postpone(incident, failureOf(error), context.now);
    return [then(later, (one) => notifyAdminsOfFailure(one, context))];
  }
}
