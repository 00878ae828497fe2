import { AsyncLocalStorage } from 'node:async_hooks';
import { PostgresJSDialect } from 'kysely-postgres-js';
import type { Sql } from '../../../storage/database/database.ts';

const failures = new AsyncLocalStorage<unknown[]>();

/** What failed in the database fails the work, whatever better-auth made of it or hid of it. */
export async function throughDialect<T>(work: () => Promise<T>): Promise<T> {
  const failed: unknown[] = [];
  try {
    const done = await failures.run(failed, work);
    if (failed.length === 0) return done;
  } catch (error) {
    if (failed.length === 0) throw error;
  }
  throw failed[0];
}

/** Our pool as better-auth wants it: it speaks `Date` where we speak `Temporal.Instant`. */
export function authDialect(sql: Sql): PostgresJSDialect {
  const reserve = async () => {
    const connection = await sql.reserve().catch(note);
    return {
      async unsafe(text: string, parameters: readonly unknown[]) {
        // The driver's types know our values only; what it is given here is checked by PostgreSQL.
        const values = parameters.map(fromDate) as string[];
        const result = await connection.unsafe(text, values).catch(note);
        for (const row of result) for (const key of Object.keys(row)) row[key] = toDate(row[key]);
        return result;
      },
      release: () => connection.release(),
    };
  };
  const pool = Object.assign(() => {}, { reserve, end: async () => {} });
  // Of the whole driver, the dialect uses these two.
  return new PostgresJSDialect({ postgres: pool as unknown as Sql });
}

function note(error: unknown): never {
  failures.getStore()?.push(error);
  throw error;
}

const fromDate = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
const toDate = (value: unknown) =>
  value instanceof Temporal.Instant ? new Date(value.epochMilliseconds) : value;
