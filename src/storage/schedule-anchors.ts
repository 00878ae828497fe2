import { isDeepStrictEqual } from 'node:util';
import type { Ids } from '../engine/ids.ts';
import { anchorOf } from '../oncall/rotation.ts';
import type { Layer } from '../resources/oncall-schedule.ts';
import type { Anchor, StoredRecord } from './record-rows.ts';

type Fields = Readonly<Record<string, unknown>>;
type Edit = {
  readonly schedule: Fields;
  /** What was stored; none for a new schedule. */
  readonly before?: StoredRecord;
  readonly now: Temporal.Instant;
};

/** Layers equal in content keep their anchor, wherever they move; others begin anew. */
export function anchorLayers(ids: Ids, { schedule, before, now }: Edit): readonly Anchor[] {
  const timezone = String(schedule['timezone']);
  const old = before?.fields['timezone'] === timezone ? before : undefined;
  const left = layersOf(old?.fields).map((layer, index) => ({
    layer,
    anchor: old?.anchors?.[index],
  }));
  return layersOf(schedule).map((layer): Anchor => {
    const index = left.findIndex((each) => isDeepStrictEqual(each.layer, layer));
    const [kept] = index < 0 ? [] : left.splice(index, 1);
    if (kept?.anchor) return kept.anchor;
    const { at, turn } = anchorOf(layer.rotation, timezone, now);
    return {
      id: ids.next(),
      at: at.toString({ fractionalSecondDigits: 3 }),
      turn: turn % layer.users.length,
    };
  });
}

const layersOf = (fields: Fields | undefined): readonly Layer[] =>
  // Stored and sent schedules were both read against the declaration.
  (fields?.['layers'] ?? []) as readonly Layer[];
