import type { Repeatable } from '../../engine/ports/actions.ts';
import { httpLimits } from '../../limits/http.ts';
import { type Queries, type Sql, transact } from '../database/database.ts';
import { rowContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../sealed/secrets.ts';

/**
 * For a request that created or changed a record, the record is read again, and the body has only
 * the rest of the answer.
 */
export type StoredAnswer = { readonly status: number; readonly body: unknown };

export type Claim =
  | { readonly type: 'ours' }
  | { readonly type: 'running' }
  | { readonly type: 'mismatch' }
  /** It was done by a server that died before it answered. */
  | { readonly type: 'made'; readonly id: string }
  | {
      readonly type: 'answered';
      readonly status: number;
      /** Absent: it was too large to be kept. */
      readonly body?: unknown;
      readonly createdId: string | null;
    }
  /**
   * The caller has used as many keys as are allowed in 24 hours; `until` is when the oldest
   * expires.
   */
  | { readonly type: 'full'; readonly until: Temporal.Instant };

export type IdempotentAnswers = {
  /** Takes the key, or tells what became of the request that has it. */
  claim(request: Repeatable): Promise<Claim>;
  finish(request: Repeatable, answer: StoredAnswer): Promise<void>;
  /** Lets the same request be tried again, unless this one did something. */
  release(request: Repeatable): Promise<void>;
  /** Forgets some of what is older than a day; answers how many. */
  purge(now: Temporal.Instant): Promise<number>;
};

/** At once. */
const purgedAtOnce = 1_000;
const RETENTION = Temporal.Duration.from({ hours: httpLimits.repeatableFor });
// A request that was not answered by then died with its server.
const STALE_AFTER = Temporal.Duration.from({ seconds: httpLimits.repeatableRuns });

type AnswerRow = {
  body_digest: Buffer;
  started_at: Temporal.Instant;
  created_id: string | null;
  status: number | null;
  answer_encrypted: string | null;
};

/** The request took so long that another run of it was begun, which will do it. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

const byKey = (sql: Queries, request: Repeatable) => sql`
  organization_id = ${request.organizationId} and caller = ${request.caller}
  and route = ${request.route} and key = ${request.key}`;
const contextOf = ({ organizationId, caller, route, key }: Repeatable) =>
  rowContext('idempotent_answers.answer_encrypted', organizationId, caller, route, key);
// Only the run that started then: after it went stale another one may have taken over.
const thisRun = (sql: Queries, request: Repeatable) =>
  sql`${byKey(sql, request)} and started_at = ${request.now} and status is null`;

/** In the commit that does it, so that no other run does it once more. */
export async function recordDone(tx: Queries, request: Repeatable, id: string): Promise<void> {
  const updated = await tx`
    update idempotent_answers set created_id = coalesce(created_id, ${id}) where ${thisRun(tx, request)}`;
  if (updated.count === 0) throw new TakenOver();
}

export function createIdempotentAnswers(sql: Sql, secrets: Secrets): IdempotentAnswers {
  return {
    claim: (request) =>
      transact(sql, async (tx): Promise<Claim> => {
        const digest = secrets.digest(request.content);
        const { organizationId, caller, route, key, now } = request;
        const fullUntil = await fullUntilOf(tx, request);
        const claimed = await tx`
          insert into idempotent_answers
            (organization_id, caller, route, key, body_digest, started_at)
          select ${organizationId}, ${caller}, ${route}, ${key}, ${digest}, ${now}
          where ${fullUntil === null}
          on conflict do nothing returning key`;
        if (claimed.length > 0) return { type: 'ours' };
        const [row] = await tx<AnswerRow[]>`
          select body_digest, started_at, created_id, status, answer_encrypted
          from idempotent_answers where ${byKey(tx, request)} for update`;
        if (row === undefined && fullUntil !== null) return { type: 'full', until: fullUntil };
        // Released between the two statements: the caller is asked to come again.
        if (row === undefined) return { type: 'running' };
        if (!isExpired(row, now)) return existingClaim(row, { digest, secrets, request });
        await tx`
          update idempotent_answers set started_at = ${now}, body_digest = ${digest},
            created_id = null, status = null, answer_encrypted = null
          where ${byKey(tx, request)}`;
        return { type: 'ours' };
      }),

    async finish(request, answer) {
      const text = JSON.stringify({ body: answer.body });
      const isSmallEnough = Buffer.byteLength(text) <= httpLimits.repeatableAnswer;
      const sealed = isSmallEnough ? secrets.seal(text, contextOf(request)) : null;
      await sql`
        update idempotent_answers set status = ${answer.status}, answer_encrypted = ${sealed}
        where ${thisRun(sql, request)}`;
    },

    async release(request) {
      await sql`delete from idempotent_answers where ${thisRun(sql, request)} and created_id is null`;
    },

    async purge(now) {
      const removed = await sql`
        delete from idempotent_answers where (organization_id, caller, route, key) in (
          select organization_id, caller, route, key from idempotent_answers
          where started_at < ${now.subtract(RETENTION)} order by started_at limit ${purgedAtOnce})`;
      return removed.count;
    },
  };
}

/** Until when a caller's every place is taken; null: there is room. */
async function fullUntilOf(tx: Queries, request: Repeatable): Promise<Temporal.Instant | null> {
  const [oldest] = await tx<{ started_at: Temporal.Instant }[]>`
    select started_at from idempotent_answers
    where organization_id = ${request.organizationId} and caller = ${request.caller}
      and started_at > ${request.now.subtract(RETENTION)}
    order by started_at desc offset ${httpLimits.repeatable - 1} limit 1`;
  return oldest === undefined ? null : oldest.started_at.add(RETENTION);
}

const isStale = ({ started_at }: AnswerRow, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(started_at.add(STALE_AFTER), now) <= 0;

/** Whether the key is free again. */
function isExpired(row: AnswerRow, now: Temporal.Instant): boolean {
  if (row.status === null && row.created_id === null) return isStale(row, now);
  return Temporal.Instant.compare(row.started_at.add(RETENTION), now) <= 0;
}

type ClaimContext = {
  readonly digest: Buffer;
  readonly secrets: Secrets;
  readonly request: Repeatable;
};

function existingClaim(row: AnswerRow, { digest, secrets, request }: ClaimContext): Claim {
  if (!row.body_digest.equals(digest)) return { type: 'mismatch' };
  if (row.status !== null) {
    const { status, created_id: createdId, answer_encrypted: sealed } = row;
    if (sealed === null) return { type: 'answered', status, createdId };
    const { body } = JSON.parse(secrets.open(sealed, contextOf(request))) as { body: unknown };
    return { type: 'answered', status, createdId, body };
  }
  if (row.created_id !== null && isStale(row, request.now))
    return { type: 'made', id: row.created_id };
  return { type: 'running' };
}
