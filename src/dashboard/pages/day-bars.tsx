import { useQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { once } from '../../resources/once.ts';
import { PagerError } from '../api/pager.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { useNow } from '../ui/now.ts';
import { barsOf, sumOf } from './bars.ts';
import type { PageFilters, State } from './filters.ts';
import { type Counts, countsQuery } from './queries.ts';
import { countsQueryOf, dayOf } from './query.ts';
import { words } from './words.ts';

const dayText = once(
  () => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);
const textOf = (date: string) => dayText().format(new Date(`${date}T00:00:00Z`));

const timezone = once(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);

const colours: Readonly<Record<State, string>> = {
  sent: 'bg-ink3',
  pending: 'bg-amber',
  failed: 'bg-red',
  cancelled: 'bg-edge',
};

/** How many pages there were on each day; a bar narrows the list to its day. */
export function DayBars({ filters }: { filters: PageFilters }) {
  const now = useNow();
  const query = useQuery(countsQuery(countsQueryOf(filters, dayOf(now), timezone())));
  if (query.data === undefined && query.error instanceof PagerError)
    return <FailedWrite failure={query.error.failure} />;
  if (query.data === undefined) return <div className="h-28" />;
  return <Bars counts={query.data} filters={filters} />;
}

function Bars({
  counts: { data, counted_from },
  filters,
}: {
  counts: Counts;
  filters: PageFilters;
}) {
  const [first, last] = [data[0], data.at(-1)];
  if (!first || !last) return null;
  const { parts, total } = sumOf(data);
  const { from, to } = filters;
  return (
    <section aria-label={words.days} className="border-b border-line px-4 pb-3 md:px-5">
      <ol
        ref={showLast}
        className="flex h-20 items-stretch gap-0.5 overflow-x-auto border-b border-edge"
      >
        {barsOf(data).map((bar) => {
          const isOnly = from === bar.date && to === bar.date;
          const texts = bar.parts.map(({ count, state }) => words.state(count, state));
          const label = words.day(textOf(bar.date), bar.total, texts);
          return (
            <li key={bar.date} className="flex min-w-6 flex-1">
              <DayLink
                to="/pages"
                search={({ from: _, to: __, ...rest }) =>
                  isOnly ? rest : { ...rest, from: bar.date, to: bar.date }
                }
                replace
                resetScroll={false}
                isCurrent={isOnly}
                aria-label={label}
                title={label}
              >
                <span
                  style={{ height: `${bar.height}%` }}
                  className="mx-0.5 flex flex-col-reverse overflow-hidden rounded-t-sm"
                >
                  {bar.parts.map(({ state, count }) => (
                    <span
                      key={state}
                      style={{ flexGrow: count }}
                      className={`min-h-0.5 ${colours[state]}`}
                    />
                  ))}
                </span>
              </DayLink>
            </li>
          );
        })}
      </ol>
      <p className="flex flex-wrap gap-x-4 gap-y-1 pt-2 text-sm text-ink2">
        <span>{words.span(textOf(first.date), textOf(last.date), total)}</span>
        {parts.map(({ state, count }) => (
          <span key={state} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-sm ${colours[state]}`} />
            {words.state(count, state)}
          </span>
        ))}
      </p>
      {counted_from !== undefined && (
        <p className="text-sm text-ink2">{words.notAll(textOf(counted_from.slice(0, 10)))}</p>
      )}
    </section>
  );
}

type AnchorProps = ComponentProps<'a'> & { isCurrent: boolean };

const DayLink = createLink(({ isCurrent, ...rest }: AnchorProps) => (
  <a
    {...rest}
    aria-current={isCurrent ? 'date' : undefined}
    className="flex w-full flex-col justify-end rounded-t-sm border-b-2 border-transparent hover:bg-sunken aria-[current]:border-iris aria-[current]:bg-sunken"
  />
));

/** Where not all bars fit, the latest are shown first. */
const showLast = (list: HTMLElement | null) => {
  if (list) list.scrollLeft = list.scrollWidth;
};
