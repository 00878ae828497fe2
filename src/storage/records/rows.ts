// A declared record as the columns of its table, and back.
import type { Row } from 'postgres';
import type { TSchema } from 'typebox';
import { mapSensitive } from '../../resources/declaration/map-text.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import type { Queries } from '../database.ts';
import type { Secrets } from '../secrets.ts';

/** Of a schedule's layer: a boundary of its rotation, the turn that begins there, the last edit. */
export type Anchor = {
  readonly id: string;
  readonly at: string;
  readonly turn: number;
  readonly generated_at: string;
};

/** A record as it is kept; times in ISO 8601, secrets readable. */
export type StoredRecord = {
  readonly id: string;
  readonly counter: number;
  readonly version: number;
  readonly team_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of an integration. */
  readonly token?: string;
  /** Of a schedule, one a layer. */
  readonly anchors?: readonly Anchor[];
};

const JSON_TYPE = 114;

export const json = (sql: Queries, value: unknown) => sql.typed(value, JSON_TYPE);

/** Lists, objects and maps are kept as json; the rest in columns of their own type. */
export const isNested = (schema: TSchema): boolean =>
  !['string', 'integer', 'boolean'].includes(String((schema as { type?: string }).type));

/** The values of the declared columns, secrets encrypted. */
export function columnsOf(
  resource: Resource,
  fields: Readonly<Record<string, unknown>>,
  { sql, secrets }: { readonly sql: Queries; readonly secrets: Secrets },
): Record<string, unknown> {
  const sealed = mapSensitive(resource.input, fields, secrets.seal) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(resource.fields).map(([name, schema]) => {
      const value = sealed[name] ?? null;
      return [name, value !== null && isNested(schema) ? json(sql, value) : value];
    }),
  );
}

export function recordOf(resource: Resource, row: Row, secrets: Secrets): StoredRecord {
  const sealed = Object.fromEntries(
    Object.keys(resource.fields).flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])),
  );
  return {
    id: row['id'],
    counter: row['counter'],
    version: row['version'],
    team_id: row['team_id'],
    created_at: timeText(row['created_at']),
    updated_at: timeText(row['updated_at']),
    archived_at: row['archived_at'] === null ? null : timeText(row['archived_at']),
    fields: mapSensitive(resource.input, sealed, secrets.open) as Record<string, unknown>,
    ...(row['token_encrypted'] && { token: secrets.open(row['token_encrypted']) }),
    ...(row['anchors'] && { anchors: row['anchors'] }),
  };
}

/** ISO 8601 in UTC with milliseconds, as the API shows times. */
export const timeText = (at: Temporal.Instant): string =>
  at.toString({ fractionalSecondDigits: 3 });
