// What is done now and then, whatever comes in. Each chore is a loop of its own, so that one that
// fails stops no other.
import type { Config } from '../config.ts';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import { dueWithin } from '../engine/loop.ts';
import type { Metrics } from '../metrics.ts';
import { slowDownBackground } from '../storage/bundled/background.ts';
import { removeIdleLanes } from '../storage/connections/lanes.ts';
import { removeReplies } from '../storage/connections/replies.ts';
import { removeReplacedSecrets } from '../storage/connections/stored-secrets.ts';
import { removeUsage } from '../storage/connections/usage.ts';
import { asUnavailable, DatabaseUnavailable } from '../storage/database/database.ts';
import { refreshStatistics } from '../storage/database/statistics.ts';
import { removeOldHealth } from '../storage/health/channel-health.ts';
import { removeEnds } from '../storage/ledger/alert-ends.ts';
import type { LedgerParts } from '../storage/ledger/context.ts';
import { removeDeafSpells } from '../storage/ledger/deaf-spells.ts';
import { removeFindings } from '../storage/ledger/findings.ts';
import { createAuditor } from '../storage/ledger-audit/audit.ts';
import { removeBusy } from '../storage/outbox/busy-telephones.ts';
import { notifyOfFailingWebhooks } from '../storage/outbox/failing-webhooks.ts';
import { removeExpired } from '../storage/people/sign-ins.ts';
import type { IdempotentAnswers } from '../storage/records/idempotent-answers.ts';
import { createShortTokenCompletion } from '../storage/records/short-token-completion.ts';
import { createRetention } from '../storage/retention/retention.ts';

const hour = { hours: 1 } as const;
const restAfterFailure = { minutes: 1 } as const;
const restBetween = { milliseconds: 100 } as const;
const second = { seconds: 1 } as const;
/** A million rows of each table are gone through in two days. */
const auditEvery = { minutes: 5 } as const;
/** Of one run of the audit; the metric counts them all. */
const findingsLogged = 20;

/** What is kept in order, and by what. */
type HousekeepingContext = LedgerParts & {
  readonly config: Pick<Config, 'eventRetentionDays' | 'databaseUrl' | 'dataDir'>;
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
export function chores(context: HousekeepingContext): ReadonlyMap<string, Work> {
  const { sql, answers, clock } = context;
  return new Map([
    ['idempotent_answers', removal(context, 'idempotent_answers', (now) => answers.purge(now))],
    ['sign_ins', removal(context, 'sign_ins', (now) => removeExpired(sql, now))],
    ['replies', removal(context, 'replies', (now) => removeReplies(sql, now))],
    ['busy_telephones', removal(context, 'busy_telephones', (now) => removeBusy(sql, now))],
    [
      'replaced_secrets',
      removal(context, 'replaced_secrets', (now) => removeReplacedSecrets(sql, now)),
    ],
    ['connection_lanes', removal(context, 'connection_lanes', (now) => removeIdleLanes(sql, now))],
    ['connection_usage', removal(context, 'connection_usage', (now) => removeUsage(sql, now))],
    ['deaf_spells', removal(context, 'deaf_spells', (now) => removeDeafSpells(sql, now))],
    ['alert_ends', removal(context, 'alert_ends', (now) => removeEnds(sql, now))],
    ['integration_findings', removal(context, 'findings', (now) => removeFindings(sql, now))],
    ['channel_health', removal(context, 'channel_health', (now) => removeOldHealth(sql, now))],
    ['short_tokens', hourly(clock, createShortTokenCompletion(context))],
    ['failing_webhooks', hourly(clock, notifyFailingWebhooks(context))],
    ['statistics', everySecond(clock, () => refreshStatistics(sql))],
    ['background', background(context)],
    ['retention', retention(context)],
    ['audit', audit(context)],
  ]);
}

function everySecond(clock: Clock, run: () => Promise<unknown>): Work {
  let dueAt = clock.now();
  return {
    next: async () => dueWithin(dueAt, second, clock.now()),
    async work() {
      dueAt = clock.now().add(second);
      await run();
      return 1;
    },
  };
}

/** Where the database is elsewhere, its processes are its operator's. */
function background({ clock, sql, config, log }: HousekeepingContext): Work {
  let isPossible = config.databaseUrl === null && process.platform === 'linux';
  const work = everySecond(clock, async () => {
    try {
      await slowDownBackground(sql, config);
    } catch (error) {
      if (asUnavailable(error) instanceof DatabaseUnavailable) throw error;
      isPossible = false;
      log.warn(
        { err: error },
        'connections for requests could not be given a lower priority than pages',
      );
    }
  });
  return { ...work, next: async () => (isPossible ? work.next() : null) };
}

/** Does some of what is due; answers how much that was. */
type Chore = (now: Temporal.Instant) => Promise<number>;

const removal = ({ clock, metrics }: HousekeepingContext, kind: string, remove: Chore): Work =>
  hourly(clock, async (now) => {
    const removed = await remove(now);
    metrics.removed(kind, removed);
    return removed;
  });

const notifyFailingWebhooks =
  (context: HousekeepingContext): Chore =>
  async (now) => {
    await notifyOfFailingWebhooks(context, now);
    return 0;
  };

/** Until nothing is left, with rests; then an hour later again. */
function hourly(clock: Clock, run: Chore): Work {
  let dueAt = clock.now();
  return {
    next: async () => dueWithin(dueAt, hour, clock.now()),
    async work() {
      dueAt = clock.now().add(restAfterFailure);
      const done = await run(clock.now());
      dueAt = clock.now().add(done > 0 ? restBetween : hour);
      return 1;
    },
  };
}

/** All that is too old every hour, with a rest after each few, for events come in meanwhile. */
function retention({
  clock,
  config,
  log,
  sql,
  secrets,
  faults,
  metrics,
}: HousekeepingContext): Work {
  const { eventRetentionDays } = config;
  const eventsDays = eventRetentionDays === 0 ? null : eventRetentionDays;
  const remover = createRetention({ sql, secrets, faults, eventsDays });
  const totals = new Map<string, number>();
  let dueAt = clock.now();
  return {
    next: async () => dueWithin(dueAt, hour, clock.now()),
    async work() {
      const now = clock.now();
      const { kind, removed, isBusy, isAll } = await remover.run(now);
      if (kind !== null && removed > 0) {
        metrics.removed(kind, removed);
        totals.set(kind, (totals.get(kind) ?? 0) + removed);
      }
      dueAt = isAll ? now.add(hour) : isBusy ? now.add(restBetween) : now;
      if (!isAll) return 1;
      if (totals.size > 0)
        log.info(Object.fromEntries(totals), 'data was removed at the end of its retention');
      totals.clear();
      return 1;
    },
  };
}

/** Some of the ledger now and then, so that what is wrong with it shows before anybody asks. */
function audit({ clock, sql, secrets, log, metrics }: HousekeepingContext): Work {
  const auditor = createAuditor({ sql, secrets });
  let dueAt = clock.now();
  return {
    next: async () => dueWithin(dueAt, auditEvery, clock.now()),
    async work() {
      dueAt = clock.now().add(auditEvery);
      const { findings, total } = await auditor.run();
      for (const { check, row } of findings.slice(0, findingsLogged))
        log.error({ check, row }, 'the ledger has findings: run pagerctl audit');
      metrics.auditFindings(total);
      return 1;
    },
  };
}
