import { PostgresJSDialect } from 'kysely-postgres-js';
import type { Sql } from '../../storage/database.ts';

/** Our pool as better-auth wants it: it speaks `Date` where we speak `Temporal.Instant`. */
export function authDialect(sql: Sql): PostgresJSDialect {
  const reserve = async () => {
    const connection = await sql.reserve();
    return {
      async unsafe(text: string, parameters: readonly unknown[]) {
        // The driver's types know our values only; what it is given here is checked by PostgreSQL.
        const result = await connection.unsafe(text, parameters.map(fromDate) as string[]);
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

const fromDate = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
const toDate = (value: unknown) =>
  value instanceof Temporal.Instant ? new Date(value.epochMilliseconds) : value;
