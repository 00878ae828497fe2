// What records and people are called, as expressions of SQL over the table of that name or alias.
import type { Resource } from '../../resources/declaration/resource.ts';
import { integration } from '../../resources/integration.ts';
import type { Queries } from '../database/database.ts';

/** Of an integration without a name of its own, what it is and its number. */
export const integrationName = (sql: Queries, table = 'integrations') => {
  const column = (name: string) => sql(`${table}.${name}`);
  return sql`
    coalesce(${column('name')}, ${column('slug')} || ' integration ' || ${column('counter')})`;
};

/** What people know a record by. */
export const recordName = (sql: Queries, { name, table }: Resource) =>
  name === integration.name ? integrationName(sql, table) : sql`${sql(`${table}.name`)}`;

/** Of a person without a name, the e-mail address. */
export const personNameOrEmail = (sql: Queries) =>
  sql`coalesce(nullif(${personName(sql)}, ''), email)`;

export const personName = (sql: Queries, table = 'users') =>
  sql`trim(${sql(`${table}.first_name`)} || ' ' || ${sql(`${table}.last_name`)})`;
