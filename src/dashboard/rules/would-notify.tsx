// Who would be notified of a tried alert, with the rules of the team as they would be.
import { useQuery } from '@tanstack/react-query';
import { PagerError, readComputed } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import type { Draft } from '../form/draft.ts';
import { SimulatedNotices } from '../integration/simulated-notices.tsx';
import type { Simulation } from '../integration/simulation.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Reading } from '../ui/loaded.tsx';
import { readProposedRules } from './read-proposed-rules.ts';

type WouldNotifyProps = {
  rule: Draft;
  id: string | undefined;
  teamId: string | undefined;
  /** As POST /simulate takes it, without the rules. */
  simulation: Draft;
};

export function WouldNotify(props: WouldNotifyProps) {
  const { data, error } = useQuery({
    queryKey: ['alert-rules', 'simulation', props],
    queryFn: () => simulate(props),
    ...ofItsOwn,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
  });
  if (data) return <SimulatedNotices simulation={data} />;
  return error instanceof PagerError ? <FailedWrite failure={error.failure} /> : <Reading />;
}

async function simulate({ rule, id, teamId, simulation }: WouldNotifyProps) {
  const rules = await readProposedRules({ rule, id, teamId });
  return readComputed<Simulation>('/simulate', { ...simulation, configuration: { rules } });
}
