import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo } from 'react';
import { PagerError } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { usesQuery } from '../records/queries.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { useKeys } from '../shell/use-keys.ts';
import { Icon } from '../ui/icon.tsx';
import { useNow } from '../ui/now.ts';
import { Trouble } from '../ui/panel.tsx';
import { huesOf } from '../ui/person.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { ownZone } from '../ui/zones.ts';
import { Agenda } from './agenda.tsx';
import { type Axis, type Whole, weeksOf } from './axis.ts';
import type { Bar } from './bar.ts';
import { finalBars, layerBars, nameIn, overrideBars, type People } from './bars.ts';
import { isOtherTime } from './both-clocks.ts';
import { Choices } from './choices.tsx';
import { schedules } from './kind.ts';
import { Lanes, type LaneView } from './lanes.tsx';
import { hoursAndPeople, layerLabel } from './layer-label.ts';
import { rotationText } from './layer-text.ts';
import { Overrides } from './overrides.tsx';
import { Overview } from './overview.tsx';
import { PeriodBar } from './period-bar.tsx';
import {
  type Layer,
  type Member,
  type Schedule,
  timelineQuery,
  type WholeTimeline,
} from './queries.ts';
import { type ScheduleSearch, type ScheduleView, scheduleViews } from './search.ts';
import { ShiftTable } from './shift-table.tsx';
import { daysText, monthText } from './times.ts';
import type { usePeriod } from './use-period.ts';
import { words as listWords, scheduleWords as words } from './words.ts';
import { ZonePicker } from './zone-picker.tsx';

const noMembers: readonly Member[] = [];

const ScheduleRequests = lazyPart(() => import('./cover-requests.tsx'), 'ScheduleRequests');
const AddToPolicy = lazyPart(() => import('../policies/add-to-policy.tsx'), 'AddToPolicy');

type ShiftsTabProps = {
  schedule: Schedule;
  search: ScheduleSearch;
  change: (next: Partial<Record<keyof ScheduleSearch, unknown>>) => void;
  shown: ReturnType<typeof usePeriod>;
  mayCover: boolean;
  openCover: (span?: Whole) => void;
};

/** Who is on call when, and what decides it. */
export function ShiftsTab({
  schedule,
  search,
  change,
  shown,
  mayCover,
  openCover,
}: ShiftsTabProps) {
  const { id } = schedule;
  const { zone } = shown.axis;
  const isNarrow = useIsNarrow();
  const { view = isNarrow ? 'days' : 'lanes', mine } = search;
  const { axis, period, step, today, goTo } = shown;
  const weeks = useMemo(
    () => (period === 'month' && view === 'lanes' ? weeksOf(axis) : null),
    [period, view, axis],
  );
  const [first, last] = [weeks?.[0] ?? axis, weeks?.at(-1) ?? axis];
  const isActive = !schedule.archived_at;
  const isElsewhere = [axis.start, axis.end].some((at) => isOtherTime(zone, ownZone(), at));
  // In words, times are on both clocks; the timeline has a second axis if it is asked for.
  const own = isElsewhere && (view !== 'lanes' || mine === true) ? ownZone() : null;
  const query = useQuery(timelineQuery(id, { start: first.start, end: last.end }));
  useKeys(useMemo(() => ({ earlier: () => step(-1), later: () => step(1), today }), [step, today]));
  const { data: members = noMembers } = useQuery(peopleQuery);
  const people = useMemo(() => peopleOf(query.data, members), [query.data, members]);
  return (
    <div className="schedule-shifts flex flex-col gap-4 px-4 py-4 md:px-5">
      <Overview schedule={schedule} zone={zone} people={people} timeline={query.data} goTo={goTo} />
      <Uses id={id} isActive={isActive} />
      <Suspense fallback={null}>
        <ScheduleRequests
          schedule={schedule}
          zone={zone}
          ownZone={isElsewhere ? ownZone() : null}
          opened={search.request}
        />
      </Suspense>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <PeriodBar shown={shown} title={monthText(zone, (axis.start + axis.end) / 2)} />
        <div className="flex flex-wrap items-center gap-2">
          <ZonePicker
            schedule={schedule}
            zone={zone}
            choose={(next) => change({ zone: next === schedule.timezone ? undefined : next })}
          />
          {isElsewhere && view === 'lanes' && (
            <Toggle isOn={mine === true} onClick={() => change({ mine: mine ? undefined : true })}>
              {words.mine}
            </Toggle>
          )}
          <Choices
            label={words.view}
            values={scheduleViews}
            text={(one) => words.views[one]}
            chosen={view}
            choose={(next) => change({ view: next })}
          />
        </div>
      </div>
      <OnPaper zone={zone} people={people} />
      {query.data === undefined ? (
        query.error instanceof PagerError && (
          <Trouble title={words.failed} failure={query.error.failure} retry={query.refetch} />
        )
      ) : (
        <div
          aria-busy={query.isPlaceholderData}
          className={query.isPlaceholderData ? 'opacity-60' : ''}
        >
          <Shown
            view={view}
            axis={axis}
            weeks={weeks}
            schedule={schedule}
            people={people}
            timeline={query.data}
            mayCover={mayCover}
            openCover={openCover}
            ownZone={own}
          />
        </div>
      )}
      <Overrides
        schedule={schedule}
        zone={zone}
        ownZone={isElsewhere ? ownZone() : null}
        mayCover={mayCover}
      />
    </div>
  );
}

