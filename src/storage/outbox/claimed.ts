// What a due row of the outbox needs to be sent: its incident, its organisation.

import type { Claimed } from '../../engine/sending/claimed.ts';
import type { BrokenNotice } from '../../engine/sending/postponed-notice.ts';
import { attemptsElsewhere } from '../../engine/sending/retry-routes.ts';
import type { Incident } from '../../incidents/incident.ts';
import { readContent } from '../../notices/queued.ts';
import { knownLanguage } from '../../resources/language.ts';
import type { Role } from '../../resources/roles.ts';
import { columnList } from '../database/columns.ts';
import type { Transaction } from '../database/database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { columns, type IncidentRow, incidentOf } from '../ledger/incident-rows.ts';
import { keyed } from '../ledger/keys.ts';
import { openRequestsAmong } from '../oncall/open-cover-requests.ts';
import { addressContext } from '../sealed/sealed-columns.ts';
import { opening } from '../sealed/secrets.ts';
import {
  type CallRow,
  type CallSurroundings,
  callOf,
  incidentKeys,
  readCallSurroundings,
} from './calls.ts';
import { type AttemptsBefore, readHandedOver } from './handed-over.ts';
import { type Lazy, memoized } from './lazy.ts';
import { parseNotice } from './stored-notice.ts';

/** As it is stored. */
export type OutboxRow = Omit<ReadRow, 'notice'> & { readonly notice: unknown };
type ReadRow = CallRow & {
  key: string;
  recipient_key: string;
  cycle: number;
  step: number;
  user_id: string | null;
  role: Role | null;
  timezone: string | null;
  language: string | null;
  attempts: number;
  reason: string | null;
  tried_at: Temporal.Instant | null;
  created_at: Temporal.Instant;
};

export type Organization = {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly language: string;
  readonly monthly_alert_limit: number | null;
};

/** Of `outbox o` and `users u`. */
export const outboxColumns = (sql: Transaction) => sql`
  o.organization_id, o.key, o.incident_id, o.kind, o.channel, o.recipient_key, o.notice, o.cycle,
  o.step, o.user_id, o.attempts, o.created_at, o.delivery_id, o.content, o.reason, o.tried_at,
  u.role, u.timezone, u.language`;

type Surroundings = CallSurroundings & {
  readonly before: ReadonlyMap<string, AttemptsBefore>;
  readonly incidents: ReadonlyMap<string, Lazy<{ incident: Incident; serviceName: string }>>;
  readonly organizations: ReadonlyMap<string, Organization>;
  /** The ids of the cover requests among them that are open. */
  readonly openRequests: ReadonlySet<string>;
};

/** The rows as notices, in their order; those that cannot be read keep nobody from theirs. */
export async function readClaimed(context: LedgerContext, stored: readonly OutboxRow[]) {
  const broken: BrokenNotice[] = [];
  const rows = readEach(stored, broken, (row) => ({ ...row, notice: parseNotice(row.notice) }));
  const organizationIds = [...new Set(rows.map((row) => row.organization_id))];
  const tried = rows.filter(({ attempts }) => attempts > 0);
  const [incidents, calls, organizations, before, openRequests] = await Promise.all([
    // Of those that cannot be read as well: a page that is given up escalates its incident.
    readIncidents(context, stored),
    readCallSurroundings(context, rows),
    readOrganizations(context, organizationIds),
    readHandedOver(
      context,
      tried.map(({ organization_id, key }) => ({ organization_id, key })),
    ),
    openRequestsAmong(
      context.sql,
      rows.flatMap(({ organization_id, notice: { cover_request } }) =>
        cover_request ? [{ organization_id, id: cover_request.id }] : [],
      ),
    ),
  ]);
  const surroundings = { incidents, ...calls, organizations, before, openRequests };
  const notices = readEach(rows, broken, (row) => claimedOf(context, row, surroundings));
  return { organizations, notices, broken };
}

