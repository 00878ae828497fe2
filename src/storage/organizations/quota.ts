import { monthAround, monthOf, projectedUsage } from '../../engine/sending/monthly-limit.ts';
import type { Queries } from '../database/database.ts';
import { sealedOrganization } from '../people/organization.ts';
import { timeText } from '../records/rows.ts';

/** What an organisation used this month of its monthly limit. */
export type Quota = {
  readonly month: string;
  /** Absent: no limit. */
  readonly limit?: number;
  readonly used: number;
  /** At the end of the month, as far as can be told; absent: it has only begun. */
  readonly projected?: number;
  /** When the next month begins. */
  readonly resets_at: string;
  readonly by_channel: Readonly<Record<string, number>>;
};

type QuotaQuery = { readonly organizationId: string; readonly now: Temporal.Instant };
type Usage = { readonly channel: string; readonly used: number };

export async function readQuota(sql: Queries, { organizationId, now }: QuotaQuery): Promise<Quota> {
  const organization = await sealedOrganization(sql, organizationId);
  const { timezone, monthly_alert_limit: limit } = organization;
  const month = monthOf(now, timezone);
  const usages = await sql<Usage[]>`
    select channel, used from alert_usage
    where organization_id = ${organizationId} and month = ${month} order by channel`;
  const used = usages.reduce((sum, one) => sum + one.used, 0);
  const around = monthAround(now, timezone);
  const projected = projectedUsage(used, around, now);
  return {
    month,
    ...(limit !== undefined && { limit }),
    used,
    ...(projected !== undefined && { projected }),
    resets_at: timeText(around.end),
    by_channel: Object.fromEntries(usages.map(({ channel, used }) => [channel, used])),
  };
}
