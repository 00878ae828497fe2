// What points to a record, found by the references that the declarations name.
import type { Fragment, Row } from 'postgres';
import type { TSchema } from 'typebox';
import { eachReference } from '../../resources/declaration/references-and-secrets.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import { columnList } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { hooksOf } from './hooks.ts';
import { personName, recordName } from './names.ts';
import type { ReferencedRecord, Use, UsedRecord } from './record-hooks.ts';
import { isNested, json } from './rows.ts';

export type Lookup = (
  kind: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, ReferencedRecord>>;

type ReferencedRow = {
  id: string;
  name: string | null;
  team_id: string | null;
  active: boolean;
};

/**
 * Finds by id within one organisation; records are held as they are until the write is done.
 * `declared` are the records that an id may name.
 */
export function lookupIn(
  tx: Queries,
  organizationId: string,
  declared: readonly Resource[] = records,
): Lookup {
  return async (kind, ids) => {
    if (ids.length === 0) return new Map();
    const among = tx`organization_id = ${organizationId}
      and id in (select json_array_elements_text(${json(tx, ids)}))`;
    const resource = declared.find(({ name }) => name === kind);
    const named =
      resource === undefined
        ? await otherNamed(tx, kind, among)
        : await recordsNamed(tx, resource, among);
    return new Map(named.map((one) => [one.id, one]));
  };
}

async function recordsNamed(
  tx: Queries,
  resource: Resource,
  among: Fragment,
): Promise<ReferencedRecord[]> {
  const { lookup } = hooksOf(resource);
  const more = lookup === undefined ? tx`` : tx`, ${columnList(tx, lookup.columns)}`;
  const rows = await tx<(ReferencedRow & Row)[]>`
    select id, ${recordName(tx, resource)} as name, team_id, archived_at is null as active ${more}
    from ${tx(resource.table)} where ${among} order by id for share`;
  return rows.map((row) => ({ ...namedOf(row), ...lookup?.read(row) }));
}

/** People and teams are no declared records. */
async function otherNamed(tx: Queries, kind: string, among: Fragment): Promise<ReferencedRecord[]> {
  if (kind === 'user')
    return (
      await tx<ReferencedRow[]>`
        select id, ${personName(tx)} as name, null as team_id, active
        from users where ${among}`
    ).map(namedOf);
  if (kind !== 'team') return [];
  const teams = await tx<ReferencedRow[]>`
    select id, name, id as team_id, archived_at is null as active from teams where ${among}`;
  return teams.map(namedOf);
}

const namedOf = ({ id, name, team_id, active }: ReferencedRow): ReferencedRecord => ({
  id,
  name: name ?? id,
  teamId: team_id,
  active,
});

/** Which active records, and which shift notifications, still point to this one. */
export async function usesOf(
  tx: Queries,
  used: UsedRecord,
  declared: readonly Resource[] = records,
): Promise<readonly Use[]> {
  const uses: Use[] = [];
  for (const resource of declared) {
    const columns = columnsThatName(resource, used.kind);
    if (columns.length === 0) continue;
    const holds = columns.map((column) =>
      isNested(schemaOf(resource, column))
        ? tx`${tx(column)}::text like ${`%${used.id}%`}`
        : tx`${tx(column)} = ${used.id}`,
    );
    const either = holds.reduce((all, one) => tx`${all} or ${one}`);
    const rows = await tx`
      select id, ${recordName(tx, resource)} as known_as, team_id, managed_by, ${tx([...columns])} from ${tx(resource.table)}
      where organization_id = ${used.organizationId} and archived_at is null and (${either})
      order by counter`;
    for (const row of rows)
      if (names(resource, row, used.id))
        uses.push({
          kind: resource.name,
          id: row['id'],
          name: row['known_as'] ?? row['id'],
          teamId: row['team_id'],
          managedBy: row['managed_by'],
        });
  }
  const others = await hooksOf({ name: used.kind }).uses?.(tx, used);
  return [...uses, ...(others ?? [])];
}

/** Whether one of the fields is that id. */
export function names(
  resource: Resource,
  fields: Readonly<Record<string, unknown>>,
  id: string,
): boolean {
  let isNamed = false;
  eachReference(resource.input, fields, (reference) => {
    isNamed ||= reference.id === id;
  });
  return isNamed;
}

const schemaOf = (resource: Resource, column: string): TSchema => resource.fields[column] ?? {};

/** By declaration and kind: each save and preview asks, and the answer never changes. */
const columnsByKind = new WeakMap<Resource, Map<string, readonly string[]>>();

/** Fields of the record that may hold ids of that kind. */
export function columnsThatName(resource: Resource, kind: string): readonly string[] {
  const known = columnsByKind.get(resource) ?? new Map<string, readonly string[]>();
  columnsByKind.set(resource, known);
  const columns = known.get(kind) ?? findColumns(resource, kind);
  known.set(kind, columns);
  return columns;
}

const findColumns = (resource: Resource, kind: string): readonly string[] =>
  Object.keys(resource.fields).filter((name) =>
    JSON.stringify(resource.fields[name]).includes(`"x-references":{"to":"${kind}"`),
  );
