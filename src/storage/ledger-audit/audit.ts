// Proves over what is stored that the ledger is sound: all of it at once, or a slice now and then.
import { databaseLimits } from '../../limits/database.ts';
import { readAgain, type Sql, type Transaction, transact } from '../database/database.ts';
import { canaryId } from '../health/canary.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { chainsBegan } from './began.ts';
import { type AuditRow, checks, type Walk, walks } from './checks.ts';

/** A row that breaks a check. */
export type Finding = { readonly check: string; readonly row: AuditRow };

/** How many rows of each table were checked. */
export type CheckedRows = Readonly<Record<Walk, number>>;

type AuditParts = { readonly sql: Sql; readonly secrets: Secrets };
type Auditing = {
  readonly sql: Transaction;
  readonly secrets: Secrets;
  /** Null: everything must be chained. */
  readonly began: Temporal.Instant | null;
};

/** The last row of a table that was checked. */
type Position = { readonly organization_id: string; readonly key: string };
type Slice = {
  readonly rows: number;
  readonly findings: readonly Finding[];
  /** Null: this was the last. */
  readonly next: Position | null;
};

const start: Position = { organization_id: '', key: '' };
const names = Object.keys(walks) as Walk[];
const none: CheckedRows = { incidents: 0, timeline_heads: 0, outbox: 0, attempts: 0, shifts: 0 };

const sliceRows = 500;
const fetchedRows = 500;

/**
 * All that is stored, as it was at one moment; nobody waits for it. When the database is lost, the
 * rest is checked as it is once it answers again.
 */
export async function auditLedger(
  parts: AuditParts,
  report: (finding: Finding) => void,
): Promise<CheckedRows> {
  const checked = { ...none };
  const rest = new Map<Walk, Position>(names.map((walk) => [walk, start]));
  const auditRest = () =>
    atOneMoment(parts, async (auditing) => {
      for (const [walk, from] of rest)
        for (let after: Position | null = from; after !== null; ) {
          const slice = await auditSlice(auditing, { walk, after, limit: sliceRows });
          checked[walk] += slice.rows;
          slice.findings.forEach(report);
          after = slice.next;
          if (after === null) rest.delete(walk);
          else rest.set(walk, after);
        }
    });
  await readAgain(parts.sql, auditRest);
  return checked;
}

export type Auditor = {
  /** Checks the next rows of each table. */
  run(): Promise<{ readonly findings: readonly Finding[]; readonly total: number }>;
};

/** Checks the ledger slice by slice, endlessly; findings count until the end of the next round. */
export function createAuditor(parts: AuditParts, rows = databaseLimits.auditedAtOnce): Auditor {
  const positions = new Map<Walk, Position>();
  const ofRound = { ...none };
  const ofLastRound = { ...none };
  return {
    async run() {
      const findings: Finding[] = [];
      await atOneMoment(parts, async (auditing) => {
        for (const walk of names) {
          const after = positions.get(walk) ?? start;
          const slice = await auditSlice(auditing, { walk, after, limit: rows });
          findings.push(...slice.findings);
          ofRound[walk] += slice.findings.length;
          positions.set(walk, slice.next ?? start);
          if (slice.next !== null) continue;
          ofLastRound[walk] = ofRound[walk];
          ofRound[walk] = 0;
        }
      });
      const total = names.reduce(
        (sum, walk) => sum + Math.max(ofRound[walk], ofLastRound[walk]),
        0,
      );
      return { findings, total };
    },
  };
}

function atOneMoment<T>(
  { sql, secrets }: AuditParts,
  work: (auditing: Auditing) => Promise<T>,
): Promise<T> {
  return transact(sql, async (transaction) => {
    await transaction`set transaction isolation level repeatable read, read only`;
    return work({ sql: transaction, secrets, began: await chainsBegan(transaction, secrets) });
  });
}

type SliceParams = { readonly walk: Walk; readonly after: Position; readonly limit: number };

async function auditSlice(auditing: Auditing, { walk, after, limit }: SliceParams): Promise<Slice> {
  const { sql } = auditing;
  const column = sql(walks[walk]);
  // Its order, and all rows of its last key: so the primary key is read range by range.
  // What canaries left is removed, which breaks what is true of all else.
  const slice = sql`
    from ${sql(walk)}
    where (organization_id, ${column}) > (${after.organization_id}, ${after.key})
      and organization_id <> ${canaryId}
    order by organization_id, ${column} fetch first ${limit} rows with ties`;
  const rows = await sql<Position[]>`select organization_id, ${column} as key ${slice}`;
  const last = rows.at(-1);
  if (!last) return { rows: 0, findings: [], next: null };
  const findings: Finding[] = [];
  for (const check of checks.filter(({ over }) => over === walk)) {
    const selected = rowsOf(sql<AuditRow[]>`
      with slice as (select * ${slice}),
        chains as (select coalesce(${auditing.began}::timestamptz, '-infinity') as began_at)
      ${sql.unsafe(check.sql)}`);
    const broken = check.filter?.(selected, auditing.secrets.mac) ?? selected;
    for await (const row of broken) findings.push({ check: check.name, row });
  }
  // In postgres.js 3.4 a cursor whose connection is lost between two fetches just ends.
  await sql`select`;
  return { rows: rows.length, findings, next: rows.length < limit ? null : last };
}

/** One after another, and never many at once. */
async function* rowsOf(query: {
  cursor(rows: number): AsyncIterable<readonly AuditRow[]>;
}): AsyncGenerator<AuditRow> {
  for await (const rows of query.cursor(fetchedRows)) yield* rows;
}
