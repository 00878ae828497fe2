import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { visibleText } from '../../resources/visible-text.ts';
import { PagerError } from '../api/pager.ts';
import { previewFailure } from '../api/preview-failure.ts';
import { useWrite } from '../api/use-write.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Conflict, type Part } from '../ui/conflict.tsx';
import { isSame } from '../ui/edits.ts';
import { partsOf } from '../ui/instants.ts';
import { Reading } from '../ui/loaded.tsx';
import { useNow } from '../ui/now.ts';
import { Trouble } from '../ui/panel.tsx';
import { huesOf } from '../ui/person.ts';
import { useEdit } from '../ui/use-edit.ts';
import { useLate } from '../ui/use-late.ts';
import type { Axis } from './axis.ts';
import { finalBars, layerBars } from './bars.ts';
import { CountOpen } from './count-open.tsx';
import { type Draft, draftOf, isComplete, isTurned, layersBody } from './draft.ts';
import { DraftLanes } from './draft-lanes.tsx';
import { draftLayerText } from './layer-text.ts';
import { type Effects, withMoves } from './moves.ts';
import { NextHandoffs } from './next-handoffs.tsx';
import { effectsQuery } from './preview.ts';
import { type Revision, type Schedule, timelineQuery, useRevisions } from './queries.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { fullText, spanText } from './times.ts';
import { revisionWords, editWords as words } from './words.ts';

type EditLayersProps = { schedule: Schedule; axis: Axis; close: () => void };

/** With the number of a revision, the form begins with its layers. */
export function EditLayers({
  revision: number,
  ...props
}: EditLayersProps & { revision: number | undefined }) {
  if (number === undefined) return <LayersForm {...props} />;
  return <RevisionForm number={number} {...props} />;
}

function RevisionForm({ number, ...props }: EditLayersProps & { number: number }) {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useRevisions(
    props.schedule.id,
  );
  const revision = data?.pages.flatMap((page) => page.data).find((one) => one.number === number);
  useEffect(() => {
    if (revision === undefined && hasNextPage && !isFetching) void fetchNextPage();
  }, [revision, hasNextPage, isFetching, fetchNextPage]);
  if (revision) return <LayersForm {...props} revision={revision} />;
  if (error instanceof PagerError)
    return <Trouble title={revisionWords.failed} failure={error.failure} retry={refetch} />;
  // One that does not exist is left for the layers as they are.
  return data && !hasNextPage ? <LayersForm {...props} /> : <Reading />;
}

/** The draft is of the schedule as it was when the form was opened, whatever is saved meanwhile. */
function LayersForm({
  schedule,
  axis,
  revision,
  close,
}: EditLayersProps & { revision?: Revision }) {
  const write = useWrite(['on-calls']);
  const now = useNow();
  const begin =
    revision && ((draft: Draft) => ({ ...draft, ...draftOf({ ...draft, ...revision }) }));
  const edit = useEdit({ record: schedule, draftOf, begin, writing: write });
  const { draft, setDraft, version } = edit;
  const parts = useParts();
  const save = async () => {
    const { name, timezone } = draft;
    const body = { name, timezone, layers: layersBody(draft.layers) };
    const path = `/on-calls/${schedule.id}`;
    if ((await write.send({ method: 'PATCH', path, body, version, name: words.edit })) !== null)
      close();
  };
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-[28rem_minmax(0,1fr)]">
      {schedule.managed_by && (
        <p className="rounded-lg bg-amber-tint px-3 py-2 font-medium xl:col-span-2">
          {words.managed}
        </p>
      )}
      {revision && (
        <p className="rounded-lg bg-sunken px-3 py-2 xl:col-span-2">
          {words.ofRevision(fullText(axis.zone, Date.parse(revision.from), now))}
        </p>
      )}
      <ScheduleForm
        draft={draft}
        change={setDraft}
        isNew={false}
        isTouched={edit.isTouched}
        isPending={write.isPending}
        failure={write.failure}
        onSave={() => void save()}
        onCancel={close}
      >
        <Conflict edit={edit} parts={parts} />
      </ScheduleForm>
      <EffectsPanel
        draft={draft}
        change={setDraft}
        axis={axis}
        stored={schedule}
        isChanged={!isSame(draft, draftOf(schedule))}
      />
    </div>
  );
}

/** What a conflict shows of a schedule. */
function useParts(): readonly Part<Draft>[] {
  const { data: members = [] } = useQuery(peopleQuery);
  const names = namesById(members);
  return [
    { name: 'name', label: words.name, text: ({ name }) => name },
    { name: 'timezone', label: words.timezone, text: ({ timezone }) => timezone },
    {
      name: 'layers',
      label: words.layers,
      text: ({ layers, timezone: zone }) =>
        layers
          .map((one, at) => `${words.layer(at + 1)}: ${draftLayerText(one, { names, zone })}`)
          .join('\n'),
    },
  ];
}

const namesOf = (people: readonly { readonly name: string }[]) =>
  people.length === 0 ? words.nobody : people.map(({ name }) => name).join(', ');

