// The last 24 hours of an integration, as bars in its row.
import { useQuery } from '@tanstack/react-query';
import { useTeams } from '../shell/team-label.tsx';
import { HourBars } from '../ui/hour-bars.tsx';
import { momentText } from '../ui/moment-text.ts';
import { type LastDay, summaryOf } from './last-day.ts';
import { lastDayQuery } from './queries.ts';
import { words } from './words.ts';

export function EventBars({ id }: { id: string }) {
  const { data } = useQuery(lastDayQuery(useTeams()));
  const day = data?.get(id);
  if (day === undefined) return null;
  const text = textOf(day);
  return (
    <span role="img" aria-label={text} title={text}>
      <HourBars
        bars={day.hours.map(({ start, events: count, failed }) => ({ start, count, failed }))}
      />
    </span>
  );
}

function textOf({ hours, countedFrom }: LastDay): string {
  const { events, failed, busiest } = summaryOf(hours);
  const timeOf = (at: number) => momentText(new Date(at).toISOString(), at);
  return [
    busiest === null ? words.noEvents : words.events(events, timeOf(busiest)),
    ...(failed > 0 ? [words.failed(failed)] : []),
    ...(countedFrom === undefined ? [] : [words.countedFrom(timeOf(countedFrom))]),
  ].join(', ');
}
