// Puts the rules of this release for schedules in force, once no server of the release before is
// connected; or notes what one has changed while they were. docs/decisions/0094-who-is-inactive.md.
import type { Clock } from './clock.ts';
import type { Transactor } from './ledger.ts';
import type { Log } from './log.ts';
import { afterOlderServers, type ServersTx } from './older-servers.ts';
import { noWake, type Wake } from './wake.ts';

export type ScheduleRulesBegun = {
  /** They were not in force before. */
  readonly areNew: boolean;
  /** In how many schedules people became active or inactive. */
  readonly schedules: number;
};

export type ScheduleRulesTx = ServersTx & {
  /** Not done while a server of the release before is connected. */
  applyScheduleRules(now: Temporal.Instant): Promise<ScheduleRulesBegun | 'too early'>;
};

export type ScheduleRulesOptions = {
  readonly ledger: Transactor<ScheduleRulesTx>;
  readonly clock: Clock;
  readonly log: Log;
};

/** For a loop: once in the life of a server, for then no other writes by former rules. */
export function createScheduleRules(
  { ledger, clock, log }: ScheduleRulesOptions,
  committed: (wake: Wake) => void,
): {
  readonly next: () => Promise<Temporal.Instant | null>;
  readonly work: () => Promise<number>;
} {
  let isDone = false;
  const { next, work } = afterOlderServers({ ledger, clock }, async () => {
    const begun = await ledger.transact((tx) => tx.applyScheduleRules(clock.now()));
    if (begun === 'too early') return false;
    isDone = true;
    const { areNew, schedules } = begun;
    if (areNew) log.info({ schedules }, 'schedules follow the rules of this release');
    else if (schedules > 0)
      log.info({ schedules }, 'schedules follow changes of people by a server of 0.1.0');
    if (areNew || schedules > 0) committed({ ...noWake, shifts: true });
    return false;
  });
  return { next: async () => (isDone ? null : next()), work };
}
