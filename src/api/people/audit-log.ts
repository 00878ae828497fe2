// Who changed what: the log of writes, no part of the ledger that `pagerctl audit` proves.
import Type from 'typebox';
import { instant, word } from '../../resources/declaration/answer.ts';
import { anything, choice, id, objectOf, optional } from '../../resources/declaration/field.ts';
import {
  type AuditEntry,
  auditedActions,
  auditedKinds,
  auditOrders,
  listAuditLog,
} from '../../storage/audit.ts';
import { pageBy } from '../../storage/page.ts';
import { timeText } from '../../storage/records/rows.ts';
import { logSchema, removedIn } from '../answers.ts';
import { withoutNulls } from '../incidents/render.ts';
import { paging, readNumberedPaging, readQuery } from '../records/listing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { needsWholeOrganization, type PeopleParts, route } from './writing.ts';

const entryShape = objectOf(
  {
    id: id('For ever.'),
    sequence: Type.Integer({
      description: 'Grows with each entry of the organisation; numbers are missing once removed.',
    }),
    at: instant('When it was done.'),
    actor: objectOf({
      type: choice(['user', 'key', 'server'], { doc: 'server: at its first start.' }),
      id: id('Of the person or the key; of a server, the organisation.'),
      name: word('The name then.'),
    }),
    action: choice(auditedActions, { doc: 'What was done.' }),
    record_type: choice(auditedKinds, { doc: 'To what kind of record.' }),
    record_id: id('To which record.'),
    before: optional(anything('The record before, its secrets masked.')),
    after: optional(anything('The record since, its secrets masked.')),
    request_id: optional(word('By which request; of an answer, its x-request-id.')),
  },
  'What somebody did to a record.',
);

const filterParams = {
  order: optional(
    choice(auditOrders, {
      doc: 'desc, when absent: newest first. asc: oldest first; to follow the log, send the sequence of the last entry as cursor.',
    }),
  ),
  record_type: optional(choice(auditedKinds, { doc: 'Only of this kind of record.' })),
  record_id: optional(id('Only of this record.')),
  action: optional(choice(auditedActions, { doc: 'Only this.' })),
  actor_id: optional(id('Only by this person or key.')),
};

export const auditLogRoutes = (parts: PeopleParts): Route[] => [
  route('GET /audit-log', 'admin', {
    ...{ tag: 'audit log', doc: 'Who changed what.' },
    query: { ...paging, ...filterParams },
    answers: { status: 200, schema: logSchema(entryShape) },
    handle: (call) => list(parts, call),
  }),
];

async function list({ sql }: PeopleParts, call: Call) {
  needsWholeOrganization(call);
  const { limit, cursor } = readNumberedPaging(call.query);
  const { order = 'desc', ...filters } = readQuery(filterParams, call);
  const { organizationId } = call.caller;
  const rows = await listAuditLog(sql, {
    organizationId,
    ...{ filters, order, cursor },
    limit: limit + 1,
  });
  const { data, next_cursor } = pageBy(rows, limit, ({ sequence }) => sequence);
  const removed = await removedIn(sql, organizationId, 'audit_log');
  return ok({ data: data.map(render), next_cursor, ...removed });
}

const render = ({ at, actor: { kind, ...named }, ...entry }: AuditEntry) =>
  withoutNulls({
    ...entry,
    at: timeText(at),
    actor: { ...named, type: kind === 'session' ? 'user' : kind },
  });
