import type { History } from '../src/oncall/revisions/history.ts';
import { anchorOf } from '../src/oncall/rotation.ts';
import type { Schedule } from '../src/oncall/schedule.ts';

type TurnOptions = {
  readonly from: Temporal.Instant;
  readonly timezone?: string;
  readonly handoff?: string;
};

/** A schedule of one layer that changes every day; it begins with the first user's turn. */
export function dailyTurns(
  users: readonly (string | null)[],
  { from, timezone = 'Etc/UTC', handoff = '00:00' }: TurnOptions,
): Schedule & History {
  const rotation = { unit: 'days', length: 1, handoff } as const;
  const { at, turn } = anchorOf(rotation, 'Etc/UTC', from);
  const anchor = { at, turn: turn % users.length };
  const layers = [{ id: 'layer', users, rotation, anchor, generated_at: from }];
  const revision = { edit: 1, from, archived: false, timezone, layers };
  return { revisions: [revision], overrides: [] };
}
