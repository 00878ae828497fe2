import { monthOf } from '../../engine/sending/monthly-limit.ts';
import type { Queries } from '../database/database.ts';
import { sealedOrganization } from '../people/organization.ts';

/** What an organisation used this month of its monthly limit. */
export type Quota = {
  readonly month: string;
  /** Absent: no limit. */
  readonly limit?: number;
  readonly used: number;
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
  return {
    month,
    ...(limit !== undefined && { limit }),
    used: usages.reduce((sum, { used }) => sum + used, 0),
    by_channel: Object.fromEntries(usages.map(({ channel, used }) => [channel, used])),
  };
}
