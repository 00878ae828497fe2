// What of a schedule's layers stays when Terraform writes them: it cannot express all of a layer,
// and does not remove what it did not change.
import { contentOf, type DeclaredLayer } from './content.ts';

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
  const free = new Set(before.keys());
  const stored = before.map((layer) => contentOf(expressible(layer)));
  const wanted = written.map((layer) => contentOf(expressible(layer)));
  const take = (index: number | undefined) =>
    index !== undefined && free.delete(index) ? index : null;
  const stayed = wanted.map((content, index) => (content === stored[index] ? take(index) : null));
  const pairs = wanted.map(
    (content, index) => stayed[index] ?? take([...free].find((each) => stored[each] === content)),
  );
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
