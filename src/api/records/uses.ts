// GET /<records>/:id/uses: what would miss the record.
import Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { count, word } from '../../resources/declaration/answer.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { displayName, type Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import type { Sql } from '../../storage/database/database.ts';
import { find } from '../../storage/records/queries.ts';
import { usesOf } from '../../storage/records/uses.ts';
import { notFound } from '../failures.ts';
import { type Call, maySee, ok, type Route } from '../route.ts';

const shape = objectOf({
  data: Type.Array(
    objectOf({
      kind: word('The kind of record, such as escalation_policy.'),
      id: word('The id of the record.'),
      name: word('The name of the record.'),
    }),
    { description: 'The first active records that use the record.' },
  ),
  count: count('The total number, including records that the caller may not see.'),
});

export const usesRoutes = (sql: Sql): readonly Route[] =>
  records.map((resource) => usesRoute(sql, resource));

const usesRoute = (sql: Sql, resource: Resource): Route => ({
  method: 'GET',
  path: `/${resource.route}/:id/uses`,
  tag: resource.table,
  role: 'viewer',
  doc: `Lists the active records that use one ${displayName(resource.name)}.`,
  answers: { status: 200, schema: shape },
  handle: async (call) => ok(await list(sql, resource, call)),
});

async function list(sql: Sql, resource: Resource, { caller, params }: Call) {
  const { organizationId } = caller;
  // An archived one too.
  const row = await find(sql, resource, { key: params['id'] ?? '', scope: caller });
  if (row === undefined) throw notFound();
  const uses = await usesOf(sql, { organizationId, kind: resource.name, id: row['id'] });
  const visible = uses.filter(({ teamId }) => maySee(caller, teamId));
  return {
    data: visible.slice(0, queryLimits.usesNamed).map(({ kind, id, name }) => ({ kind, id, name })),
    count: uses.length,
  };
}
