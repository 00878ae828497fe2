// The monthly limit: every notice to a person, and every notice of a shift to a chat channel, counts
// once, when its first try is claimed.

import type { Claimed } from '../../engine/sending/claimed.ts';
import { adminNoticeRanks, usagePercent } from '../../incidents/admin-notices.ts';
import type { AlertUsage } from '../../notices/notice.ts';
import { signInChannel } from '../../resources/channels.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import { adminRoles } from '../../resources/roles.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { personName } from '../names.ts';
import { json, namedRows } from '../records/rows.ts';
import { DOCUMENT_VERSION } from '../stored-document.ts';
import type { Organization } from './claimed.ts';

/** The month in which something counts, as `2026-11`. */
export const monthOf = (now: Temporal.Instant, timezone: string): string =>
  clockIn(timezone, now).toPlainDate().toPlainYearMonth().toString();

/** What an organization causes, and not what Pager reports about itself. */
const isLimited = ({ about, user_id }: Claimed): boolean =>
  about === 'shift' || (about === 'incident' && user_id !== null);

const counts = (claimed: Claimed): boolean =>
  claimed.attempt === 1 && claimed.isCounted === undefined && isLimited(claimed);

type Limited = { readonly id: string; readonly limit: number; readonly month: string };

/** What one claim adds to the usage of each organisation. */
export class Usage {
  readonly #context: LedgerContext;
  readonly #now: Temporal.Instant;
  readonly #organizations: ReadonlyMap<string, Organization>;
  readonly #added = new Map<string, UsageRow>();
  /** Of the organisations with a limit. */
  readonly #limited: readonly Limited[];
  readonly #used = new Map<string, number>();

  private constructor(context: LedgerContext, input: UsageInput) {
    this.#context = context;
    this.#now = input.now;
    this.#organizations = input.organizations;
    const ids = new Set(input.notices.filter(counts).map((one) => one.organization_id));
    this.#limited = [...ids].sort().flatMap((id) => {
      const limit = input.organizations.get(id)?.monthly_alert_limit ?? null;
      return limit === null ? [] : [{ id, limit, month: this.#monthOf(id) }];
    });
  }

  static async open(context: LedgerContext, input: UsageInput): Promise<Usage> {
    const usage = new Usage(context, input);
    if (usage.#limited.length > 0) await usage.#read();
    return usage;
  }

  /** Whether the organisation has used up its limit and this notice would count. */
  isReached(notice: Claimed): boolean {
    if (!counts(notice)) return false;
    const limited = this.#limited.find(({ id }) => id === notice.organization_id);
    return limited !== undefined && this.#usedBy(limited) >= limited.limit;
  }

  count(notice: Claimed): void {
    if (!counts(notice)) return;
    const { organization_id, channel } = notice;
    const month = this.#monthOf(organization_id);
    const key = `${organization_id} ${channel}`;
    const used = (this.#added.get(key)?.used ?? 0) + 1;
    this.#added.set(key, { organization_id, month, channel, used });
    this.#used.set(organization_id, (this.#used.get(organization_id) ?? 0) + 1);
  }

  async save(): Promise<void> {
    await Promise.all([this.#write(), ...this.#limited.map((one) => this.#warn(one))]);
  }

  /** Claims of an organisation with a limit follow one another: none may overlook another's. */
  async #read(): Promise<void> {
    const { sql } = this.#context;
    const ids = this.#limited.map(({ id }) => id);
    const months = this.#limited.map(({ month }) => month);
    const [, rows] = await Promise.all([
      sql`select from organizations where id = any(${ids}) order by id for no key update`,
      sql<{ organization_id: string; used: number }[]>`
        select u.organization_id, sum(u.used) as used
        from unnest(${ids}::text[], ${months}::text[]) as m (organization_id, month)
        join alert_usage u on u.organization_id = m.organization_id and u.month = m.month
        group by u.organization_id`,
    ]);
    for (const { organization_id, used } of rows) this.#used.set(organization_id, used);
  }

  /** Rows in one order, so that two claims never wait for each other. */
  async #write(): Promise<void> {
    const { sql } = this.#context;
    if (this.#added.size === 0) return;
    const rows = [...this.#added.values()];
    await sql`
      insert into alert_usage as u ${namedRows(sql, 'alert_usage', rows)}
      order by organization_id, month, channel
      on conflict (organization_id, month, channel) do update set used = u.used + excluded.used`;
  }

  /**
   * Notifies admins once a month for each percentage; the key is unique. Such a notice does not
   * count toward the limit.
   */
  async #warn(limited: Limited): Promise<void> {
    const { sql } = this.#context;
    const { id, limit, month } = limited;
    const percent = usagePercent(this.#usedBy(limited), limit);
    if (percent === undefined) return;
    const usage: AlertUsage = { month, limit, percent };
    // The recipient's key as recipientKeyOf writes it.
    await sql`
      insert into outbox (organization_id, key, kind, channel, recipient_key, notice, cycle, step, rank,
        state, attempts, created_at, wake_at)
      select ${id}, ${`usage/${month}/${limit}/${percent}/${signInChannel}/`} || c.id, 'alert_usage', ${signInChannel},
        ${`${signInChannel} `} || left(encode(sha256(convert_to(c.address, 'UTF8')), 'hex'), 32),
        json_build_object('v', ${DOCUMENT_VERSION}::integer, 'address', c.address,
          'recipient', ${personName(sql, 'u')}, 'mention', null,
          'why', 'you are an admin of the organization', 'usage', ${json(sql, usage)}),
        0, 0, ${adminNoticeRanks.other}, 'pending', 0, ${this.#now}::timestamptz, ${this.#now}::timestamptz
      from users u
      join contacts c on c.organization_id = u.organization_id and c.user_id = u.id
      where u.organization_id = ${id} and u.active and u.role = any(${[...adminRoles]})
        and c.channel = ${signInChannel} and c.verified_at is not null
      on conflict (organization_id, key) do nothing`;
  }

  #usedBy({ id }: Limited): number {
    return this.#used.get(id) ?? 0;
  }

  #monthOf(organizationId: string): string {
    const { timezone = 'Etc/UTC' } = this.#organizations.get(organizationId) ?? {};
    return monthOf(this.#now, timezone);
  }
}

type UsageRow = { organization_id: string; month: string; channel: string; used: number };
type UsageInput = {
  readonly notices: readonly Claimed[];
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly now: Temporal.Instant;
};
