// What did not page somebody, and the page that mends it.
import type { Entry, Row } from './story.ts';

type Skipped = {
  readonly name: string;
  readonly user_id: string | null;
  readonly on_call?: { readonly schedule_id: string; readonly schedule: string };
  readonly reason: string;
};

export type Mend =
  | { readonly to: '/settings/channels' }
  | { readonly to: '/on-calls/$id' | '/users/$id'; readonly id: string; readonly name: string };

/** Whether it is a failure as a whole. */
export const isFailed = ({ entry: { type }, notices }: Row): boolean =>
  type === 'step_skipped' ||
  type === 'nobody_paged' ||
  type === 'not_all_paged' ||
  (notices.length > 0 && notices.every(({ state }) => state === 'failed'));

/** Each page once, in the order of who was skipped. */
export function mendsOf({ details }: Entry): readonly Mend[] {
  const { skipped } = (details ?? {}) as { skipped?: unknown };
  if (!Array.isArray(skipped)) return [];
  const mends = (skipped as readonly Skipped[]).flatMap(mendOf);
  return [...new Map(mends.map((mend) => [JSON.stringify(mend), mend])).values()];
}

function mendOf({ name, user_id, on_call, reason }: Skipped): readonly Mend[] {
  // As the engine says it of a channel, whoever was to be paged.
  if (reason.includes('not set up')) return [{ to: '/settings/channels' }];
  if (user_id !== null) return [{ to: '/users/$id', id: user_id, name }];
  if (on_call === undefined) return [];
  return [{ to: '/on-calls/$id', id: on_call.schedule_id, name: on_call.schedule }];
}
