// Records the results of attempts; pages go on to the next contact, and incidents whose pages are
// undeliverable are escalated.
import { configurationIn } from '../../incidents/configuration.ts';
import type { Incident, Outcome } from '../../incidents/incident.ts';
import { awaitsPages, escalateUndeliverable } from '../../incidents/nobody-reached.ts';
import { changesOf } from '../intake/batch-state.ts';
import { organizationsOf } from '../intake/decide.ts';
import { type AttemptResult, noWake, type SendingTx, type Wake, wakeOf } from '../ledger.ts';
import { failOver } from './fail-over.ts';

type Recorded = {
  /** Those of pages that go on at another contact have not failed. */
  readonly attempts: readonly AttemptResult[];
  readonly wake: Wake;
};

/** Records the attempts, and in the same transaction what their final failures change. */
export async function recordAttempts(
  tx: SendingTx,
  results: readonly AttemptResult[],
  now: Temporal.Instant,
): Promise<Recorded> {
  const attempts = await failOver(tx, results, now);
  const isContactLeft = attempts.some(({ nextAddress }) => nextAddress !== undefined);
  const escalated = await escalate(tx, await tx.finish(attempts), now);
  return { attempts, wake: { ...escalated, notices: escalated.notices || isContactLeft } };
}

async function escalate(
  tx: SendingTx,
  failed: readonly Incident[],
  now: Temporal.Instant,
): Promise<Wake> {
  const awaiting = failed.filter(awaitsPages);
  if (awaiting.length === 0) return noWake;
  const configurations = await tx.configurations(organizationsOf(awaiting), now);
  const outcomes: Outcome[] = [];
  for (const incident of awaiting) {
    const configuration = configurationIn(configurations, incident.organization_id);
    const pagedSteps = await tx.pagedSteps(incident);
    const outcome = escalateUndeliverable(incident, { pagedSteps, configuration, now });
    if (outcome.incident !== incident) outcomes.push(outcome);
  }
  if (outcomes.length === 0) return noWake;
  const changed = outcomes.map(({ incident }) => incident);
  const changes = changesOf(outcomes, { opened: [], changed });
  await tx.save(changes, now);
  return wakeOf(changes, now);
}
