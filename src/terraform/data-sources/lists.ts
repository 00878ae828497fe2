// All records of a kind, all people and all teams, for configurations that go through them.
import type { Fields, Result } from '../../client/answer.ts';
import type { Query } from '../../client/client.ts';
import { listAll } from '../../client/pages.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import { folded } from '../known-by.ts';
import { inWords } from '../managed.ts';
import { type Attribute, resourceAttributes } from '../schema.ts';
import type { Connection } from '../session.ts';
import { withoutWriteOnly } from '../write-only.ts';
import { type DataSource, filter, onlyComputed } from './data-source.ts';
import { team, user } from './people.ts';

type Listed = {
  /** `services` */
  readonly plural: string;
  readonly doc: string;
  /** Of each. */
  readonly attributes: readonly Attribute[];
  /** Those of the API. */
  readonly filters: readonly Attribute[];
  list(connection: Connection, filters: Query): Promise<Result<readonly Fields[]>>;
};

export const lists: readonly DataSource[] = [
  ...records.map((resource) => listSource(recordList(resource))),
  listSource({
    plural: 'users',
    doc: 'The people of the organization, including inactive people.',
    attributes: user.attributes,
    filters: [
      filter('team_id', 'Returns only members of this team.'),
      filter('role', 'Returns only people with this role.'),
    ],
    list: ({ client }, filters) => listAll(client, '/users', filters),
  }),
  listSource({
    plural: 'teams',
    doc: 'The active teams that the API key can see.',
    attributes: team.attributes,
    filters: [],
    list: ({ client }) => listAll(client, '/teams'),
  }),
];

function recordList(resource: Resource): Listed {
  return {
    plural: resource.table,
    doc: `The active ${inWords(resource.table)} that the API key can see.`,
    attributes: withoutWriteOnly(resourceAttributes(resource)),
    filters: [filter('team_id', 'Returns only records that this team owns.')],
    list: ({ records }, filters) => records.list(resource, filters),
  };
}

function listSource({ plural, doc, attributes, filters, list }: Listed): DataSource {
  const all: Attribute = {
    name: plural,
    description: 'The matching records, by id.',
    set: 'computed',
    isSensitive: false,
    shape: { nesting: 'list', attributes: attributes.map(onlyComputed) },
  };
  const contains = filter(
    'name_contains',
    'Returns only records whose name contains this text, ignoring case.',
  );
  return {
    typeName: `pager_${plural}`,
    doc,
    attributes: [...filters, contains, all],
    keys: [],
    async find(connection, { name_contains: part = '', ...query }) {
      const listed = await list(connection, query);
      if (!listed.ok) return listed;
      const fitting = listed.value.filter((one) => folded(nameOf(one)).includes(folded(part)));
      return { ok: true, value: [{ [plural]: fitting.toSorted(byId) }] };
    },
  };
}

const nameOf = ({ name, first_name, last_name }: Fields) =>
  [name, first_name, last_name].filter(Boolean).join(' ');

const byId = (one: Fields, other: Fields) => (String(one['id']) < String(other['id']) ? -1 : 1);
