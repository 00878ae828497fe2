import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PagerError } from '../api/pager.ts';
import { Trouble } from './panel.tsx';
import { words } from './words.ts';

type LoadedProps<Data> = {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
};

/** What was read; until then bars in its place, and if it fails the API's own sentence. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error instanceof PagerError)
    return <Trouble title={words.notRead} failure={error.failure} retry={refetch} />;
  // A mistake of ours, which the page around it shows.
  if (error !== null) throw error;
  return <Reading />;
}

/** Bars in place of what is being read. */
export const Reading = () => (
  <div role="status" aria-label={words.loading} className="appear-late flex flex-col gap-3 p-4">
    {['w-64', 'w-80', 'w-56'].map((width) => (
      <span key={width} className={`h-5 max-w-full rounded-sm bg-line ${width}`} />
    ))}
  </div>
);
