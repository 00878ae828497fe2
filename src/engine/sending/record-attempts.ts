// Records the results of attempts; pages go on to the next contact, and incidents whose pages are
// undeliverable are escalated.
import { configurationIn } from '../../incidents/configuration.ts';
import type { Incident, Outcome } from '../../incidents/incident.ts';
import { awaitsPages, escalateUndeliverable } from '../../incidents/nobody-reached.ts';
import type { Clock } from '../clock.ts';
import { bisectFailures, type Faults, isTimeout } from '../faults.ts';
import { changesOf } from '../intake/batch-state.ts';
import { organizationsOf } from '../intake/decide.ts';
import {
  type AttemptResult,
  noWake,
  type SendingTx,
  type Transactor,
  type Wake,
  wakeOf,
} from '../ledger.ts';
import { failOver } from './fail-over.ts';
import { setAside } from './unreadable-notices.ts';

type Recorded = {
  /** Those of pages that go on at another contact have not failed. */
  readonly attempts: readonly AttemptResult[];
  readonly wake: Wake;
};

type Storage = {
  readonly ledger: Transactor<SendingTx>;
  readonly clock: Clock;
  readonly faults: Faults;
};

/**
 * Records the first of the results, as many together as can be, and takes them off the list. The
 * notice of one that cannot be recorded alone is set aside, so that no other is sent again for it.
 */
export function recordFirst({ ledger, clock, faults }: Storage, results: AttemptResult[]) {
  return bisectFailures<AttemptResult, Recorded>({
    limitMax: results.length,
    name: ({ claimed: { organization_id, key, attempt } }) =>
      `${organization_id} ${key} ${attempt}`,
    async work({ limit, selected }) {
      const some = results.slice(0, limit);
      selected(some);
      const recorded = await ledger.transact((tx) => recordAttempts(tx, some, clock.now()));
      results.splice(0, some.length);
      return recorded;
    },
    async blame(result, error) {
      const { claimed } = result;
      // What another transaction holds for long is left to its lease, which ends sooner.
      if (isTimeout(error)) faults({ of: 'notice', id: claimed.key, error });
      else await ledger.transact((tx) => setAside(tx, claimed, { error, now: clock.now() }));
      results.shift();
      return { attempts: [result], wake: noWake };
    },
  });
}

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
