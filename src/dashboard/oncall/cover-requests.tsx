import { useQuery } from '@tanstack/react-query';
import { coverRequestQuery, coverRequestsQuery, type Schedule } from './queries.ts';
import { RequestList } from './request-list.tsx';

type ScheduleRequestsProps = {
  schedule: Schedule;
  zone: string;
  /** On whose clock times are shown, too. */
  ownZone: string | null;
  /** The request that a notice leads to. */
  opened: string | undefined;
};

/** The open ones of a schedule, and the one that was opened, however it ended. */
export function ScheduleRequests({ schedule, zone, ownZone, opened }: ScheduleRequestsProps) {
  const { id } = schedule;
  const { data: open = [] } = useQuery({
    ...coverRequestsQuery(id),
    enabled: !schedule.archived_at,
  });
  const { data: one } = useQuery({
    ...coverRequestQuery(id, opened ?? ''),
    enabled: opened !== undefined,
  });
  const isListed = open.some((each) => each.id === one?.id);
  const requests = one === undefined || isListed ? open : [one, ...open];
  return <RequestList requests={requests} zone={zone} ownZone={ownZone} opened={opened} />;
}
