// What points to a record, found by the references that the declarations name.
import type { Row } from 'postgres';
import type { TSchema } from 'typebox';
import { eachReference, referencesIn } from '../../resources/declaration/map-text.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { playbook } from '../../resources/playbook.ts';
import { records } from '../../resources/records.ts';
import type { Queries } from '../database.ts';
import { isNested, json } from './rows.ts';

/** An active record that still points to another. */
export type Use = {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  /** Null: the organisation as a whole. */
  readonly teamId: string | null;
};

/** A record, user or team that an id was said to name. */
export type ReferencedRecord = {
  readonly id: string;
  readonly name: string;
  /** Null for what belongs to the organisation as a whole. */
  readonly teamId: string | null;
  readonly active: boolean;
  /** Of a playbook: those that it runs. */
  readonly playbookIds?: readonly string[];
};
export type Lookup = (
  kind: string,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, ReferencedRecord>>;

type ReferencedRow = {
  id: string;
  name: string | null;
  team_id: string | null;
  active: boolean;
  actions?: unknown;
};

/** Finds by id within one organisation; records are held as they are until the write is done. */
export function lookupIn(tx: Queries, organizationId: string): Lookup {
  return async (kind, ids) => {
    if (ids.length === 0) return new Map();
    const rows = await readReferenced(tx, kind, { organizationId, ids });
    return new Map(
      rows.map(({ id, name, team_id, active, actions }) => [
        id,
        {
          ...{ id, name: name ?? id, teamId: team_id, active },
          ...(kind === playbook.name && { playbookIds: playbooksIn(actions) }),
        },
      ]),
    );
  };
}

const playbooksIn = (actions: unknown): string[] =>
  referencesIn(playbook.fields.actions, actions).flatMap(({ to, id }) =>
    to === playbook.name ? [id] : [],
  );

type ReferenceQuery = { readonly organizationId: string; readonly ids: readonly string[] };

async function readReferenced(tx: Queries, kind: string, { organizationId, ids }: ReferenceQuery) {
  const byIds = tx`organization_id = ${organizationId}
    and id in (select json_array_elements_text(${json(tx, ids)}))`;
  if (kind === 'user')
    return tx<ReferencedRow[]>`
      select id, first_name || ' ' || last_name as name, null as team_id, active
      from users where ${byIds}`;
  if (kind === 'team')
    return tx<ReferencedRow[]>`
      select id, name, id as team_id, archived_at is null as active from teams where ${byIds}`;
  const resource = records.find((each) => each.name === kind);
  if (resource === undefined) return [];
  return tx<ReferencedRow[]>`
    select id, name, team_id, archived_at is null as active
      ${kind === playbook.name ? tx`, actions` : tx``}
    from ${tx(resource.table)} where ${byIds} order by id for share`;
}

type UsedRecord = { readonly organizationId: string; readonly kind: string; readonly id: string };

/** Which active records, and which shift notifications, still point to this one. */
export async function usesOf(tx: Queries, used: UsedRecord): Promise<readonly Use[]> {
  const uses: Use[] = [];
  for (const resource of records) {
    const columns = columnsThatName(resource, used.kind);
    if (columns.length === 0) continue;
    const holds = columns.map((column) =>
      isNested(schemaOf(resource, column))
        ? tx`${tx(column)}::text like ${`%${used.id}%`}`
        : tx`${tx(column)} = ${used.id}`,
    );
    const either = holds.reduce((all, one) => tx`${all} or ${one}`);
    const rows = await tx`
      select id, name, team_id, ${tx(columns)} from ${tx(resource.table)}
      where organization_id = ${used.organizationId} and archived_at is null and (${either})
      order by counter`;
    for (const row of rows)
      if (names(resource, row, used.id))
        uses.push({
          ...{ kind: resource.name, id: row['id'], name: row['name'] ?? row['id'] },
          teamId: row['team_id'],
        });
  }
  return used.kind === outboundWebhook.name ? [...uses, ...(await callersOf(tx, used))] : uses;
}

function names(resource: Resource, row: Row, id: string): boolean {
  let isNamed = false;
  eachReference(resource.input, row, (reference) => {
    isNamed ||= reference.id === id;
  });
  return isNamed;
}

/** Whose shift notifications call the webhook: schedules', and the organisation's. */
function callersOf(tx: Queries, { organizationId, id }: UsedRecord): Promise<readonly Use[]> {
  return tx<Use[]>`
    select 'oncall_schedule' as kind, s.id, s.name, s.team_id as "teamId"
    from schedule_notifications n
    join oncall_schedules s on s.organization_id = n.organization_id and s.id = n.oncall_schedule_id
    where n.organization_id = ${organizationId} and s.archived_at is null
      and ${id} in (select json_array_elements_text(n.settings -> 'outbound_webhook_ids'))
    union all
    select 'organization', o.id, o.name, null from organizations o
    where o.id = ${organizationId} and ${id} in (
      select json_array_elements_text(o.shift_notifications -> 'outbound_webhook_ids'))`.execute();
}

const schemaOf = (resource: Resource, column: string): TSchema => resource.fields[column] ?? {};

/** Fields of the record that may hold ids of that kind. */
function columnsThatName(resource: Resource, kind: string): string[] {
  return Object.keys(resource.fields).filter((name) =>
    JSON.stringify(resource.fields[name]).includes(`"x-references":{"to":"${kind}"`),
  );
}
