import type { Span } from './axis.ts';

export type Move = 'next' | 'previous' | 'up' | 'down' | 'first' | 'last';
export type Place = { readonly lane: number; readonly index: number };

/** Where a key leads from a shift; null: nowhere. To another lane it leads to what is then there. */
export function moved(
  lanes: readonly (readonly Span[])[],
  { lane, index }: Place,
  move: Move,
): Place | null {
  const own = lanes[lane] ?? [];
  switch (move) {
    case 'next':
      return index + 1 < own.length ? { lane, index: index + 1 } : null;
    case 'previous':
      return index > 0 ? { lane, index: index - 1 } : null;
    case 'first':
      return own.length > 0 ? { lane, index: 0 } : null;
    case 'last':
      return own.length > 0 ? { lane, index: own.length - 1 } : null;
    case 'up':
    case 'down':
      return inOtherLane(lanes, { lane, index }, move === 'up' ? -1 : 1);
  }
}

function inOtherLane(
  lanes: readonly (readonly Span[])[],
  { lane, index }: Place,
  step: 1 | -1,
): Place | null {
  const from = lanes[lane]?.[index];
  if (from === undefined) return null;
  for (let other = lane + step; lanes[other] !== undefined; other += step) {
    const spans = lanes[other] ?? [];
    const middle = (from.start + from.end) / 2;
    const distance = ({ start, end }: Span) => Math.max(start - middle, middle - end, 0);
    const [nearest] = [...spans.keys()].sort(
      (one, two) => distance(spans[one] ?? from) - distance(spans[two] ?? from),
    );
    if (nearest !== undefined) return { lane: other, index: nearest };
  }
  return null;
}
