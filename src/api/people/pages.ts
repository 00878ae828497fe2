// The latest pages to a person: what became of each, so that they see what reaches them.
import { id, objectOf, wholeNumber } from '../../resources/declaration/field.ts';
import { pageBy } from '../../storage/database/page.ts';
import { listPages, type PageCursor, type PageRow } from '../../storage/people/pages.ts';
import { findUser } from '../../storage/people/users.ts';
import { pageSchema } from '../answers.ts';
import { renderNotice } from '../incidents/notices.ts';
import { noticeFields } from '../incidents/shapes.ts';
import { paging, readPaging, wrongCursor } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { idIn, needsOwnOrAdmin, orNotFound, type PeopleParts, route } from './writing.ts';

const page = objectOf(
  {
    incident_id: id('The id of the incident of this page.'),
    incident_number: wholeNumber({
      doc: 'The number of the incident of this page.',
      min: 1,
      max: 2 ** 31 - 1,
    }),
    ...noticeFields,
  },
  'A page to a person.',
);

export const pageRoutes = (parts: PeopleParts): Route[] => [
  route('GET /users/:id/pages', 'viewer', {
    tag: 'users',
    query: paging,
    answers: { status: 200, schema: pageSchema(page) },
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
  const rows = await listPages(sql, {
    organizationId,
    userId: user.id,
    before,
    limit: limit + 1,
  });
  const { data, next_cursor } = pageBy(rows, limit, cursorOf);
  return ok({ data: data.map(renderPage), next_cursor });
}

function renderPage({ muted_until, ...row }: PageRow) {
  return renderNotice(row, { muted_until });
}

/** Microseconds, as they are stored, and the key. */
const cursorOf = ({ created_at, key }: PageRow): string =>
  `${created_at.epochNanoseconds / 1_000n}.${Buffer.from(key).toString('base64url')}`;

function readCursor(text: string): PageCursor {
  const [, micros = '', encoded = ''] = /^(\d{1,16})\.([\w-]+)$/.exec(text) ?? [];
  const key = Buffer.from(encoded, 'base64url').toString();
  // No text of PostgreSQL has a zero byte.
  if (micros === '' || key.includes('\0')) throw wrongCursor();
  return { at: Temporal.Instant.fromEpochNanoseconds(BigInt(micros) * 1_000n), key };
}
