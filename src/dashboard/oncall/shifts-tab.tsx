import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo } from 'react';
import { PagerError } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
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
import type { Axis, Whole } from './axis.ts';
import type { Bar } from './bar.ts';
import { finalBars, layerBars, overrideBars, type People } from './bars.ts';
import { schedules } from './kind.ts';
import { Lanes, type LaneView } from './lanes.tsx';
import { layerTitle, rotationText } from './layer-text.ts';
import { Overrides } from './overrides.tsx';
import { Overview } from './overview.tsx';
import { PeriodBar } from './period-bar.tsx';
import { type Schedule, timelineQuery, type WholeTimeline } from './queries.ts';
import type { ScheduleSearch } from './search.ts';
import { ShiftTable } from './shift-table.tsx';
import { monthText } from './times.ts';
import type { usePeriod } from './use-period.ts';
import { words as listWords, scheduleWords as words } from './words.ts';
import { ZonePicker } from './zone-picker.tsx';

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
  const { view = isNarrow ? 'list' : 'lanes', mine } = search;
  const { axis, period, isNow, choose, step, today, goTo } = shown;
  const isActive = !schedule.archived_at;
  const query = useQuery(timelineQuery(id, { start: axis.start, end: axis.end }));
  useKeys(useMemo(() => ({ earlier: () => step(-1), later: () => step(1), today }), [step, today]));
  const people = useMemo(() => peopleOf(query.data), [query.data]);
  return (
    <div className="schedule-shifts flex flex-col gap-4 px-4 py-4 md:px-5">
      <Overview schedule={schedule} zone={zone} people={people} timeline={query.data} goTo={goTo} />
      <Uses id={id} isActive={isActive} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <PeriodBar
          period={period}
          isNow={isNow}
          choose={choose}
          step={step}
          today={today}
          title={monthText(zone, (axis.start + axis.end) / 2)}
        />
        <div className="flex flex-wrap items-center gap-2">
          <ZonePicker
            schedule={schedule}
            zone={zone}
            choose={(next) => change({ zone: next === schedule.timezone ? undefined : next })}
          />
          {ownZone() !== zone && (
            <Toggle isOn={mine === true} onClick={() => change({ mine: mine ? undefined : true })}>
              {words.mine}
            </Toggle>
          )}
          <Toggle
            isOn={view === 'list'}
            onClick={() => change({ view: view === 'list' ? 'lanes' : 'list' })}
          >
            {words.list}
          </Toggle>
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
            schedule={schedule}
            people={people}
            timeline={query.data}
            mayCover={mayCover}
            openCover={openCover}
            ownZone={mine ? ownZone() : null}
          />
        </div>
      )}
      <Overrides schedule={schedule} zone={zone} mayCover={mayCover} />
    </div>
  );
}

/** What the screen says elsewhere: whose clock it is, whom the initials mean, and where this is. */
const OnPaper = ({ zone, people: { names, hues } }: { zone: string; people: People }) => (
  <div className="hidden flex-wrap gap-x-4 gap-y-1 text-sm print:flex">
    <span>{listWords.zone(zone)}</span>
    {Object.entries(names).map(([id, name]) => (
      <span key={id} className="inline-flex items-center gap-1">
        <PersonMark id={id} name={name} hue={hues.get(id)} />
        <bdi>{name}</bdi>
      </span>
    ))}
    <span className="wrap-anywhere">{location.href}</span>
  </div>
);

function peopleOf(timeline: WholeTimeline | undefined): People {
  const names = timeline?.names ?? {};
  return { names, hues: huesOf(Object.keys(names)) };
}

type ShownProps = {
  view: 'lanes' | 'list';
  axis: Axis;
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
    () => lanesOf({ schedule, timeline, people, final }),
    [schedule, timeline, people, final],
  );
  const coverBar = ({ whole }: Bar) =>
    openCover({ start: Math.max(whole.start, now), end: whole.end });
  if (view === 'list')
    return (
      <ShiftTable
        axis={axis}
        bars={final}
        people={people}
        layerOf={(bar) => byText(schedule, timeline, bar)}
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
function byText({ layers }: Schedule, { shifts }: WholeTimeline, bar: Bar): string {
  const shift = shifts.find(({ start }) => Date.parse(start) === bar.start);
  if (bar.kind === 'gap' || shift === undefined) return bar.note ?? '';
  const { layer } = shift;
  return layer === 'override' ? words.override : layerTitle(layers[layer], layer);
}

type LanesOf = {
  schedule: Schedule;
  timeline: WholeTimeline;
  people: People;
  final: readonly Bar[];
};

/** Who is paged; then what decides it, what goes before above the rest. */
function lanesOf({ schedule, timeline, people, final }: LanesOf): readonly LaneView[] {
  const layers = timeline.layers.map(({ layer, shifts }, index): LaneView => {
    const own = layer === null ? undefined : schedule.layers[layer];
    return {
      key: `layer ${index}`,
      label: layer === null ? words.removedLayer : layerTitle(own, layer),
      note: own === undefined ? '' : rotationText(own),
      bars: layerBars(shifts, people),
    };
  });
  const present = layers.filter((_, index) => timeline.layers[index]?.layer !== null);
  const removed = layers.filter((_, index) => timeline.layers[index]?.layer === null);
  return [
    { key: 'final', label: words.lanes.final, note: words.finalNote, bars: final, isFinal: true },
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
