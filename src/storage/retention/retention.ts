// What was kept long enough is removed: a few rows at a time, organisations and kinds in turn.
import type { Faults } from '../../engine/faults.ts';
import { databaseLimits } from '../../limits/database.ts';
import { type RemovedKind, removedKinds, retentionDays } from '../../resources/retention.ts';
import type { Sql } from '../database/database.ts';
import { canaryId } from '../health/canary.ts';
import { parseRetention } from '../organizations/stored-settings.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { removeAuditLog } from './audit-log.ts';
import { removeEvents } from './events.ts';
import { removeNotices } from './notices.ts';
import { removeTimelines } from './timelines.ts';

export type RetentionParts = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  /** For organisations that do not say; null: events are kept for good. */
  readonly eventsDays: number | null;
  /**
   * Called for organisations whose retention settings cannot be read; nothing of theirs is removed.
   */
  readonly faults: Faults;
};

/** What one run did. */
export type Removing = {
  readonly kind: RemovedKind | null;
  readonly removed: number;
  /** Whether it read rows: others should have their turn at the database now. */
  readonly isBusy: boolean;
  /** Whether nothing is left until the next round. */
  readonly isAll: boolean;
};

export type Remover = { run(now: Temporal.Instant): Promise<Removing> };

type Turn = { readonly kind: RemovedKind; readonly rows: AsyncGenerator<number, void, undefined> };

export function createRetention(
  parts: RetentionParts,
  rows = databaseLimits.removedAtOnce,
): Remover {
  let turns: Turn[] | null = null;
  return {
    async run(now) {
      turns ??= await beginRound(parts, { now, rows });
      const turn = turns.shift();
      if (turn === undefined) {
        turns = null;
        return { kind: null, removed: 0, isBusy: false, isAll: true };
      }
      // A turn that fails is not repeated in this round, so that the others continue.
      const { value: removed, done } = await turn.rows.next();
      if (!done) turns.push(turn);
      return { kind: turn.kind, removed: removed ?? 0, isBusy: !done, isAll: false };
    },
  };
}

type Round = { readonly now: Temporal.Instant; readonly rows: number };
type Organization = { readonly id: string; readonly retention: unknown };

async function beginRound(parts: RetentionParts, round: Round): Promise<Turn[]> {
  const { sql } = parts;
  // The canary's own are removed by itself.
  const organizations = await sql<Organization[]>`
    select id, retention from organizations where id <> ${canaryId} order by id`;
  return organizations.flatMap(({ id, retention }) => {
    const days = daysOf(parts, { id, retention });
    return removedKinds.flatMap((kind) => {
      const retainedDays = days?.[kind] ?? null;
      if (retainedDays === null) return [];
      const before = round.now.subtract({ hours: 24 * retainedDays });
      const outdated = { organizationId: id, before, now: round.now };
      return [{ kind, rows: removers[kind](parts, outdated, round.rows) }];
    });
  });
}

function daysOf({ eventsDays, faults }: RetentionParts, { id, retention }: Organization) {
  try {
    return retentionDays(retention === null ? {} : parseRetention(retention), eventsDays);
  } catch (error) {
    faults({ of: 'record', id: `organization ${id} retention`, error });
    return null;
  }
}

type Outdated = Parameters<typeof removeTimelines>[1];

const removers: Readonly<
  Record<RemovedKind, (parts: RetentionParts, outdated: Outdated, rows: number) => Turn['rows']>
> = {
  events: ({ sql }, outdated, rows) => removeEvents(sql, outdated, rows),
  outbox: ({ sql }, outdated, rows) => removeNotices(sql, outdated, rows),
  timelines: removeTimelines,
  audit_log: ({ sql }, outdated, rows) => removeAuditLog(sql, outdated, rows),
};
