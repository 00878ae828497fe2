// The events of the last days with the saved grouping and with the one in the form.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { use, useId } from 'react';
import { PagerError, readComputed } from '../../api/pager.ts';
import { FormAround } from '../../form/around.tsx';
import type { Draft } from '../../form/draft.ts';
import { integrations } from '../../integrations/kind.ts';
import { recordQuery } from '../../records/queries.ts';
import type { ReplayAnswer } from '../../rules/replay.ts';
import { Replayed, ReplayFailed } from '../../rules/replayed.tsx';
import { useReplay } from '../../rules/use-replay.ts';
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
  const { data, error, isFetching, isStale, run } = useReplay({
    queryKey: ['integrations', id, 'replay', teamId],
    input: grouping,
    read: (sent) =>
      readComputed('/alert-rules/replay', {
        ...(teamId !== undefined && { team_id: teamId }),
        days: DAYS,
        grouping: { integration_id: id, ...sent },
      }),
  });
  // Both sides of the comparison have the saved settings, but for the grouping.
  if (saved?.['disable_incident_suppression'] === true)
    return <p className="text-sm text-ink3">{words.trialOff}</p>;
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
      <Button className="self-start" disabled={isFetching || !isComplete} onClick={run}>
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
