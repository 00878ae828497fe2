// Reads and writes what counts toward the monthly limit; what counts: src/engine/sending/monthly-limit.ts.

import type { Claimed } from '../../engine/sending/claimed.ts';
import { Usage } from '../../engine/sending/monthly-limit.ts';
import { adminNoticeRanks } from '../../incidents/admin-notices.ts';
import type { AlertUsage } from '../../notices/kinds/usage.ts';
import { signInChannel } from '../../resources/channels.ts';
import { DOCUMENT_VERSION } from '../../resources/declaration/stored-document.ts';
import { adminRoles } from '../../resources/roles.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { personName } from '../records/names.ts';
import { json, namedRows } from '../records/rows.ts';
import type { Organization } from './claimed.ts';

type UsageInput = {
  readonly notices: readonly Claimed[];
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly now: Temporal.Instant;
};

/** Claims of an organization with a limit follow one another: none may overlook another's. */
export async function openUsage(
  { sql }: LedgerContext,
  { notices, organizations, now }: UsageInput,
): Promise<Usage> {
  const usage = new Usage(notices, organizations, now);
  const { limited } = usage;
  if (limited.length === 0) return usage;
  const ids = limited.map(({ id }) => id);
  const months = limited.map(({ month }) => month);
  const [, rows] = await Promise.all([
    sql`select from organizations where id = any(${ids}) order by id for no key update`,
    sql<{ organization_id: string; used: number }[]>`
      select u.organization_id, sum(u.used) as used
      from unnest(${ids}::text[], ${months}::text[]) as m (organization_id, month)
      join alert_usage u on u.organization_id = m.organization_id and u.month = m.month
      group by u.organization_id`,
  ]);
  for (const { organization_id, used } of rows) usage.setUsed(organization_id, used);
  return usage;
}

export async function saveUsage(
  context: LedgerContext,
  usage: Usage,
  now: Temporal.Instant,
): Promise<void> {
  await Promise.all([
    writeUsage(context, usage),
    ...usage.warnings().map((warning) => warn(context, warning, now)),
  ]);
}

/** Rows in one order, so that two claims never wait for each other. */
async function writeUsage({ sql }: LedgerContext, { added }: Usage): Promise<void> {
  if (added.length === 0) return;
  await sql`
    insert into alert_usage as u ${namedRows(sql, 'alert_usage', added)}
    order by organization_id, month, channel
    on conflict (organization_id, month, channel) do update set used = u.used + excluded.used`;
}

type Warning = { readonly id: string; readonly usage: AlertUsage };

/**
 * Notifies admins once a month for each percentage; the key is unique. Such a notice does not
 * count toward the limit.
 */
async function warn(
  { sql }: LedgerContext,
  { id, usage }: Warning,
  now: Temporal.Instant,
): Promise<void> {
  const { month, limit, percent } = usage;
  // The recipient's key as recipientKeyOf writes it.
  await sql`
    insert into outbox (organization_id, key, kind, channel, recipient_key, notice, cycle, step, rank,
      state, attempts, created_at, wake_at)
    select ${id}, ${`usage/${month}/${limit}/${percent}/${signInChannel}/`} || c.id, 'alert_usage', ${signInChannel},
      ${`${signInChannel} `} || left(encode(sha256(convert_to(c.address, 'UTF8')), 'hex'), 32),
      json_build_object('v', ${DOCUMENT_VERSION}::integer, 'address', c.address,
        'recipient', ${personName(sql, 'u')}, 'mention', null,
        'why', 'you are an admin of the organization', 'usage', ${json(sql, usage)}),
      0, 0, ${adminNoticeRanks.other}, 'pending', 0, ${now}::timestamptz, ${now}::timestamptz
    from users u
    join contacts c on c.organization_id = u.organization_id and c.user_id = u.id
    where u.organization_id = ${id} and u.active and u.role = any(${[...adminRoles]})
      and c.channel = ${signInChannel} and c.verified_at is not null
    on conflict (organization_id, key) do nothing`;
}
