// Who would be paged by a policy, as it is in the form, now or at another time.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readComputed } from '../api/pager.ts';
import { AtTime } from '../oncall/at-time.tsx';
import { scheduleQuery } from '../oncall/queries.ts';
import type { When } from '../oncall/when.ts';
import { channelIcon, channelName } from '../ui/channel.ts';
import { Computed } from '../ui/computed.tsx';
import { Icon } from '../ui/icon.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { useLate } from '../ui/use-late.ts';
import { type Paged, type SimulatedNotice, type StepPages, stepPagesOf } from './simulated.ts';
import { stepsIn } from './steps.ts';
import { words } from './words.ts';

type Policy = Readonly<Record<string, unknown>>;

/** What is not named yet can be simulated too. */
const simulationQuery = (policy: Policy, at: string | null) =>
  queryOptions({
    queryKey: ['escalation-policies', 'simulation', policy, at],
    queryFn: async () => {
      const escalation_policy = { ...policy, name: policy['name'] || '-' };
      const body = { configuration: { escalation_policy }, ...(at !== null && { at }) };
      const { notices } = await readComputed<{ notices: readonly SimulatedNotice[] }>(
        '/simulate',
        body,
      );
      return stepPagesOf(notices);
    },
    staleTime: 0,
    retryOnMount: false,
  });

type WouldPageProps = {
  /** As the API takes it, with its id and its team. */
  policy: Policy;
  /** The API would refuse what is not complete. */
  isComplete: boolean;
};

export function WouldPage({ policy, isComplete }: WouldPageProps) {
  const [when, setWhen] = useState<When>(null);
  const at = when?.at ?? null;
  const late = useLate({ policy, at });
  const isLate = JSON.stringify(late) !== JSON.stringify({ policy, at });
  const query = useQuery({
    ...simulationQuery(late.policy, late.at),
    enabled: isComplete && !isLate,
  });
  return (
    <Computed
      title={words.wouldPage}
      query={query}
      isComplete={isComplete}
      isLate={isLate}
      incomplete={words.incomplete}
      above={
        <AtTime
          label={words.incidentAt}
          when={when}
          zone={useScheduleZone(policy)}
          choose={setWhen}
        />
      }
    >
      {(steps) => <Steps steps={steps} />}
    </Computed>
  );
}

/** That of the first schedule whose person the policy pages. */
function useScheduleZone(policy: Policy): string | undefined {
  const [id = ''] = stepsIn(policy['steps']).flatMap(({ targets }) =>
    targets.flatMap(({ oncall_schedule_id }) => oncall_schedule_id ?? []),
  );
  const { data } = useQuery({
    ...scheduleQuery(id),
    enabled: id !== '',
    refetchInterval: false,
    placeholderData: () => undefined,
  });
  return data?.timezone;
}

const Steps = ({ steps }: { steps: readonly StepPages[] }) => (
  <>
    <ol aria-label={words.wouldPage} className="flex flex-col gap-3 empty:hidden">
      {steps.map(({ step, afterMinutes, pages, reachesSomebody }) => (
        <li key={step}>
          <p className={`font-medium ${reachesSomebody ? '' : 'text-red'}`}>
            {words.stepAt(step, afterMinutes)}
            {!reachesSomebody && ` · ${words.reachesNobody}`}
          </p>
          {afterMinutes === null && <p className="text-sm text-ink2">{words.skipped}</p>}
          <ul className="empty:hidden">
            {pages.map((one) => (
              <Page key={JSON.stringify(one)} page={one} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
    <p className="mt-2 text-ink2">{words.thenNobody}</p>
  </>
);

const Page = ({ page: { userId, name, channel, route, reason } }: { page: Paged }) => (
  <li className="flex items-baseline gap-2 py-1">
    {userId === null ? (
      <Icon name={channelIcon(channel)} className="size-4 shrink-0 translate-y-0.5" />
    ) : (
      <PersonMark id={userId} name={name} />
    )}
    <span className="min-w-0 wrap-anywhere">
      <bdi>{name}</bdi>
      {route !== undefined && <span className="text-ink3"> {words.route(route)}</span>}
      <span className="block text-sm">
        {channelName(channel)}:{' '}
        {reason === null ? (
          <span className="text-green">{words.reached}</span>
        ) : (
          <span className="text-red">{words.notReached(reason)}</span>
        )}
      </span>
    </span>
  </li>
);
