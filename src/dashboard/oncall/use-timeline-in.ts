import { useQuery } from '@tanstack/react-query';
import { useLate } from '../ui/use-late.ts';
import { timelineQuery } from './queries.ts';
import type { TypedSpan } from './use-typed-span.ts';

const nothing = { start: 0, end: 0 };

/** Who is on call in a span that is being typed. */
export function useTimelineIn(id: string, { span }: Pick<TypedSpan, 'span'>) {
  const late = useLate(span);
  const query = useQuery({ ...timelineQuery(id, late ?? nothing), enabled: late !== null });
  const { data, isError, isPlaceholderData } = query;
  // Until then it is known of another time only.
  const isKnown =
    span !== null &&
    late?.start === span.start &&
    late.end === span.end &&
    (isError || (data !== undefined && !isPlaceholderData));
  return { query, isKnown };
}
