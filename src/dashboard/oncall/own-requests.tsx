import { useQuery } from '@tanstack/react-query';
import { ownZone } from '../ui/zones.ts';
import { ownRequestsQuery } from './queries.ts';
import { RequestList } from './request-list.tsx';

/** Those that concern the reader, of all schedules. */
export function OwnRequests() {
  const { data: requests = [] } = useQuery(ownRequestsQuery);
  return (
    <div className="px-4 md:px-5">
      <RequestList requests={requests} zone={ownZone()} ownZone={null} namesSchedules />
    </div>
  );
}
