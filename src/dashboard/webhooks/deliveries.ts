// Calls of an outbound webhook, as the API answers them.
export type Try = {
  readonly number: number;
  readonly at: string;
  readonly finished_at?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly status?: number;
  readonly answer?: string;
};

export type Delivery = {
  readonly id: string;
  readonly event_type: string;
  readonly test?: boolean;
  readonly incident?: { readonly number: number };
  readonly oncall_schedule?: { readonly id: string; readonly name: string };
  readonly state: string;
  readonly reason?: string;
  readonly redelivery_of?: string;
  readonly created_at: string;
  readonly next_try_at?: string;
  readonly tries: readonly Try[];
};

export type CallHealth =
  | { readonly type: 'unused' | 'waiting' | 'healthy' }
  /** isWhole: the call before that one was delivered, or there was none. */
  | { readonly type: 'failing'; readonly since: string; readonly isWhole: boolean };

/** Of the newest calls, newest first; `hasMore`: there are older ones. */
export function healthOf(deliveries: readonly Delivery[], hasMore: boolean): CallHealth {
  if (deliveries.length === 0) return { type: 'unused' };
  const known = deliveries.flatMap((one): { failed: boolean; at: string }[] => {
    if (one.state === 'sent') return [{ failed: false, at: one.created_at }];
    const [failed] = one.tries.filter(({ outcome }) => outcome === 'retry' || outcome === 'failed');
    return failed === undefined ? [] : [{ failed: true, at: failed.at }];
  });
  const [newest] = known;
  if (newest === undefined) return { type: 'waiting' };
  if (!newest.failed) return { type: 'healthy' };
  const delivered = known.findIndex(({ failed }) => !failed);
  const failing = delivered === -1 ? known : known.slice(0, delivered);
  const since = failing.at(-1)?.at ?? newest.at;
  return { type: 'failing', since, isWhole: delivered !== -1 || !hasMore };
}

/** An attempt is under way, or about to be made. */
export const isAwaited = (deliveries: readonly Delivery[]): boolean =>
  deliveries.some(({ state, tries }) => state === 'pending' && tries.at(-1)?.outcome === undefined);
