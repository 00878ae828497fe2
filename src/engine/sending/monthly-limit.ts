// The monthly limit: every notice to a person, and every notice of a shift to a chat channel, counts
// once, when its first try is claimed.
import { usagePercent } from '../../incidents/admin-notices.ts';
import type { AlertUsage } from '../../notices/kinds/usage.ts';
import { isLimited } from '../../notices/queued.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { Claimed } from './claimed.ts';

/** The month in which something counts, as `2026-11`. */
export const monthOf = (now: Temporal.Instant, timezone: string): string =>
  clockIn(timezone, now).toPlainDate().toPlainYearMonth().toString();

type Month = { readonly start: Temporal.Instant; readonly end: Temporal.Instant };

/** Of the month in which something counts, on the clock of the organization. */
export function monthAround(now: Temporal.Instant, timezone: string): Month {
  const first = clockIn(timezone, now).with({ day: 1 });
  return {
    start: first.startOfDay().toInstant(),
    end: first.add({ months: 1 }).startOfDay().toInstant(),
  };
}

/** A month is not told by its first hours. */
const PROJECTED_AFTER_HOURS = 24;

/** What is used by the end of the month if it goes on as it did; undefined: it is too early to tell. */
export function projectedUsage(
  used: number,
  { start, end }: Month,
  now: Temporal.Instant,
): number | undefined {
  const elapsed = now.since(start).total('hours');
  if (elapsed < PROJECTED_AFTER_HOURS) return undefined;
  return Math.round((used * end.since(start).total('hours')) / elapsed);
}

type Counted = Pick<
  Claimed,
  'organization_id' | 'channel' | 'about' | 'user_id' | 'attempt' | 'isCounted'
>;

const counts = (notice: Counted): boolean =>
  notice.attempt === 1 && notice.isCounted === undefined && isLimited(notice);

type Organization = { readonly timezone: string; readonly monthly_alert_limit: number | null };

type LimitedUsage = { readonly id: string; readonly limit: number; readonly month: string };

type AddedUsage = {
  readonly organization_id: string;
  readonly month: string;
  readonly channel: string;
  readonly used: number;
};

/** What one claim adds to the usage of each organization. */
export class Usage {
  /** Organizations with a limit toward which one of the notices counts, in the order of their ids. */
  readonly limited: readonly LimitedUsage[];
  readonly #now: Temporal.Instant;
  readonly #organizations: ReadonlyMap<string, Organization>;
  readonly #added = new Map<string, AddedUsage>();
  readonly #used = new Map<string, number>();

  constructor(
    notices: readonly Counted[],
    organizations: ReadonlyMap<string, Organization>,
    now: Temporal.Instant,
  ) {
    this.#now = now;
    this.#organizations = organizations;
    const ids = new Set(notices.filter(counts).map(({ organization_id }) => organization_id));
    this.limited = [...ids].sort().flatMap((id) => {
      const limit = organizations.get(id)?.monthly_alert_limit ?? null;
      return limit === null ? [] : [{ id, limit, month: this.#monthOf(id) }];
    });
  }

  /** How much was used of a limited month before the claim. */
  setUsed(organizationId: string, used: number): void {
    this.#used.set(organizationId, used);
  }

  /** Whether the organization has used up its limit and this notice would count. */
  isReached(notice: Counted): boolean {
    if (!counts(notice)) return false;
    const limited = this.limited.find(({ id }) => id === notice.organization_id);
    return limited !== undefined && this.#usedBy(limited) >= limited.limit;
  }

  count(notice: Counted): void {
    if (!counts(notice)) return;
    const { organization_id, channel } = notice;
    const month = this.#monthOf(organization_id);
    const key = `${organization_id} ${channel}`;
    const used = (this.#added.get(key)?.used ?? 0) + 1;
    this.#added.set(key, { organization_id, month, channel, used });
    this.#used.set(organization_id, (this.#used.get(organization_id) ?? 0) + 1);
  }

  get added(): readonly AddedUsage[] {
    return [...this.#added.values()];
  }

  /** What admins are notified of, once for each percentage. */
  warnings(): readonly { readonly id: string; readonly usage: AlertUsage }[] {
    return this.limited.flatMap((limited) => {
      const { id, limit, month } = limited;
      const percent = usagePercent(this.#usedBy(limited), limit);
      return percent === undefined ? [] : [{ id, usage: { month, limit, percent } }];
    });
  }

  #usedBy({ id }: LimitedUsage): number {
    return this.#used.get(id) ?? 0;
  }

  #monthOf(organizationId: string): string {
    const timezone = this.#organizations.get(organizationId)?.timezone ?? 'Etc/UTC';
    return monthOf(this.#now, timezone);
  }
}
