// A record, a person or a team as a block of Terraform.
import { isObject } from '../../resources/declaration/is-object.ts';
import { integrationMapping } from '../../resources/integration-mapping.ts';
import { type Attribute, resourceAttributes } from '../schema.ts';
import { type Block, type Expression, quoted } from './hcl.ts';
import { inexpressible, leftAway } from './inexpressible.ts';
import { addressOf, type Location } from './locations.ts';
import type { ExportedRecord, Mapping, Team, User } from './organization.ts';

/** What a block needs to know of the rest of the configuration. */
export type Surroundings = {
  /** The id as others say it: by its address, or plainly if it has none. */
  readonly idOf: (id: string, from: ExportedRecord) => Expression;
  /** The variable that holds the secret. */
  readonly secret: (value: string) => Expression;
  /** The team of what names none; null when there is only one. */
  readonly homeTeam: string | null;
};

export function resourceBlock(
  exported: ExportedRecord,
  location: Location,
  around: Surroundings,
): Block {
  const { resource, record } = exported;
  const byPath = new Map(exported.references.map(({ path, id }) => [path, id]));
  const defaults = resource.input.properties as Record<string, { readonly default?: unknown }>;
  const written = resourceAttributes(resource).filter(
    ({ name, set }) =>
      set !== 'computed' && name !== 'team_id' && record[name] !== defaults[name]?.default,
  );
  const leaf: Leaf = (value, path, isSensitive) => {
    const id = byPath.get(path);
    if (id !== undefined) return around.idOf(id, exported);
    if (isSensitive && typeof value === 'string') return around.secret(value);
    return plainOf(value, path);
  };
  const isElsewhere = around.homeTeam !== null && record.team_id !== around.homeTeam;
  return {
    comments: leftAway(exported).map(
      (name) => `Without ${name}, which Terraform cannot express. It stays as it is.`,
    ),
    head: ['resource', location.type, location.name],
    attributes: [
      ...(isElsewhere ? [['team_id', around.idOf(record.team_id, exported)] as const] : []),
      ...membersOf(record, written, { path: '', leaf }),
    ],
  };
}

type Leaf = (value: unknown, path: string, isSensitive: boolean) => Expression;
type Walk = { readonly path: string; readonly leaf: Leaf };
type RecordFields = Readonly<Record<string, unknown>>;

/** In the order of the declaration. */
function membersOf(fields: RecordFields, attributes: readonly Attribute[], { path, leaf }: Walk) {
  return attributes
    .filter(({ name }) => fields[name] !== undefined)
    .map((attribute) => {
      const inside = path === '' ? attribute.name : `${path}.${attribute.name}`;
      const value = expressionOf(fields[attribute.name], attribute, { path: inside, leaf });
      return [attribute.name, value] as const;
    });
}

function expressionOf(value: unknown, attribute: Attribute, { path, leaf }: Walk): Expression {
  const { shape, isSensitive } = attribute;
  if (Array.isArray(value))
    return {
      list: value.map((one, index) =>
        expressionOf(one, attribute, { path: `${path}[${index}]`, leaf }),
      ),
    };
  if (!isObject(value)) return leaf(value, path, isSensitive);
  if ('attributes' in shape) return { object: membersOf(value, shape.attributes, { path, leaf }) };
  const isSecret = attribute.hasMaskedValues === true;
  const plain = (one: unknown): Expression =>
    Array.isArray(one) ? { list: one.map(plain) } : leaf(one, path, isSecret);
  return { object: Object.entries(value).map(([name, one]) => [name, plain(one)]) };
}

function plainOf(value: unknown, path: string): Expression {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new Error(`Terraform cannot express ${path}`);
}

/** A data source for a record that Terraform cannot manage, so that others can refer to it. */
export function leftOutBlock(exported: ExportedRecord, location: Location): Block {
  return {
    comments: [
      `Not managed by Terraform, which cannot express that ${inexpressible(exported).join(', ')}.`,
    ],
    head: ['data', location.type, location.name],
    attributes: [['id', exported.record.id]],
  };
}

export const userBlock = ({ email }: User, { type, name }: Location): Block => ({
  head: ['data', type, name],
  attributes: [['email', email]],
});

export const teamBlock = ({ id, name: label }: Team, { type, name }: Location): Block => ({
  comments: [quoted(label)],
  head: ['data', type, name],
  attributes: [['id', id]],
});

export function importBlock(
  { record }: ExportedRecord,
  location: Location,
  homeTeam: string | null,
): Block {
  const isHome = homeTeam === null || record.team_id === homeTeam;
  return {
    head: ['import'],
    attributes: [
      ['to', { address: addressOf(location) }],
      ['id', isHome ? record.id : `${record.team_id}/${record.id}`],
    ],
  };
}

/** Of an integration that is a resource, by its name. */
export function mappingBlock({ forms }: Mapping, integration: Location): Block {
  const leaf: Leaf = (value, path) => plainOf(value, path);
  const written = resourceAttributes(integrationMapping).filter(({ name }) => name === 'forms');
  return {
    head: ['resource', mappingType, integration.name],
    attributes: [
      ['integration_id', { address: `${addressOf(integration)}.id` }],
      ...membersOf({ forms }, written, { path: '', leaf }),
    ],
  };
}

export const mappingImport = ({ integrationId }: Mapping, { name }: Location): Block => ({
  head: ['import'],
  attributes: [
    ['to', { address: `${mappingType}.${name}` }],
    ['id', integrationId],
  ],
});

const mappingType = `pager_${integrationMapping.name}`;
