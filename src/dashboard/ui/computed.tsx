// What the server computes of a draft: said as it comes, and faint while it is of an earlier draft.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { PagerError } from '../api/pager.ts';
import { previewFailure } from '../api/preview-failure.ts';
import { words } from './words.ts';

type ComputedProps<Data> = {
  title: string;
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPlaceholderData'>;
  /** The server would refuse what is not complete. */
  isComplete: boolean;
  /** What is asked next is another draft. */
  isLate: boolean;
  incomplete: string;
  /** Below the title. */
  above?: ReactNode;
  children: (data: Data) => ReactNode;
};

export function Computed<Data>(props: ComputedProps<Data>) {
  const { title, query, isComplete, isLate, incomplete, above, children } = props;
  const { data, error, isPlaceholderData } = query;
  const id = useId();
  const isOfOther = isComplete && (isLate || isPlaceholderData);
  const text = (): string | null => {
    if (!isComplete) return incomplete;
    if (error instanceof PagerError && !isLate)
      return error.failure.type === 'refused' ? incomplete : previewFailure(error.failure);
    return data === undefined ? words.computing : null;
  };
  const instead = text();
  return (
    <section aria-labelledby={id} aria-busy={isOfOther} className="flex min-w-0 flex-col gap-2">
      <h2 id={id} className="font-medium">
        {title}
      </h2>
      {above}
      <div aria-live="polite" className={isOfOther ? 'opacity-60' : ''}>
        {instead === null && data !== undefined ? (
          children(data)
        ) : (
          <p className="text-ink2">{instead}</p>
        )}
      </div>
    </section>
  );
}