/** What the screen says elsewhere: whose clock it is, whom the initials mean, and where this is. */
const OnPaper = ({ zone, people: { names, hues } }: { zone: string; people: People }) => (
  <div className="hidden flex-wrap gap-x-4 gap-y-1 text-sm print:flex">
    <span>{listWords.zone(zone)}</span>
    {[...hues.keys()].map((id) => (
      <span key={id} className="inline-flex items-center gap-1">
        <PersonMark id={id} name={names[id] ?? ''} hue={hues.get(id)} />
        <bdi>{names[id]}</bdi>
      </span>
    ))}
    <span className="wrap-anywhere">{location.href}</span>
  </div>
);

/** Those of the time that is shown have hues; those who have no turn in it are named, too. */
function peopleOf(timeline: WholeTimeline | undefined, members: readonly Member[]): People {
  const names = timeline?.names ?? {};
  const all = { ...Object.fromEntries(namesById(members)), ...names };
  return { names: all, hues: huesOf(Object.keys(names)) };
}

type ShownProps = {
  view: ScheduleView;
  axis: Axis;
  /** Of a month, whose names have room only so. */
  weeks: readonly Axis[] | null;
  schedule: Schedule;
  timeline: WholeTimeline;
  people: People;
  mayCover: boolean;
  openCover: (span: Whole) => void;
  ownZone: string | null;
};

function Shown({
  view,
  axis,
  weeks,
  schedule,
  timeline,
  people,
  mayCover,
  openCover,
  ownZone,
}: ShownProps) {
  const now = useNow();
  const final = useMemo(() => finalBars(timeline, people), [timeline, people]);
  const lanes = useMemo(
    () => lanesOf({ schedule, timeline, people, final, weeks }),
    [schedule, timeline, people, final, weeks],
  );
  const coverBar = ({ whole }: Bar) =>
    openCover({ start: Math.max(whole.start, now), end: whole.end });
  if (view === 'days')
    return (
      <Agenda
        axis={axis}
        bars={final}
        people={people}
        ownZone={ownZone}
        {...(mayCover && { cover: coverBar })}
      />
    );
  if (view === 'list')
    return (
      <ShiftTable
        axis={axis}
        bars={final}
        people={people}
        ownZone={ownZone}
        layerOf={(bar) => byText(schedule, { timeline, people }, bar)}
        {...(mayCover && { cover: coverBar })}
      />
    );
  return (
    <>
      <Lanes
        axis={axis}
        lanes={lanes}
        ownZone={ownZone}
        {...(mayCover && { cover: coverBar, drag: openCover })}
      />
      {mayCover && (
        <p className="mt-2 hidden text-sm text-ink3 md:block print:hidden">{words.help}</p>
      )}
    </>
  );
}

