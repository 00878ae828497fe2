import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ofItsOwn } from '../api/queries.ts';
import type { ReplayAnswer } from './replay.ts';

type ReplayOptions<Input> = {
  /** Whose replay it is. */
  queryKey: readonly unknown[];
  /** What would be sent now. */
  input: Input;
  read: (input: Input) => Promise<ReplayAnswer>;
};

/** A replay of past events, made only by hand; stale once what would be sent differs from what was. */
export function useReplay<Input>({ queryKey, input, read }: ReplayOptions<Input>) {
  const [sent, setSent] = useState<{ readonly input: Input }>();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKey, sent?.input],
    queryFn: () => read(sent?.input ?? input),
    enabled: sent !== undefined,
    ...ofItsOwn,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isStale = sent !== undefined && JSON.stringify(sent.input) !== JSON.stringify(input);
  const run = () => (sent === undefined || isStale ? setSent({ input }) : void refetch());
  return { data, error, isFetching, isStale, run };
}
