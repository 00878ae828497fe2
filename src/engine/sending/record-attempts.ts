// Records the results of attempts; pages go on to the next contact, and incidents escalate or go back by
// what became of their pages.
import type { Clock } from '../clock.ts';
import { bisectFailures, type Faults, isTimeout } from '../faults.ts';
import type { Transactor } from '../ledger.ts';
import type { AttemptResult, SendingTx } from '../ports/sending.ts';
import { noWake, type Wake } from '../wake.ts';
import { failOver } from './fail-over.ts';
import { type EndedPage, followAttempts } from './follow-attempts.ts';
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

/** Records the attempts, and in the same transaction what they change of their incidents. */
export async function recordAttempts(
  tx: SendingTx,
  results: readonly AttemptResult[],
  now: Temporal.Instant,
): Promise<Recorded> {
  const attempts = await failOver(tx, results, now);
  const isContactLeft = attempts.some(({ nextAddress }) => nextAddress !== undefined);
  const incidents = await tx.finish(attempts);
  const wake = await followAttempts(tx, { incidents, attempts: attempts.flatMap(endedPage), now });
  return { attempts, wake: { ...wake, notices: wake.notices || isContactLeft } };
}

/** Nothing was requested under a claim that was withheld. */
function endedPage(attempt: AttemptResult): readonly EndedPage[] {
  const { claimed, state, reportedBy, withheldUnder, finishedAt, beganAt = finishedAt } = attempt;
  if (claimed.about !== 'incident' || claimed.kind !== 'page' || withheldUnder) return [];
  const { key, step, incident } = claimed;
  const isTaken = state === 'sent' || reportedBy !== undefined;
  return [{ key, step, beganAt, isTaken, incidentId: incident.id }];
}
