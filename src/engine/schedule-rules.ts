// Puts the rules of this release for schedules in force, once no server of the release before is
// connected. docs/decisions/0094-who-is-inactive.md.
import type { Clock } from './clock.ts';
import type { Transactor } from './ledger.ts';
import type { Log } from './log.ts';
import { afterOlderServers, type ServersTx } from './older-servers.ts';
import { noWake, type Wake } from './wake.ts';

export type ScheduleRulesTx = ServersTx & {
  /**
   * How many schedules name people who are inactive, and so changed; null: the rules were in force
   * already. Not done while a server of the release before is connected.
   */
  applyScheduleRules(now: Temporal.Instant): Promise<number | 'too early' | null>;
};

export type ScheduleRulesOptions = {
  readonly ledger: Transactor<ScheduleRulesTx>;
  readonly clock: Clock;
  readonly log: Log;
};

/** For a loop: nothing is due once the rules are in force. */
export function createScheduleRules(
  { ledger, clock, log }: ScheduleRulesOptions,
  committed: (wake: Wake) => void,
): {
  readonly next: () => Promise<Temporal.Instant | null>;
  readonly work: () => Promise<number>;
} {
  let areInForce = false;
  const { next, work } = afterOlderServers({ ledger, clock }, async () => {
    const applied = await ledger.transact((tx) => tx.applyScheduleRules(clock.now()));
    if (applied === 'too early') return false;
    areInForce = true;
    if (applied === null) return false;
    log.info({ schedules: applied }, 'schedules follow the rules of this release');
    committed({ ...noWake, shifts: true });
    return false;
  });
  return { next: async () => (areInForce ? null : next()), work };
}
