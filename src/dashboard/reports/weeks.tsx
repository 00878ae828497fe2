// Times to acknowledge and to resolve by week: as bars for the eye, and as a table with all numbers.
import { Link } from '@tanstack/react-router';
import { mostOf, type Percentiles, timeBars, type Week } from './figures.ts';
import { Cell, RowHead, Table } from './part.tsx';
import { Count } from './verdicts.tsx';
import { durationText, weekText, words } from './words.ts';

const { weeks: texts } = words;

export const Weeks = ({ weeks }: { weeks: readonly Week[] }) => (
  <>
    <div aria-hidden="true" className="grid max-w-5xl gap-x-8 gap-y-4 md:grid-cols-2">
      <Chart
        title={words.summary.acknowledge}
        times={weeks.map(({ acknowledge_seconds: times }) => times)}
      />
      <Chart
        title={words.summary.resolve}
        times={weeks.map(({ resolve_seconds: times }) => times)}
      />
    </div>
    <Table
      label={texts.title}
      heads={[
        texts.week,
        texts.opened,
        texts.acknowledged,
        texts.medianAcknowledge,
        texts.p90Acknowledge,
        texts.resolved,
        texts.medianResolve,
        texts.p90Resolve,
      ]}
    >
      {weeks.map((week) => (
        <tr key={week.date}>
          <RowHead>{weekText(week.date)}</RowHead>
          <Cell>
            {week.opened === 0 ? (
              0
            ) : (
              <Link
                to="/reports"
                search={(search) => ({ ...search, week: week.date })}
                className="underline"
              >
                {words.opened(week.opened)}
              </Link>
            )}
          </Cell>
          <Cell>
            <Count count={week.acknowledged} search={{ week: week.date, acknowledged: true }} />
          </Cell>
          <Cell>{timeOf(week.acknowledge_seconds?.median)}</Cell>
          <Cell>{timeOf(week.acknowledge_seconds?.p90)}</Cell>
          <Cell>{week.resolved.toLocaleString()}</Cell>
          <Cell>{timeOf(week.resolve_seconds?.median)}</Cell>
          <Cell>{timeOf(week.resolve_seconds?.p90)}</Cell>
        </tr>
      ))}
    </Table>
  </>
);

const timeOf = (seconds: number | undefined) =>
  seconds === undefined ? '–' : durationText(seconds);

const STEP = 10;

/** The dark part is the median, the whole bar the 90th percentile. */
function Chart({ title, times }: { title: string; times: readonly (Percentiles | undefined)[] }) {
  const longest = mostOf(times.map((one) => one?.p90 ?? 0));
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 text-sm">
        <span className="font-medium">{title}</span>
        {longest > 0 && (
          <span className="text-ink2">{words.weeks.longest(durationText(longest))}</span>
        )}
      </figcaption>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${times.length * STEP} 100`}
        preserveAspectRatio="none"
        className="mt-1 h-24 w-full border-b border-edge"
      >
        {timeBars(times).map(
          (bar, index) =>
            bar && (
              <g key={index}>
                <rect
                  x={index * STEP + 2}
                  y={100 - bar.p90}
                  width={STEP - 4}
                  height={bar.p90}
                  className="fill-edge"
                />
                <rect
                  x={index * STEP + 2}
                  y={100 - bar.median}
                  width={STEP - 4}
                  height={bar.median}
                  className="fill-ink"
                />
              </g>
            ),
        )}
      </svg>
      <p className="flex gap-x-4 pt-1 text-sm text-ink2">
        <Legend className="bg-ink" text={words.median} />
        <Legend className="bg-edge" text={words.p90} />
      </p>
    </figure>
  );
}

const Legend = ({ className, text }: { className: string; text: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`size-2.5 rounded-sm ${className}`} />
    {text}
  </span>
);