/** By which layer a shift is. */
function byText({ layers }: Schedule, { timeline, people }: Read, bar: Bar): string {
  const shift = timeline.shifts.find(({ start }) => Date.parse(start) === bar.start);
  if (bar.userId === undefined || shift === undefined) return bar.note ?? '';
  if (shift.layer === 'override') return words.override;
  const layer = layers[shift.layer];
  if (layer === undefined) return words.layer(shift.layer + 1);
  return layerLabel(layer, (id) => nameIn(people, id));
}

type Read = { timeline: WholeTimeline; people: People };
type LanesOf = Read & {
  schedule: Schedule;
  final: readonly Bar[];
  weeks: readonly Axis[] | null;
};

/** Who is paged; then what decides it, what goes before above the rest. */
function lanesOf({ schedule, timeline, people, final, weeks }: LanesOf): readonly LaneView[] {
  const layers = timeline.layers.map(({ layer, shifts }, index): LaneView => {
    const own = layer === null ? undefined : schedule.layers[layer];
    return {
      key: `layer ${index}`,
      ...(layer === null || own === undefined
        ? { label: words.removedLayer, note: '' }
        : layerTexts(own, layer, people)),
      bars: layerBars(shifts, people),
    };
  });
  const present = layers.filter((_, index) => timeline.layers[index]?.layer !== null);
  const removed = layers.filter((_, index) => timeline.layers[index]?.layer === null);
  return [
    ...finalLanes(final, weeks),
    ...(timeline.overrides.length > 0
      ? [
          {
            key: 'overrides',
            label: words.lanes.overrides,
            note: '',
            bars: overrideBars(timeline.overrides, people),
          },
        ]
      : []),
    ...present.toReversed(),
    ...removed,
  ];
}

/** By its name, or else by its hours and people; below it what that leaves open. */
function layerTexts(layer: Layer, index: number, people: People) {
  const nameOf = (id: string) => nameIn(people, id);
  const other = layer.name ? hoursAndPeople(layer, nameOf) : words.layer(index + 1);
  return { label: layerLabel(layer, nameOf), note: `${other} · ${rotationText(layer)}` };
}

/** One, or one for each week. */
function finalLanes(bars: readonly Bar[], weeks: readonly Axis[] | null): readonly LaneView[] {
  const lane = { note: words.finalNote, bars, isFinal: true } as const;
  if (weeks === null) return [{ ...lane, key: 'final', label: words.lanes.final }];
  return weeks.map((axis, index) => {
    const label = daysText(axis.zone, axis);
    const name = words.finalOf(label);
    return { ...lane, key: `week ${index}`, label, name, axis, note: index === 0 ? lane.note : '' };
  });
}

function Uses({ id, isActive }: { id: string; isActive: boolean }) {
  const { data } = useQuery(usesQuery(schedules, id));
  const mayEdit = useMay('manager');
  if (data === undefined || !isActive) return null;
  const policies = data.data.filter(({ kind }) => kind === 'escalation_policy');
  if (data.count === 0)
    return (
      <div className="flex flex-col gap-2">
        <Warning>{words.unused}</Warning>
        {mayEdit && (
          <Suspense fallback={null}>
            <AddToPolicy schedule={id} />
          </Suspense>
        )}
      </div>
    );
  const hidden = data.count - data.data.length;
  return (
    <p className="text-sm text-ink2">
      {words.usedBy}{' '}
      {new Intl.ListFormat().format([
        ...(policies.length > 0 ? policies : data.data).map(({ name }) => name),
        ...(hidden > 0 ? [words.usedByOthers(hidden)] : []),
      ])}
    </p>
  );
}

const Warning = ({ children }: { children: ReactNode }) => (
  <p className="flex items-start gap-2 rounded-lg bg-amber-tint px-3 py-2 font-medium">
    <Icon name="triangle-alert" className="mt-0.5 size-4 text-amber" />
    <span>{children}</span>
  </p>
);

type ToggleProps = { isOn: boolean; onClick: () => void; children: ReactNode };

const Toggle = ({ isOn, onClick, children }: ToggleProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
    className="min-h-9 rounded-md border border-line bg-surface px-3 font-medium hover:border-edge aria-pressed:border-ink aria-pressed:bg-sunken pointer-coarse:min-h-11"
  >
    {children}
  </button>
);
