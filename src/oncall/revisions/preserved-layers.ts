// What of a schedule's layers stays when Terraform writes them: it cannot express all of a layer,
// and does not remove what it did not change.
import { contentOf, type DeclaredLayer, pairEqual } from './content.ts';

export type PreservedLayers = {
  readonly layers: readonly DeclaredLayer[];
  /** The indexes of the layers before that none of the written ones is equal to. */
  readonly changed: readonly number[];
};

/** The written layers; one that is equal to a stored one, as Terraform can express it, stays that. */
export function preserveLayers(
  before: readonly DeclaredLayer[],
  written: readonly DeclaredLayer[],
): PreservedLayers {
  const contents = (layers: readonly DeclaredLayer[]) =>
    layers.map((layer) => contentOf(expressible(layer)));
  const { pairs, free } = pairEqual(contents(before), contents(written));
  const layers = written.map((layer, index) => {
    const was = before[pairs[index] ?? -1];
    if (was === undefined) return layer;
    const { name: _name, ...preserved } = was;
    return layer.name === undefined ? preserved : { name: layer.name, ...preserved };
  });
  return { layers, changed: [...free] };
}

function expressible({ users, rotation, restriction }: DeclaredLayer): DeclaredLayer {
  const { since: _since, counts: _counts, ...turning } = rotation;
  const people = users.filter((user) => user !== null);
  return { users: people, rotation: turning, ...(restriction && { restriction }) };
}
