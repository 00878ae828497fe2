// In the morning: what the incidents were that ended since the morning before, of those that the
// reader is asked about.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { incidentRole } from '../../resources/roles.ts';
import type { Verdict } from '../../resources/verdicts.ts';
import { readBody } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { filtersOf } from '../incidents/filters.ts';
import { sameTeam } from '../shell/pages.ts';
import { IconButton } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { useNow } from '../ui/now.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import { beforeThisMorning } from './night.ts';
import { VerdictButtons } from './verdict-buttons.tsx';
import { words } from './words.ts';

/** More are shown once these are answered. */
const AT_ONCE = 5;
const READ = '50';
const DISMISSED = 'pager.verdicts-dismissed';

type Ended = {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly resolved_at: string;
};
type Page = { readonly data: readonly Ended[]; readonly next_cursor: string | null };

const endedQuery = (me: string, span: { readonly from: number; readonly to: number }) =>
  queryOptions({
    queryKey: ['incidents', 'verdicts', me, span.from],
    queryFn: () =>
      readBody<Page>('/incidents', {
        verdict_expected_from: me,
        resolved_from: new Date(span.from).toISOString(),
        resolved_to: new Date(span.to).toISOString(),
        limit: READ,
      }),
  });

const never = { from: 0, to: 0 };

export function Morning() {
  const isAllowed = useMay(incidentRole) === true;
  const me = useQuery(sessionQuery).data?.user.id;
  const { q, ...search } = useSearch({ from: '/incidents' });
  const isNarrowed = q !== undefined || Object.keys(filtersOf(search)).length > 0;
  const span = beforeThisMorning(useNow());
  const [dismissed, setDismissed] = useState(whenDismissed);
  const isWanted = isAllowed && !isNarrowed && span !== null && dismissed < span.to;
  const { data } = useQuery({
    ...endedQuery(me ?? '', span ?? never),
    enabled: isWanted && me !== undefined,
  });
  const [last, setLast] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const rows = data?.data ?? [];
  if (!isWanted || (rows.length === 0 && last === null)) return null;
  const dismiss = () => {
    rememberDismissed(span.to);
    setDismissed(span.to);
  };
  return (
    <section
      aria-labelledby="verdicts"
      className="mx-3 mt-4 rounded-lg border border-line bg-surface md:mx-4 print:hidden"
    >
      <div className="flex items-center gap-3 ps-3 pe-1.5">
        <h2 ref={heading} id="verdicts" tabIndex={-1} className="py-2 outline-none text-pretty">
          {rows.length === 0
            ? words.done
            : words.morning(`${rows.length}${data?.next_cursor ? '+' : ''}`)}
        </h2>
        <p role="status" className="ms-auto text-sm text-ink2">
          {last}
        </p>
        <IconButton icon="x" label={words.dismiss} className="my-1" onClick={dismiss} />
      </div>
      <ul className="divide-y divide-line border-t border-line empty:hidden">
        {rows.slice(0, AT_ONCE).map((one) => (
          <Row
            key={one.id}
            incident={one}
            onAnswer={(verdict) => {
              setLast(words.answered(one.number, verdict));
              // The button that had the focus goes away.
              heading.current?.focus();
            }}
          />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { incident: Ended; onAnswer: (verdict: Verdict) => void };

function Row({ incident: { id, number, title, resolved_at }, onAnswer }: RowProps) {
  const write = useWrite(['incidents']);
  async function set(verdict: Verdict) {
    const path = `/incidents/${id}/verdict`;
    const body = { verdict };
    const answer = await write.send({ method: 'POST', path, body, name: words.set });
    if (answer !== null) onAnswer(verdict);
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 px-3 py-2">
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <Link
          to="/incidents/$number"
          params={{ number: `${number}` }}
          search={sameTeam}
          className="underline decoration-line underline-offset-2 hover:decoration-ink"
        >
          {words.number(number)} <bdi>{title}</bdi>
        </Link>{' '}
        <span className="text-sm text-ink3">
          {words.ended} <TimeAgo at={resolved_at} isSpelledOut />
        </span>
      </p>
      <VerdictButtons
        label={words.questionFor(number)}
        isPending={write.isPending}
        onChoose={(verdict) => void set(verdict)}
      />
      <FailedWrite failure={write.failure} />
    </li>
  );
}

/** The end of the night that was dismissed: the next morning asks again, about what is new. */
function whenDismissed(): number {
  try {
    return Number(localStorage.getItem(DISMISSED) ?? 0);
  } catch {
    return 0;
  }
}

function rememberDismissed(at: number): void {
  try {
    localStorage.setItem(DISMISSED, String(at));
  } catch {
    // Where nothing may be stored, it is dismissed until the page is loaded anew.
  }
}
