import { isAfter, later } from './order.ts';

/** Start included, end excluded. */
export type Span = { readonly start: Temporal.Instant; readonly end: Temporal.Instant };

/** The parts of spans that no other covers. Both are in order, and do not overlap themselves. */
export function outside<One extends Span>(
  spans: readonly One[],
  others: readonly Span[],
): readonly One[] {
  let first = 0;
  return spans.flatMap((span) => {
    const left: One[] = [];
    let { start } = span;
    while (isAtOrAfter(start, others[first]?.end)) first += 1;
    for (const other of from(others, first)) {
      if (!isAfter(span.end, other.start)) break;
      if (isAfter(other.start, start)) left.push({ ...span, start, end: other.start });
      start = later(start, other.end);
    }
    if (isAfter(span.end, start)) left.push({ ...span, start });
    return left;
  });
}

/** The parts of spans that others cover. */
export const inside = (spans: readonly Span[], others: readonly Span[]): readonly Span[] =>
  outside(spans, outside(spans, others));

const isAtOrAfter = (one: Temporal.Instant, other: Temporal.Instant | undefined): boolean =>
  other !== undefined && !isAfter(other, one);

/** A slice would copy what is left once for each span. */
function* from(spans: readonly Span[], first: number): Generator<Span> {
  for (let index = first; index < spans.length; index += 1) yield spans[index] as Span;
}
