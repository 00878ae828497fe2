// What is done now and then, whatever comes in. Each chore is a loop of its own, so that one that
// fails stops no other.
import type { Config } from '../config.ts';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import type { Metrics } from '../metrics.ts';
import { createEventRetention } from '../storage/incidents/event-retention.ts';
import type { LedgerParts } from '../storage/ledger/ledger.ts';
import { createAuditor } from '../storage/ledger-audit/audit.ts';
import { tellOfFailingWebhooks } from '../storage/outbox/failing-webhooks.ts';
import { forgetExpired } from '../storage/people/sign-ins.ts';
import type { IdempotentAnswers } from '../storage/records/idempotent-answers.ts';

const hour = { hours: 1 } as const;
const restAfterFailure = { minutes: 1 } as const;
const retentionRest = { milliseconds: 100 } as const;
/** A million rows of each table are gone through in two days. */
const auditEvery = { minutes: 5 } as const;
/** Of one run of the audit; the metric counts them all. */
const findingsLogged = 20;

/** What is kept in order, and by what. */
type Kept = LedgerParts & {
  readonly config: Pick<Config, 'eventRetentionDays'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly answers: IdempotentAnswers;
  readonly metrics: Metrics;
};

/** For a loop: when there is something to do, and that. */
type Work = {
  readonly next: () => Promise<Temporal.Instant | null>;
  readonly work: () => Promise<number>;
};

/** By the names that the log and the metrics call them; each is a loop of its own. */
export function chores(kept: Kept): ReadonlyMap<string, Work> {
  const { sql, answers, clock } = kept;
  return new Map([
    ['idempotent_answers', hourly(clock, (now) => answers.purge(now))],
    ['sign_ins', hourly(clock, (now) => forgetExpired(sql, now))],
    ['failing_webhooks', hourly(clock, (now) => tellOfFailingWebhooks(kept, now))],
    ['retention', retention(kept)],
    ['audit', audit(kept)],
  ]);
}

function hourly(clock: Clock, run: (now: Temporal.Instant) => Promise<unknown>): Work {
  let dueAt = clock.now();
  return {
    next: async () => dueAt,
    async work() {
      dueAt = clock.now().add(restAfterFailure);
      await run(clock.now());
      dueAt = clock.now().add(hour);
      return 1;
    },
  };
}

/** All that is too old every hour, with a rest after each few, for events come in meanwhile. */
function retention({ clock, config, log, sql, metrics }: Kept): Work {
  const { eventRetentionDays: days } = config;
  const events = createEventRetention(sql, days);
  let dueAt = clock.now();
  let total = 0;
  return {
    next: async () => (days === 0 ? null : dueAt),
    async work() {
      const now = clock.now();
      const { removed, isAll } = await events.run(now);
      metrics.eventsRemoved(removed);
      total += removed;
      dueAt = now.add(isAll ? hour : retentionRest);
      if (!isAll) return 1;
      if (total > 0) log.info({ events: total }, 'events that were kept long enough were removed');
      total = 0;
      return 1;
    },
  };
}

/** Some of the ledger now and then, so that what is wrong with it shows before anybody asks. */
function audit({ clock, sql, secrets, log, metrics }: Kept): Work {
  const auditor = createAuditor({ sql, secrets });
  let dueAt = clock.now();
  return {
    next: async () => dueAt,
    async work() {
      dueAt = clock.now().add(auditEvery);
      const { found, total } = await auditor.run();
      for (const { check, row } of found.slice(0, findingsLogged))
        log.error({ check, row }, 'the ledger is not sound: see pagerctl audit');
      metrics.auditFound(total);
      return 1;
    },
  };
}
