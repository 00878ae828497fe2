// When incidents were opened: a table whose cells are the darker, the more there were. On a phone
// the days are beside each other, elsewhere the hours.
import { Link } from '@tanstack/react-router';
import { hourTime } from '../ui/clock-time.ts';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { type Hour, levelOf, mostOf } from './figures.ts';
import { type Weekday, weekdays } from './search.ts';
import { weekdayText, words } from './words.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const shades = ['', 'bg-ink/10', 'bg-ink/20', 'bg-ink/35', 'bg-ink/85 text-bg'] as const;

export function HeatMap({ counts }: { counts: readonly Hour[] }) {
  const isNarrow = useIsNarrow();
  const most = mostOf(counts.map(({ opened }) => opened));
  const at = new Map(counts.map((one) => [`${one.weekday} ${one.hour}`, one.opened]));
  const cell = (weekday: Weekday, hour: number) => (
    <HourCell
      key={`${weekday} ${hour}`}
      weekday={weekday}
      hour={hour}
      count={at.get(`${weekday} ${hour}`) ?? 0}
      most={most}
    />
  );
  const dayHead = (weekday: Weekday, scope: 'row' | 'col') => (
    <th key={weekday} scope={scope} className="pe-1 text-start text-sm font-normal text-ink2">
      <abbr title={weekdayText(weekday)} className="no-underline">
        {weekdayText(weekday, 'short')}
      </abbr>
    </th>
  );
  return (
    <div className="relative overflow-x-auto">
      <table
        aria-label={words.hours.title}
        className="heat-map w-full max-w-5xl table-fixed md:min-w-168"
      >
        <thead>
          <tr>
            <th scope="col" className="w-16 text-start text-sm font-normal text-ink2">
              {isNarrow ? words.hours.hour : <span className="sr-only">{words.hours.corner}</span>}
            </th>
            {isNarrow
              ? weekdays.map((weekday) => dayHead(weekday, 'col'))
              : hours.map((hour) => (
                  <th key={hour} scope="col" className="text-sm font-normal text-ink2">
                    {hour}
                  </th>
                ))}
          </tr>
        </thead>
        <tbody>
          {isNarrow
            ? hours.map((hour) => (
                <tr key={hour}>
                  <th scope="row" className="text-start text-sm font-normal text-ink2">
                    {hourTime(hour)}
                  </th>
                  {weekdays.map((weekday) => cell(weekday, hour))}
                </tr>
              ))
            : weekdays.map((weekday) => (
                <tr key={weekday}>
                  {dayHead(weekday, 'row')}
                  {hours.map((hour) => cell(weekday, hour))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

type HourCellProps = { weekday: Weekday; hour: number; count: number; most: number };

function HourCell({ weekday, hour, count, most }: HourCellProps) {
  if (count === 0)
    return (
      <td className="h-8 rounded-sm border border-line text-center">
        <span className="sr-only">0</span>
      </td>
    );
  const label = words.cell(weekday, hour, count);
  return (
    <td
      className={`heat-${levelOf(count, most)} h-8 rounded-sm p-0 text-center text-sm ${shades[levelOf(count, most)]}`}
    >
      <Link
        to="/reports"
        search={(search) => ({ ...search, weekday, hour })}
        aria-label={label}
        title={label}
        className="flex size-full min-h-8 min-w-6 items-center justify-center rounded-sm hover:underline pointer-coarse:min-h-11"
      >
        {count.toLocaleString()}
      </Link>
    </td>
  );
}
