import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { incidentReportQuery } from '../reports/queries.ts';
import { momentText } from '../ui/moment-text.ts';
import { useNow } from '../ui/now.ts';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { lastDayWords as words } from './filter-words.ts';
import { busiestOf, HOURS, lastDayCounts, lastDayFrom, lastDayTo } from './last-day.ts';

const WIDTH = 96;
const HEIGHT = 24;
const STEP = WIDTH / HOURS;
/** So that one incident among hundreds is seen. */
const LEAST = 3;
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
  const heightOf = (opened: number) =>
    opened === 0 ? 1 : LEAST + (opened / busiest.opened) * (HEIGHT - LEAST);
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
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true" fill="currentColor">
        {counts.map(({ start, opened }, index) => (
          <rect
            key={start}
            x={index * STEP}
            y={HEIGHT - heightOf(opened)}
            width={STEP - 1}
            height={heightOf(opened)}
          />
        ))}
      </svg>
    </Link>
  );
}