/** The first of them, each with who loses and who gains it. */
function Moves({ effects, zone }: { effects: Effects; zone: string }) {
  const now = useNow();
  const { moved_shifts, moved_shifts_count } = effects;
  return (
    <div className="rounded-md bg-amber-tint px-3 py-2">
      <p className="font-medium">{words.moved(moved_shifts_count)}</p>
      <ul className="mt-1 flex flex-col gap-1">
        {moved_shifts.map(({ from, to, before, after }) => (
          <li key={from} className="flex flex-wrap gap-x-3">
            <span>
              {to === null
                ? words.fromThen(fullText(zone, Date.parse(from), now))
                : spanText(zone, { start: Date.parse(from), end: Date.parse(to) }, now)}
            </span>
            <span className="text-ink2">{words.instead(namesOf(after), namesOf(before))}</span>
          </li>
        ))}
      </ul>
      {moved_shifts_count > moved_shifts.length && (
        <p className="mt-1 text-ink2">{words.more(moved_shifts_count - moved_shifts.length)}</p>
      )}
    </div>
  );
}

/** The first time that nobody is on call any more, as somebody declared. */
function ByDesign({ effects, zone }: { effects: Effects; zone: string }) {
  const now = useNow();
  const { gaps_by_design = [], gaps_by_design_count: count = 0 } = effects;
  const [first] = gaps_by_design;
  if (first === undefined) return null;
  const end = first.to === null ? null : Date.parse(first.to);
  const when = spanText(zone, { start: Date.parse(first.from), end }, now);
  return <p className="rounded-md bg-sunken px-3 py-2">{words.byDesign(when, count - 1)}</p>;
}

type EffectsPanelProps = {
  stored: Schedule;
  draft: Draft;
  change: (draft: Draft) => void;
  axis: Axis;
  isChanged: boolean;
};

/** Who is on call before and after, and what people should know before it is saved. */
function EffectsPanel({ stored, draft, change, axis, isChanged }: EffectsPanelProps) {
  const late = useLate(draft);
  const { data: timeline } = useQuery(
    timelineQuery(stored.id, { start: axis.start, end: axis.end }),
  );
  const { data: members = [] } = useQuery(peopleQuery);
  const isLate = JSON.stringify(late) !== JSON.stringify(draft);
  const isShown = isChanged && isComplete(draft);
  const query = useQuery({
    ...effectsQuery(stored, late),
    enabled: isShown && !isLate,
  });
  const data = isShown ? query.data : undefined;
  const error = isShown && !isLate ? query.error : null;
  const isOfOther = isShown && (isLate || query.isPlaceholderData);
  const names = Object.fromEntries(namesById(members));
  const ids = [
    ...Object.keys(timeline?.names ?? {}),
    ...late.layers.flatMap(({ users }) => users.filter((user) => user !== null)),
  ];
  const people = { names: { ...names, ...timeline?.names }, hues: huesOf(ids) };
  const after = timeline && data ? withMoves(timeline.shifts, data) : timeline?.shifts;
  const isAfterKnown = data !== undefined || !isChanged;
  const barsAfter = isAfterKnown && after ? layerBars(after, people) : [];
  return (
    <section
      aria-labelledby="effects"
      aria-busy={isOfOther}
      className={`min-w-0 ${isOfOther ? 'opacity-60' : ''}`}
    >
      <h2 id="effects" className="text-lg font-bold">
        {words.effects}
      </h2>
      {timeline && after && (
        <DraftLanes
          axis={axis}
          lanes={[
            { label: words.before, bars: finalBars(timeline, people) },
            ...(isAfterKnown ? [{ label: words.after, bars: barsAfter }] : []),
          ]}
        />
      )}
      <NextHandoffs bars={barsAfter} zone={axis.zone} />
      <div aria-live="polite" className="mt-2 flex flex-col gap-1.5 text-pretty">
        {!isComplete(draft) && <p className="text-ink2">{words.incomplete}</p>}
        {isShown && data === undefined && error === null && (
          <p className="text-ink2">{words.computing}</p>
        )}
        {error instanceof PagerError && (
          <p className="font-medium text-red">{previewFailure(error.failure)}</p>
        )}
        {data?.warnings.length === 0 && (
          <>
            <p>{words.noEffects}</p>
            {isTurned(draftOf(stored), draft) && <p className="text-ink2">{words.turned}</p>}
          </>
        )}
        {data?.warnings
          .filter(({ code }) => code !== 'shifts_move')
          .map(({ code, message }) => (
            <p
              key={message}
              className={`rounded-md px-3 py-2 ${code === 'notified' ? 'bg-sunken' : 'bg-amber-tint'}`}
            >
              <Warning text={message} zone={axis.zone} />
            </p>
          ))}
        {data && <ByDesign effects={data} zone={axis.zone} />}
        {data && <CountOpen draft={draft} change={change} warnings={data.warnings} />}
        {data && data.moved_shifts_count > 0 && <Moves effects={data} zone={axis.zone} />}
      </div>
    </section>
  );
}

/** With its times on the clock of the schedule. */
function Warning({ text, zone }: { text: string; zone: string }) {
  const now = useNow();
  return (
    <bdi>
      {partsOf(text).map((part) =>
        'at' in part ? fullText(zone, Date.parse(part.at), now) : visibleText(part.text),
      )}
    </bdi>
  );
}
