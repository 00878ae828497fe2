// The events of the last days with the saved grouping and with the one in the form.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { use, useId, useState } from 'react';
import { PagerError, readComputed } from '../../api/pager.ts';
import { ofItsOwn } from '../../api/queries.ts';
import { FormAround } from '../../form/around.tsx';
import type { Draft } from '../../form/draft.ts';
import { integrations } from '../../integrations/kind.ts';
import { recordQuery } from '../../records/queries.ts';
import type { ReplayAnswer } from '../../rules/replay.ts';
import { Replayed, ReplayFailed } from '../../rules/replayed.tsx';
import { Button } from '../../ui/button.tsx';
import { Warnings } from '../../ui/warnings.tsx';
import { words } from './words.ts';

const DAYS = 7;

type GroupingTrialProps = {
  /** As the API takes it. */
  grouping: Draft;
  isComplete: boolean;
};

export function GroupingTrial({ grouping, isComplete }: GroupingTrialProps) {
  const headId = useId();
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const { teamId } = use(FormAround);
  const { data: saved } = useQuery(recordQuery(integrations, id));
  const [sent, setSent] = useState<Draft>();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['integrations', id, 'replay', teamId, sent],
    queryFn: () =>
      readComputed<ReplayAnswer>('/alert-rules/replay', {
        ...(teamId !== undefined && { team_id: teamId }),
        days: DAYS,
        grouping: { integration_id: id, ...sent },
      }),
    enabled: sent !== undefined,
    ...ofItsOwn,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Both sides of the comparison have the saved settings, but for the grouping.
  if (saved?.['disable_incident_suppression'] === true)
    return <p className="text-sm text-ink3">{words.trialOff}</p>;
  const isStale = sent !== undefined && JSON.stringify(sent) !== JSON.stringify(grouping);
  return (
    <section aria-labelledby={headId} className="flex flex-col gap-3">
      <div>
        <h2 id={headId} className="font-medium">
          {words.trialTitle}
        </h2>
        <p className="text-sm text-pretty text-ink3">
          {isComplete ? words.trialText : words.trialIncomplete}
        </p>
      </div>
      <Button
        className="self-start"
        disabled={isFetching || !isComplete}
        onClick={() => (sent === undefined || isStale ? setSent(grouping) : void refetch())}
      >
        {isFetching ? words.trying : words.trial(DAYS)}
      </Button>
      <div role="status" className="flex flex-col gap-4 empty:hidden">
        {isStale && <p className="text-ink2">{words.trialStale}</p>}
        {error instanceof PagerError && !isStale && !isFetching && (
          <ReplayFailed failure={error.failure} />
        )}
        {data && !isStale && <Result answer={data} />}
      </div>
    </section>
  );
}

function Result({ answer }: { answer: ReplayAnswer }) {
  const { quiet_though_worse: count } = answer;
  const text = words.quietThoughWorse(count);
  return (
    <>
      {count === 0 ? <p>{text}</p> : <Warnings warnings={[text]} />}
      <Replayed answer={answer} sides={words} />
    </>
  );
}
