import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { failureText } from '../../client/answer.ts';
import { personName } from '../../resources/person-name.ts';
import { PagerError } from '../api/pager.ts';
import { peopleQuery } from '../people/queries.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useNow } from '../ui/now.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import { words as uiWords } from '../ui/words.ts';
import { nameIn, type People } from './bars.ts';
import { coverageQuery, nowQuery, type Schedule, type WholeTimeline } from './queries.ts';
import { gapsAhead, isByDesignAt, type WholeShift } from './schedules.ts';
import { fullText, spanText, whenText } from './times.ts';
import { words as listWords, scheduleWords as words } from './words.ts';

const ByDesign = lazyPart(() => import('./by-design.tsx'), 'ByDesign');

type OverviewProps = {
  schedule: Schedule;
  /** On whose clock times are shown. */
  zone: string;
  people: People;
  timeline: WholeTimeline | undefined;
  goTo: (at: number) => void;
};

/** Who is on call, who is next, and whether somebody always is. */
export function Overview({ schedule, zone, people, timeline, goTo }: OverviewProps) {
  const { id } = schedule;
  const at = useNow();
  const { data, error, refetch } = useQuery(nowQuery(id));
  const { data: coverage } = useQuery({ ...coverageQuery(id), enabled: !schedule.archived_at });
  const isIntended = coverage !== undefined && isByDesignAt(coverage, at);
  const hasGaps = coverage !== undefined && coverage.gap_count > 0;
  const { now, next } = data ?? {};
  const replaced = now && now.layer === 'override' ? replacedBy(now, timeline) : undefined;
  return (
    <div className="flex flex-wrap items-start gap-x-10 gap-y-4">
      {data === undefined && error instanceof PagerError ? (
        <div role="alert" className="flex flex-wrap items-center gap-3">
          <p className="font-medium text-red">{failureText(error.failure)}</p>
          <Button icon="refresh-cw" onClick={() => void refetch()}>
            {uiWords.retry}
          </Button>
        </div>
      ) : (
        <>
          <Who
            label={words.onCallNow}
            nobody={data && (isIntended ? listWords.nobodyByDesign : listWords.nobody)}
            shift={now}
            people={people}
            note={[
              replaced === undefined ? '' : words.forName(nameIn(people, replaced)),
              now ? listWords.until(whenText(zone, Date.parse(now.end), at)) : '',
            ]}
            isUrgent={!isIntended}
          />
          <Who
            label={words.next}
            nobody={data && words.nextNobody}
            shift={next}
            people={people}
            note={[next ? fullText(zone, Date.parse(next.start), at) : '']}
          />
        </>
      )}
      {!schedule.archived_at && (
        <div className="flex max-w-md flex-col gap-2 md:ms-auto">
          <Verdict schedule={schedule} zone={zone} goTo={goTo} />
          {(hasGaps || schedule.uncovered_by_design) && (
            <Suspense fallback={null}>
              <ByDesign schedule={schedule} hasGaps={hasGaps} />
            </Suspense>
          )}
        </div>
      )}
    </div>
  );
}

const replacedBy = (now: WholeShift, timeline: WholeTimeline | undefined) =>
  timeline?.shifts.find(
    ({ layer, user_id, end, shift_end = end }) =>
      layer === 'override' && user_id === now.user.id && shift_end === now.end,
  )?.replaces_user_id;

type WhoProps = {
  label: string;
  /** Undefined while it is not known. */
  nobody: string | undefined;
  shift: WholeShift | null | undefined;
  people: People;
  note: readonly string[];
  isUrgent?: boolean;
};

const Who = ({ label, nobody, shift, people, note, isUrgent = false }: WhoProps) => (
  <section className="min-w-40">
    <h2 className="text-sm text-ink2">{label}</h2>
    {shift ? (
      <p className="mt-0.5 flex items-center gap-2 text-xl font-bold">
        <PersonMark
          id={shift.user.id}
          name={personName(shift.user)}
          hue={people.hues.get(shift.user.id)}
        />
        <bdi>{personName(shift.user)}</bdi>
      </p>
    ) : (
      <p className={`mt-0.5 text-xl font-bold ${isUrgent && nobody ? 'text-red' : 'text-ink2'}`}>
        {nobody ?? '…'}
      </p>
    )}
    <p className="text-ink2">{note.filter(Boolean).join(' · ')}</p>
  </section>
);

type VerdictProps = { schedule: Schedule; zone: string; goTo: (at: number) => void };

function Verdict({ schedule, zone, goTo }: VerdictProps) {
  const at = useNow();
  const { data, error } = useQuery(coverageQuery(schedule.id));
  const { data: members = [] } = useQuery(peopleQuery);
  if (data === undefined)
    return (
      <p className="text-sm text-ink3">
        {error instanceof PagerError ? failureText(error.failure) : words.checking}
      </p>
    );
  const [first] = gapsAhead(data, at);
  const missing = data.missing_users.map(({ user_id, reason }) => {
    const person = members.find((one) => one.id === user_id);
    return words.missing(person ? personName(person) : listWords.somebody, reason);
  });
  if (first === undefined)
    return (
      <div className="flex flex-col items-start gap-1">
        <p className="inline-flex items-center gap-2 rounded-lg bg-green-tint px-3 py-2 font-medium text-green">
          <Icon name="check" />
          {schedule.uncovered_by_design ? words.coveredElse : words.covered}
        </p>
        {missing.map((text) => (
          <p key={text} className="rounded-md bg-amber-tint px-3 py-2">
            {text}
          </p>
        ))}
      </div>
    );
  const start = Date.parse(first.start);
  return (
    <section className="rounded-lg border border-red bg-red-tint px-3 py-2">
      <h2 className="flex items-center gap-1.5 font-medium">
        <Icon name="triangle-alert" className="size-4 text-red" />
        {words.gaps(data.gap_count)}
      </h2>
      <p className="mt-0.5">
        {spanText(zone, { start, end: first.end === null ? null : Date.parse(first.end) }, at)}
      </p>
      <p className="text-ink2">{first.message}</p>
      {missing.map((text) => (
        <p key={text} className="text-ink2">
          {text}
        </p>
      ))}
      <button
        type="button"
        className="mt-1 min-h-6 font-medium underline underline-offset-2 pointer-coarse:min-h-11"
        onClick={() => goTo(Math.max(start, at))}
      >
        {words.showGap}
      </button>
    </section>
  );
}
