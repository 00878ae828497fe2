import { Button } from '../ui/button.tsx';
import { countable, type Draft } from './draft.ts';
import { layerTitle } from './layer-text.ts';
import type { Effects } from './moves.ts';
import { editWords as words } from './words.ts';

type CountOpenProps = {
  draft: Draft;
  change: (draft: Draft) => void;
  warnings: Effects['warnings'];
};

/** Where somebody would never be on call: the layers whose days without hours could be left out. */
export function CountOpen({ draft, change, warnings }: CountOpenProps) {
  if (!warnings.some(({ code }) => code === 'no_shift')) return null;
  const { layers } = draft;
  return countable(draft).flatMap((index) => {
    const layer = layers[index];
    if (layer === undefined) return [];
    return (
      <Button
        key={layer.key}
        className="self-start"
        onClick={() =>
          change({ ...draft, layers: layers.with(index, { ...layer, counts: 'open' }) })
        }
      >
        {words.countOpen(layerTitle(layer, index))}
      </Button>
    );
  });
}
