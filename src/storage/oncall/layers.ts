// A schedule's layers are kept in two lists: as they were declared, and what the service keeps of
// each beside it.
import type { DeclaredLayer } from '../../oncall/revisions/edits.ts';
import type { Layer } from '../../oncall/schedule.ts';
import { type Anchor, timeText } from '../records/rows.ts';

export const anchorsOf = (layers: readonly Layer[]): readonly Anchor[] =>
  layers.map(({ id, anchor, generated_at }) => ({
    id,
    at: timeText(anchor.at),
    turn: anchor.turn,
    ...(anchor.running && { running: anchor.running }),
    generated_at: timeText(generated_at),
  }));

export function layersOf(
  declared: readonly DeclaredLayer[],
  anchors: readonly Anchor[],
): readonly Layer[] {
  return declared.map((layer, index) => {
    const anchor = anchors[index];
    if (anchor === undefined) throw new Error(`nothing is kept of layer ${index}`);
    const { id, at, generated_at, ...turns } = anchor;
    return {
      ...layer,
      id,
      anchor: { ...turns, at: Temporal.Instant.from(at) },
      generated_at: Temporal.Instant.from(generated_at),
    };
  });
}
