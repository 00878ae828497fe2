// The records that others manage, in the dashboard or in another configuration.
import type { Fields } from '../../client/answer.ts';
import type { Query } from '../../client/client.ts';
import { hasDetailRoute } from '../../client/records.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { type Attribute, resourceAttributes } from '../schema.ts';
import type { Connection } from '../session.ts';
import { withoutWriteOnly } from '../write-only.ts';
import { computed, type DataSource, findIn, onlyActive, onlyComputed } from './data-source.ts';

/** By what a record is found, and what that then means. */
const keyAttributes: Readonly<Record<string, Partial<Attribute>>> = {
  id: { set: 'fallback' },
  name: { set: 'fallback' },
  team_id: {
    description: 'The team that owns it. If set, only its records are searched.',
    set: 'fallback',
  },
};

export const recordSources: readonly DataSource[] = [
  // Nothing refers to a rule.
  ...records.filter((resource) => resource !== alertRoutingRule).map(sourceOf),
];

function sourceOf(resource: Resource): DataSource {
  const source = recordSource(resource);
  return resource.name === oncallSchedule.name ? withCoverage(source) : source;
}

function recordSource(resource: Resource): DataSource {
  return {
    typeName: `pager_${resource.name}`,
    doc: resource.doc,
    attributes: withoutWriteOnly(resourceAttributes(resource))
      .map(onlyComputed)
      .map((each) => ({ ...each, ...keyAttributes[each.name] })),
    keys: ['id', 'name'],
    find: (connection, query) => find(connection, resource, query),
  };
}

async function find({ client, records }: Connection, resource: Resource, query: Query) {
  const { id, ...filters } = query;
  if (id === undefined) return records.list(resource, filters);
  // An older API lacks the route that reads all of one.
  const result = hasDetailRoute(resource)
    ? await findIn(client, `/${resource.route}`, { id })
    : onlyActive(await records.read(resource, id));
  if (!result.ok) return result;
  return { ok: true, value: result.value.filter((each) => isThat(each, query)) } as const;
}

const isThat = (record: Fields, query: Query) =>
  Object.entries(query).every(([name, value]) => record[name] === value);

/** Whether somebody is on call at every instant, where the API can tell. */
function withCoverage(source: DataSource): DataSource {
  const covered = computed(
    'covered',
    'bool',
    'Whether someone is always on call in the next ten years. Null if the server cannot determine this.',
  );
  return {
    ...source,
    attributes: [...source.attributes, covered],
    async more({ client }, { id }) {
      const answer = await client.send({ method: 'GET', path: `/on-calls/${id}/coverage` });
      return answer.ok ? { covered: answer.body['covered'] } : {};
    },
  };
}
