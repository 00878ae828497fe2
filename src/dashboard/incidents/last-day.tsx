import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { incidentReportQuery } from '../reports/queries.ts';
import { HourBars } from '../ui/hour-bars.tsx';
import { momentText } from '../ui/moment-text.ts';
import { useNow } from '../ui/now.ts';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { lastDayWords as words } from './filter-words.ts';
import { busiestOf, lastDayCounts, lastDayFrom, lastDayTo } from './last-day.ts';

/** As long as a report counts as fresh. */
const AGAIN_MS = 5 * 60_000;

/** A bar for each of the last 24 hours, which leads to their incidents. */
export function LastDay({ team }: { team: string | undefined }) {
  const now = useNow();
  const from = lastDayFrom(now);
  const isNarrow = useIsNarrow();
  const { data } = useQuery({
    ...incidentReportQuery({
      from: new Date(from).toISOString(),
      to: new Date(lastDayTo(from)).toISOString(),
      timezone: 'Etc/UTC',
      ...(team !== undefined && { team_id: team }),
    }),
    enabled: !isNarrow,
    refetchInterval: AGAIN_MS,
  });
  if (data === undefined || isNarrow) return null;
  const counts = lastDayCounts(from, data.hours);
  const busiest = busiestOf(counts);
  if (busiest === null) return null;
  const text = words.opened(
    counts.reduce((sum, { opened }) => sum + opened, 0),
    momentText(new Date(busiest.start).toISOString(), busiest.start),
  );
  return (
    <Link
      to="/incidents"
      search={({ team: scope }) => ({
        ...(scope !== undefined && { team: scope }),
        tab: 'all' as const,
        since: '24h' as const,
        test: 'none' as const,
      })}
      aria-label={text}
      title={text}
      className="ms-auto inline-flex min-h-8 shrink-0 items-center px-1 text-ink2 hover:text-ink"
    >
      <HourBars bars={counts.map(({ start, opened: count }) => ({ start, count, failed: 0 }))} />
    </Link>
  );
}
