import type { Schedule } from '../../oncall/on-call.ts';
import type { Layer } from '../../resources/oncall-schedule.ts';
import type { Anchor } from '../record-rows.ts';

export type ScheduleRow = {
  id: string;
  name: string;
  layers: readonly Layer[];
  timezone: string;
  anchors: readonly Anchor[];
  created_at: Temporal.Instant;
  archived_at: Temporal.Instant | null;
};

/** A stored schedule as the on-call function takes it. */
export function scheduleOf(row: ScheduleRow) {
  const schedule: Schedule = {
    timezone: row.timezone,
    created_at: row.created_at,
    layers: row.layers.map((layer, index) => {
      const anchor = row.anchors[index];
      if (!anchor) throw new Error(`schedule ${row.id} has no anchor for layer ${index}`);
      return { ...layer, anchor: { at: Temporal.Instant.from(anchor.at), turn: anchor.turn } };
    }),
  };
  return { name: row.name, archived: row.archived_at !== null, schedule };
}
