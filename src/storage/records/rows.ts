// A declared record as the columns of its table, and back.
import type { Row } from 'postgres';
import type { TSchema } from 'typebox';
import { Unreadable } from '../../engine/unreadable.ts';
import type { RunningTurn } from '../../oncall/rotation.ts';
import { isSealed } from '../../resources/declaration/field.ts';
import type { ManagedBy } from '../../resources/declaration/managed-by.ts';
import { mapSensitive } from '../../resources/declaration/references-and-secrets.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { columnList } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { sealedField } from '../sealed/sealed-columns.ts';
import { opening, type Secrets, sealing } from '../sealed/secrets.ts';

/** Of a schedule's layer: a boundary of its rotation, the turn that begins there, the last edit. */
export type Anchor = {
  readonly id: string;
  readonly at: string;
  readonly turn: number;
  /** The turn that ends there, as it was planned when it began; servers of 0.1.0 keep none. */
  readonly running?: RunningTurn;
  readonly generated_at: string;
};

/** A record as it is stored; times in ISO 8601, secrets readable. */
export type StoredRecord = {
  readonly id: string;
  readonly counter: number;
  readonly version: number;
  readonly team_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  readonly managed_by: ManagedBy | null;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of an integration. */
  readonly token?: string;
  readonly previous_token_expires_at?: string | null;
  /** Of a schedule, one a layer. */
  readonly anchors?: readonly Anchor[];
};

const JSON_TYPE = 114;

export const json = (sql: Queries, value: unknown) => sql.typed(value, JSON_TYPE);

/**
 * What stands behind `insert into <table>`. It names its columns, so that one that a later release
 * adds takes its default from this one too.
 */
export function namedRows(sql: Queries, table: string, rows: readonly object[]) {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = columnList(sql, [...names]);
  return sql`(${columns})
    select ${columns} from json_populate_recordset(null::${sql(table)}, ${json(sql, rows)})`;
}

/** Lists, objects and maps are stored as json; the rest in columns of their own type. */
export const isNested = (schema: TSchema): boolean =>
  !['string', 'integer', 'boolean'].includes(String((schema as { type?: string }).type));

type Owner = { readonly organization_id: string; readonly id: string };

const contextOf = ({ table }: Resource, name: string, { organization_id, id }: Owner) =>
  sealedField(table, name).contextOf([organization_id, id]);

type ColumnOptions = { readonly sql: Queries; readonly secrets: Secrets; readonly of: Owner };

/** The values of the declared columns, what is sensitive in them sealed. */
export function columnsOf(
  resource: Resource,
  fields: Readonly<Record<string, unknown>>,
  { sql, secrets, of }: ColumnOptions,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource.fields).map(([name, schema]) => {
      let seal: ReturnType<typeof sealing> | undefined;
      const value = mapSensitive(schema, fields[name] ?? null, (text) => {
        seal ??= sealing(secrets, contextOf(resource, name, of));
        return seal(text);
      });
      if (isSealed(value)) return [name, value.sealed];
      return [name, value !== null && isNested(schema) ? json(sql, value) : value];
    }),
  );
}

/** A record of which not all could be read. */
export type UnreadableRecord = Pick<StoredRecord, 'id' | 'counter'> & {
  readonly error: Unreadable;
};

/** Columns that no declared field has, and what a record has of them. */
export type OwnColumns = {
  readonly names: readonly string[];
  readonly read: (
    row: Row,
    secrets: Secrets,
  ) => Pick<StoredRecord, 'token' | 'previous_token_expires_at' | 'anchors'>;
};

/** What reading the rows of a record takes. */
export type RowReader = {
  readonly resource: Resource;
  readonly secrets: Secrets;
  readonly own: OwnColumns | undefined;
};

/** Throws `Unreadable`. */
export function recordOf(reader: RowReader, row: Row): StoredRecord {
  try {
    return readRow(reader, row);
  } catch (error) {
    throw new Unreadable(`The ${reader.resource.name} ${row['counter']} (${row['id']})`, error);
  }
}

function readRow(reader: RowReader, row: Row): StoredRecord {
  const { resource, secrets } = reader;
  const of = { organization_id: row['organization_id'], id: row['id'] };
  const fields = Object.entries(resource.fields).flatMap(([name, schema]) => {
    if (row[name] === null) return [];
    const stored = isSensitive(schema) ? { sealed: row[name] } : row[name];
    const value = mapSensitive(schema, stored, (text) =>
      opening(secrets, contextOf(resource, name, of))(text),
    );
    return [[name, value]];
  });
  return { ...addedIn(reader, row), fields: Object.fromEntries(fields) };
}

/** What the service adds to a record. */
function addedIn({ own, secrets }: RowReader, row: Row): Omit<StoredRecord, 'fields'> {
  return {
    id: row['id'],
    counter: row['counter'],
    version: row['version'],
    team_id: row['team_id'],
    created_at: timeText(row['created_at']),
    updated_at: timeText(row['updated_at']),
    archived_at: row['archived_at'] === null ? null : timeText(row['archived_at']),
    managed_by: row['managed_by'],
    ...own?.read(row, secrets),
  };
}

/** All columns but those that a writer knows already, for it has just written them. */
export const addedColumns = ({ own }: Pick<RowReader, 'own'>): readonly string[] => [
  ...['organization_id', 'id', 'counter', 'version', 'team_id'],
  ...['created_at', 'updated_at', 'archived_at', 'managed_by'],
  ...(own?.names ?? []),
];

type WrittenRow = { readonly row: Row; readonly fields: Readonly<Record<string, unknown>> };

/** What was just written, as it would be read: a record may be large. */
export function writtenRecord(reader: RowReader, { row, fields }: WrittenRow): StoredRecord {
  const stored = Object.keys(reader.resource.fields).flatMap((name) => {
    const value = fields[name];
    return value === undefined || value === null ? [] : [[name, value]];
  });
  return { ...addedIn(reader, row), fields: Object.fromEntries(stored) };
}

const isSensitive = (schema: TSchema): boolean =>
  (schema as { 'x-sensitive'?: boolean })['x-sensitive'] === true;

/** ISO 8601 in UTC with milliseconds, as the API shows times. */
export const timeText = (at: Temporal.Instant): string =>
  at.toString({ fractionalSecondDigits: 3 });
