import { useState } from 'react';
import { instantOfText, localText, type Span } from './axis.ts';

/** A time as it is typed; what is not touched keeps its instant, also where an hour comes twice. */
type Typed = { readonly text: string; readonly at: number | null };

/** What is no time goes as it is, for the API to refuse. */
export const isoOf = ({ at, text }: Typed): string =>
  at === null ? text : new Date(at).toISOString();

export type TypedSpan = {
  readonly start: Typed;
  readonly end: Typed;
  /** Null: it has no two times yet, or ends before it starts. */
  readonly span: Span | null;
  type(edge: keyof Span, text: string): void;
  move(next: Span): void;
};

/** A span whose edges are typed on the clock of a zone, or moved. */
export function useTypedSpan(timezone: string, initial: Span): TypedSpan {
  const typed = (at: number): Typed => ({ text: localText(timezone, at), at });
  const [start, setStart] = useState(() => typed(initial.start));
  const [end, setEnd] = useState(() => typed(initial.end));
  const isSpan = start.at !== null && end.at !== null && start.at < end.at;
  return {
    start,
    end,
    span: isSpan ? { start: start.at ?? 0, end: end.at ?? 0 } : null,
    type(edge, text) {
      const next = { text, at: instantOfText(timezone, text) };
      if (edge === 'start') setStart(next);
      else setEnd(next);
    },
    move(next) {
      if (next.start !== start.at) setStart(typed(next.start));
      if (next.end !== end.at) setEnd(typed(next.end));
    },
  };
}
