// All that an API key sees of an organization and Terraform could manage or name.
import type { Failed, Fields, Result } from '../../client/answer.ts';
import type { Client } from '../../client/client.ts';
import { listAll } from '../../client/pages.ts';
import { createRecords, type RecordOf } from '../../client/records.ts';
import { withSettings } from '../../client/settings.ts';
import { referencesIn } from '../../resources/declaration/references-and-secrets.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { records as allRecords } from '../../resources/index.ts';
import { integration } from '../../resources/integration.ts';
import { integrationMapping } from '../../resources/integration-mapping.ts';

/** A record with its declaration, and what it points to. */
export type ExportedRecord = {
  readonly resource: Resource;
  readonly record: RecordOf<Resource> & Fields;
  readonly references: ReturnType<typeof referencesIn>;
};
/** One of those that records point to and Terraform does not manage. */
export type Named = { readonly id: string; readonly name: string };
export type User = Named & { readonly email: string };
export type Team = Named & { readonly isDefault: boolean };

export type Mapping = { readonly integrationId: string; readonly forms: unknown };

export type Organization = {
  /** The active ones, by type and counter. */
  readonly records: readonly ExportedRecord[];
  /** Of the integrations that have one. */
  readonly mappings: readonly Mapping[];
  /** Those who can be paged and found. */
  readonly users: readonly User[];
  readonly teams: readonly Team[];
};

type ReadOptions = {
  readonly declared?: readonly Resource[];
  /** Whether the mapping of this integration is wanted, which is a request of its own. */
  readonly wantsMapping?: (integrationId: string) => boolean;
};

export async function readOrganization(
  client: Client,
  { declared = allRecords, wantsMapping = () => true }: ReadOptions = {},
): Promise<Result<Organization>> {
  const api = createRecords(client);
  const records: ExportedRecord[] = [];
  for (const resource of declared) {
    const list = await api.list<Resource>(resource);
    if (!list.ok) return list;
    for (const record of list.value)
      records.push({ resource, record, references: referencesIn(resource.input, record) });
  }
  const mappings: Mapping[] = [];
  const settings = withSettings(api, client);
  for (const { resource, record } of records) {
    if (resource.name !== integration.name || !wantsMapping(record.id)) continue;
    const read = await settings.read<Resource>(integrationMapping, record.id);
    if (read.ok) mappings.push({ integrationId: record.id, forms: read.value['forms'] });
    else if (!hasNone(read)) return read;
  }
  const users = await listAll(client, '/users', { active: 'true' });
  if (!users.ok) return users;
  const teams = await listAll(client, '/teams');
  if (!teams.ok) return teams;
  return {
    ok: true,
    value: { records, mappings, users: users.value.map(user), teams: teams.value.map(team) },
  };
}

/** An older server has no mappings. */
const hasNone = ({ failure }: Failed) =>
  failure.type === 'unknown_route' || (failure.type === 'refused' && failure.code === 'not_found');

const user = (fields: Fields): User => ({
  id: textOf(fields, 'id'),
  name: `${textOf(fields, 'first_name')} ${textOf(fields, 'last_name')}`.trim(),
  email: textOf(fields, 'email'),
});

const team = (fields: Fields): Team => ({
  id: textOf(fields, 'id'),
  name: textOf(fields, 'name'),
  isDefault: fields['default'] === true,
});

export const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};
