// The events of the last days with the saved rules and with others: what differs, side by side.
import { useId, useState } from 'react';
import { queryLimits } from '../../limits/queries.ts';
import { PagerError, readComputed } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
import type { Draft } from '../form/draft.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { rules } from './kind.ts';
import { readProposedRules } from './read-proposed-rules.ts';
import type { ReplayAnswer } from './replay.ts';
import { Replayed, ReplayFailed } from './replayed.tsx';
import { useReplay } from './use-replay.ts';
import { words } from './words.ts';

const periods = [1, 7, queryLimits.simulationDays];

type ReplayProps = {
  /** Null: it is left out. */
  rule: Draft | null;
  id: string | undefined;
  teamId: string | undefined;
};

export function Replay({ rule, id, teamId }: ReplayProps) {
  const headId = useId();
  const [days, setDays] = useState('7');
  const isAllowed = useMay('manager') === true;
  const { data, error, isFetching, isStale, run } = useReplay({
    queryKey: ['alert-rules', 'replay', id, teamId],
    input: { days, rule },
    read: (sent) => replay({ ...sent, id, teamId }),
  });
  if (!isAllowed) return null;
  const which = rule === null ? 'without' : 'draft';
  const sides = { saved: words.saved[which], proposed: words.proposed[which] };
  return (
    <section aria-labelledby={headId} className="flex flex-col gap-3">
      <div>
        <h2 id={headId} className="text-lg font-bold">
          {words.replayTitle}
        </h2>
        <p className="text-pretty text-ink2">
          {rule === null ? words.replayWithout : words.replayText}
        </p>
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          path=""
          label={words.days}
          value={days}
          options={periods.map((one) => ({ value: String(one), text: words.dayChoice(one) }))}
          onChange={setDays}
        />
        <Button disabled={isFetching} onClick={run}>
          {isFetching ? words.replaying : words.replay}
        </Button>
      </div>
      <div role="status" className="flex flex-col gap-4 empty:hidden">
        {isStale && <p className="text-ink2">{words.staleReplay}</p>}
        {error instanceof PagerError && !isStale && <ReplayFailed failure={error.failure} />}
        {data && !isStale && <Replayed answer={data} sides={sides} />}
      </div>
    </section>
  );
}

async function replay({ rule, id, teamId, days }: ReplayProps & { days: string }) {
  return readComputed<ReplayAnswer>(`${rules.path}/replay`, {
    ...(teamId !== undefined && { team_id: teamId }),
    rules: await readProposedRules({ rule, id, teamId }),
    days: Number(days),
  });
}
