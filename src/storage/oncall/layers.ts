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
    generated_at: timeText(generated_at),
  }));

export function layersOf(
  declared: readonly DeclaredLayer[],
  anchors: readonly Anchor[],
): readonly Layer[] {
  return declared.map((layer, index) => {
    const anchor = anchors[index];
    if (anchor === undefined) throw new Error(`nothing is kept of layer ${index}`);
    return {
      ...layer,
      id: anchor.id,
      anchor: { at: Temporal.Instant.from(anchor.at), turn: anchor.turn },
      generated_at: Temporal.Instant.from(anchor.generated_at),
    };
  });
}
