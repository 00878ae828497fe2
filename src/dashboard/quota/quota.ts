// How much of the monthly limit is used, as its page has it.
import { quotaMarks } from '../../resources/quota-marks.ts';

export type Quota = {
  /** `2026-11`. */
  readonly month: string;
  readonly limit?: number;
  readonly used: number;
  /** By the end of the month; absent on its first day. */
  readonly projected?: number;
  readonly resets_at: string;
  readonly stops_pages: boolean;
  readonly by_channel: Readonly<Record<string, number>>;
};

export type State = 'unlimited' | 'within' | 'near' | 'reached';

export function stateOf({ used, limit }: Pick<Quota, 'used' | 'limit'>): State {
  if (limit === undefined) return 'unlimited';
  if (used >= limit) return 'reached';
  return used * 100 >= limit * quotaMarks[0] ? 'near' : 'within';
}

export type Bar = {
  /** All are percentages of its length. */
  readonly used: number;
  readonly projected: number;
  readonly marks: readonly { readonly share: number; readonly at: number }[];
};

/** As long as the largest of them; null: without a limit there is nothing to compare with. */
export function barOf({ used, limit, projected }: Quota): Bar | null {
  if (limit === undefined) return null;
  const whole = Math.max(limit, used, projected ?? 0, 1);
  const percent = (count: number) => (count / whole) * 100;
  return {
    used: percent(used),
    projected: percent(Math.max(used, projected ?? 0)),
    marks: quotaMarks.map((share) => ({ share, at: percent((limit * share) / 100) })),
  };
}

export type ChannelUse = {
  readonly channel: string;
  readonly count: number;
  readonly share: number;
};

/** The largest first. */
export const channelsOf = ({ used, by_channel }: Quota): readonly ChannelUse[] =>
  Object.entries(by_channel)
    .map(([channel, count]) => ({ channel, count, share: (count / Math.max(used, 1)) * 100 }))
    .toSorted((one, other) => other.count - one.count);

/** The first of the month, in UTC: a month has no zone. */
export const monthStart = ({ month }: Pick<Quota, 'month'>): Date => new Date(`${month}-01T00:00Z`);