/** What is read of the rows; those that cannot be read are added to the broken ones. */
function readEach<Row extends BrokenNotice['row'], T>(
  rows: readonly Row[],
  broken: BrokenNotice[],
  read: (row: Row) => T,
): readonly T[] {
  const all: T[] = [];
  for (const row of rows) {
    try {
      all.push(read(row));
    } catch (error) {
      broken.push({ row, error });
    }
  }
  return all;
}

/** Locked, shared: an acknowledgement under way is waited for, a later one waits for this claim. */
async function readIncidents(
  { sql }: LedgerContext,
  rows: readonly OutboxRow[],
): Promise<Surroundings['incidents']> {
  const keys = incidentKeys(rows);
  if (keys.length === 0) return new Map();
  const lockedIncidents = sql`
    ${keyed(sql, keys)} join incidents i on i.organization_id = k.organization_id and i.id = k.id`;
  const [locked, services] = await Promise.all([
    sql<IncidentRow[]>`
      select ${columnList(sql, columns, 'i')} from ${lockedIncidents}
      order by i.id for share of i`,
    sql<{ id: string; name: string }[]>`
      select i.id, s.name from ${lockedIncidents}
      join services s on s.organization_id = i.organization_id and s.id = i.service_id`,
  ]);
  const nameOf = new Map(services.map((row) => [row.id, row.name]));
  return new Map(
    locked.map((row) => {
      const serviceName = nameOf.get(row.id) ?? '';
      return [row.id, memoized(() => ({ incident: incidentOf(row), serviceName }))];
    }),
  );
}

async function readOrganizations({ sql }: LedgerContext, ids: readonly string[]) {
  const rows = await sql<Organization[]>`
    select id, name, timezone, language, monthly_alert_limit from organizations where id = any(${[...ids]})`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Its first try was claimed, and nothing was requested under that claim. */
const isWithheldFirst = ({ attempts, reason, tried_at }: ReadRow) =>
  attempts === 0 && reason !== null && tried_at === null;

function claimedOf(context: LedgerContext, row: ReadRow, surroundings: Surroundings): Claimed {
  const { address, recipient, route, mention, why } = row.notice;
  const { tried = [], lost_answers } = row.notice;
  const { organization_id, key, channel, recipient_key, user_id, created_at } = row;
  const before = surroundings.before.get(`${organization_id} ${key}`);
  const here = <Row extends { readonly number: number }>(rows: readonly Row[] = []) =>
    rows.filter(({ number }) => number > attemptsElsewhere(tried));
  const [unknown] = here(before?.unknown);
  const organization = surroundings.organizations.get(organization_id);
  const notice = {
    organization_id,
    key,
    channel,
    recipient_key,
    user_id,
    created_at,
    recipient,
    mention,
    why,
    ...(route !== undefined && { route }),
    address: opening(context.secrets, addressContext(organization_id))(address),
    attempt: row.attempts + 1,
    ...(isWithheldFirst(row) && { isCounted: true as const }),
    ...(lost_answers !== undefined && { lostAnswers: lost_answers }),
    tried,
    earlier: here(before?.handedOver).map(({ number: _number, ...handedOver }) => handedOver),
    ...(unknown && { unknownSince: unknown.since }),
    organizationName: organization?.name ?? '',
    timezone: row.timezone ?? organization?.timezone ?? 'Etc/UTC',
    language: knownLanguage(row.language ?? organization?.language),
  };
  if (channel === 'webhook') return { ...notice, ...callOf(row, surroundings) };
  const incident = surroundings.incidents.get(row.incident_id ?? '') ?? null;
  const { cover_request } = row.notice;
  const isCoverOpen =
    cover_request !== undefined && surroundings.openRequests.has(cover_request.id);
  const content = readContent({ ...row, incident, isCoverOpen });
  if (content === null) throw new Error('its incident is missing, or its kind is unknown');
  return { ...notice, ...content };
}
