// Proves over what is stored that the ledger is sound: all of it at once, or a slice now and then.
import { databaseLimits } from '../../limits/database.ts';
import { canaryId } from '../canary.ts';
import type { Sql, Transaction } from '../database.ts';
import type { Secrets } from '../secrets.ts';
import { chainsBegan } from './began.ts';
import { checks, type Row, type Walk, walks } from './checks.ts';

/** A row that breaks a check. */
export type Finding = { readonly check: string; readonly row: Row };

/** How many rows of each table were looked at. */
export type Looked = Readonly<Record<Walk, number>>;

type AuditParts = { readonly sql: Sql; readonly secrets: Secrets };
type Auditing = {
  readonly sql: Transaction;
  readonly secrets: Secrets;
  /** Null: everything must be chained. */
  readonly began: Temporal.Instant | null;
};

/** Where a table was left: its last row that was looked at. */
type Place = { readonly organization_id: string; readonly key: string };
type Slice = {
  readonly rows: number;
  readonly findings: readonly Finding[];
  /** Null: this was the last. */
  readonly next: Place | null;
};

const start: Place = { organization_id: '', key: '' };
const names = Object.keys(walks) as Walk[];
const none: Looked = { incidents: 0, timeline_heads: 0, outbox: 0, attempts: 0, shifts: 0 };

const sliceRows = 500;
const fetchedRows = 500;

/** All that is stored, as it was at one moment; nobody waits for it. */
export function auditLedger(parts: AuditParts, found: (finding: Finding) => void): Promise<Looked> {
  return atOneMoment(parts, async (auditing) => {
    const looked = { ...none };
    for (const walk of names)
      for (let after: Place | null = start; after !== null; ) {
        const slice = await auditSlice(auditing, { walk, after, limit: sliceRows });
        looked[walk] += slice.rows;
        slice.findings.forEach(found);
        after = slice.next;
      }
    return looked;
  });
}

export type Auditor = {
  /** Looks at the next rows of each table. */
  run(): Promise<{ readonly found: readonly Finding[]; readonly total: number }>;
};

/** Goes round and round through the ledger; what it found stays in the total for one round more. */
export function createAuditor(parts: AuditParts, rows = databaseLimits.auditedAtOnce): Auditor {
  const places = new Map<Walk, Place>();
  const ofRound = { ...none };
  const ofLastRound = { ...none };
  return {
    async run() {
      const found: Finding[] = [];
      await atOneMoment(parts, async (auditing) => {
        for (const walk of names) {
          const after = places.get(walk) ?? start;
          const slice = await auditSlice(auditing, { walk, after, limit: rows });
          found.push(...slice.findings);
          ofRound[walk] += slice.findings.length;
          places.set(walk, slice.next ?? start);
          if (slice.next !== null) continue;
          ofLastRound[walk] = ofRound[walk];
          ofRound[walk] = 0;
        }
      });
      const total = names.reduce(
        (sum, walk) => sum + Math.max(ofRound[walk], ofLastRound[walk]),
        0,
      );
      return { found, total };
    },
  };
}

function atOneMoment<T>(
  { sql, secrets }: AuditParts,
  work: (auditing: Auditing) => Promise<T>,
): Promise<T> {
  // The result of `begin` unwraps arrays of promises, which T is none of.
  return sql.begin('isolation level repeatable read read only', async (transaction) =>
    work({ sql: transaction, secrets, began: await chainsBegan(transaction, secrets) }),
  ) as Promise<T>;
}

type Asked = { readonly walk: Walk; readonly after: Place; readonly limit: number };

async function auditSlice(auditing: Auditing, { walk, after, limit }: Asked): Promise<Slice> {
  const { sql } = auditing;
  const column = sql(walks[walk]);
  // Its order, and all rows of its last key: so the primary key is read, from place to place.
  // What canaries left is removed, which breaks what is true of all else.
  const slice = sql`
    from ${sql(walk)}
    where (organization_id, ${column}) > (${after.organization_id}, ${after.key})
      and organization_id <> ${canaryId}
    order by organization_id, ${column} fetch first ${limit} rows with ties`;
  const rows = await sql<Place[]>`select organization_id, ${column} as key ${slice}`;
  const last = rows.at(-1);
  if (!last) return { rows: 0, findings: [], next: null };
  const findings: Finding[] = [];
  for (const check of checks.filter(({ over }) => over === walk)) {
    const selected = rowsOf(sql<Row[]>`
      with slice as (select * ${slice}),
        chains as (select coalesce(${auditing.began}::timestamptz, '-infinity') as began_at)
      ${sql.unsafe(check.sql)}`);
    const broken = check.judge?.(selected, auditing.secrets.mac) ?? selected;
    for await (const row of broken) findings.push({ check: check.name, row });
  }
  return { rows: rows.length, findings, next: rows.length < limit ? null : last };
}

/** One after another, and never many at once. */
async function* rowsOf(query: {
  cursor(rows: number): AsyncIterable<readonly Row[]>;
}): AsyncGenerator<Row> {
  for await (const rows of query.cursor(fetchedRows)) yield* rows;
}
