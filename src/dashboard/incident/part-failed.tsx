import type { UseQueryResult } from '@tanstack/react-query';
import { failureText } from '../../client/answer.ts';
import { PagerError } from '../api/pager.ts';
import { Button } from '../ui/button.tsx';
import { words as uiWords } from '../ui/words.ts';

type PartFailedProps = {
  /** What is missing. */
  text: string;
  query: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>;
  className?: string;
};

/** In one line, where a part of the page would be. */
export function PartFailed({ text, query, className = inText }: PartFailedProps) {
  const { data, error, refetch } = query;
  if (data !== undefined || !(error instanceof PagerError)) return null;
  return (
    <div role="alert" className={className}>
      <p className="min-w-0 text-pretty">
        {text}: {failureText(error.failure)}
      </p>
      <Button icon="refresh-cw" onClick={() => void refetch()}>
        {uiWords.retry}
      </Button>
    </div>
  );
}

const inText = 'my-2 flex flex-wrap items-center gap-x-3 gap-y-1';
