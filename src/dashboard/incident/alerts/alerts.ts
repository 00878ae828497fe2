// The alerts of an incident, as the API answers them.
import type { Sent } from '../details.ts';

export type Alert = Sent & {
  readonly id: string;
  readonly integration_id: string;
  readonly dedup_key: string;
  readonly state: 'firing' | 'resolved';
  readonly priority?: string;
  readonly severity?: string;
  readonly first_at: string;
  readonly last_at: string;
  readonly times: number;
  readonly resolved_at?: string;
  readonly expires_at?: string;
};

export type AlertPage = {
  readonly data: readonly Alert[];
  readonly next_cursor: string | null;
};

/** Each once: one that ends between two requests is on two pages, as the later one has it. */
export const alertsIn = (pages: readonly AlertPage[]): readonly Alert[] => [
  ...new Map(pages.flatMap(({ data }) => data).map((one) => [one.id, one])).values(),
];
