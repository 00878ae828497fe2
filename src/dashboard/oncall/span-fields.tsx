import { TextField } from '../ui/field.tsx';
import { DraftTrack } from './draft-track.tsx';
import type { TypedSpan } from './use-typed-span.ts';
import { coverWords as words } from './words.ts';

type SpanFieldsProps = { id: string; timezone: string; typed: TypedSpan };

/** From when to when, as times to type and as edges to drag. */
export function SpanFields({ id, timezone, typed }: SpanFieldsProps) {
  const { start, end, span, type, move } = typed;
  return (
    <>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <TextField
          path="start"
          label={words.from}
          type="datetime-local"
          value={start.text}
          onChange={(text) => type('start', text)}
        />
        <TextField
          path="end"
          label={words.to}
          type="datetime-local"
          value={end.text}
          onChange={(text) => type('end', text)}
        />
      </div>
      {span && <DraftTrack id={id} timezone={timezone} draft={span} change={move} />}
    </>
  );
}
