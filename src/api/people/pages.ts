// The latest pages to a person: what became of each, so that they see what reaches them.
import { findUser } from '../../storage/people/users.ts';
import { pageSchema } from '../answers.ts';
import { pageOfNotices } from '../incidents/page-shapes.ts';
import { pagesOn, readCursor } from '../incidents/pages.ts';
import { paging, readPaging } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { idIn, needsOwnOrAdmin, orNotFound, type PeopleParts, route } from './writing.ts';

export const pageRoutes = (parts: PeopleParts): Route[] => [
  route('GET /users/:id/pages', 'viewer', {
    tag: 'users',
    query: paging,
    answers: { status: 200, schema: pageSchema(pageOfNotices) },
    doc: 'Lists the pages to a person, newest first, with each attempt, its masked contact, its connection and its receipt. People read their own pages, admins those of others.',
    handle: (call) => list(parts, call),
  }),
];

async function list({ sql }: PeopleParts, call: Call) {
  const { organizationId } = call.caller;
  const user = orNotFound(await findUser(sql, organizationId, idIn(call)));
  needsOwnOrAdmin(call, user.id, 'pages');
  const { limit, cursor } = readPaging(call.query);
  const before = cursor === null ? null : readCursor(cursor);
  const reader = { userId: user.id, teamIds: [] };
  return ok(await pagesOn(sql, { organizationId, reader, limit, before }));
}
