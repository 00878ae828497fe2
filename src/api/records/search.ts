// GET /search: what the caller may see, by name.
import Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { word } from '../../resources/declaration/answer.ts';
import { choice, flag, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { records } from '../../resources/index.ts';
import type { Sql } from '../../storage/database/database.ts';
import type { ListedIncident } from '../../storage/incidents/incidents.ts';
import { findListed, listIncidents } from '../../storage/incidents/list.ts';
import { searchNames } from '../../storage/records/search.ts';
import { renderIncident, withoutNulls } from '../incidents/render.ts';
import { scopeOf } from '../incidents/request.ts';
import { incidentShape } from '../incidents/shapes.ts';
import { type Call, ok, type Route } from '../route.ts';
import { flagParameter, readQuery } from './list-query.ts';

const most = queryLimits.searchResults;
const types = [...records.map(({ name }) => name), 'team', 'user'];

const shape = objectOf({
  incidents: Type.Array(incidentShape, {
    description: `The incident with that number, and the newest incidents whose title or dedup key, or that of one of their alerts, contains the text, at most ${most}.`,
  }),
  records: Type.Array(
    objectOf({
      type: choice(types, { doc: 'The kind of result: a kind of record, a team or a user.' }),
      id: id('The id of the record, team or person.'),
      name: word('The name of the record, team or person.'),
      team_id: optional(id('The team that owns it. Absent for people.')),
      archived: optional(
        flag({ doc: 'True for an archived record or team and for a deactivated person.' }),
      ),
    }),
    {
      description: `Records, teams and people whose name contains the text, at most ${most} of each kind. Active ones come first, then names that begin with the text.`,
    },
  ),
});

const query = {
  q: text({
    doc: 'Part of a name or title, ignoring case, or an incident number such as 42 or INC-42.',
    min: 1,
  }),
  archived: flagParameter(
    'true also returns archived records and teams and deactivated people, after the others.',
  ),
};

type Parts = { readonly sql: Sql; readonly publicUrl: string };

export const searchRoute = ({ sql, publicUrl }: Parts): Route => ({
  method: 'GET',
  path: '/search',
  tag: 'search',
  doc: 'Searches incidents by number and by the titles and keys of their alerts, and records, teams and people by name.',
  role: 'viewer',
  query,
  answers: { status: 200, schema: shape },
  async handle(call) {
    const { q, archived = false } = readQuery(query, call);
    const incidents = await searchIncidents(sql, call, q);
    const named = await searchNames(sql, call.caller, {
      text: q,
      withArchived: archived,
    });
    return ok({
      incidents: incidents.map((incident) => renderIncident(incident, publicUrl)),
      records: named.map(withoutNulls),
    });
  },
});

async function searchIncidents(
  sql: Sql,
  { caller }: Call,
  text: string,
): Promise<readonly ListedIncident[]> {
  const scope = scopeOf(caller);
  const [, number] = /^(?:inc-)?([0-9]{1,9})$/i.exec(text.trim()) ?? [];
  const numbered = number === undefined ? null : await findListed(sql, scope, Number(number));
  const { incidents } = await listIncidents(sql, scope, {
    limit: most,
    order: 'number',
    after: null,
    values: {},
    text,
  });
  const others = incidents.filter(({ id }) => id !== numbered?.id);
  return [...(numbered ? [numbered] : []), ...others].slice(0, most);
}
