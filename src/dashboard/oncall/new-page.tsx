import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { visibleText } from '../../resources/visible-text.ts';
import { PagerError } from '../api/pager.ts';
import { previewFailure } from '../api/preview-failure.ts';
import { sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTeam } from '../shell/team-label.tsx';
import { useTitle } from '../shell/use-title.ts';
import { isSame } from '../ui/edits.ts';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { huesOf } from '../ui/person.ts';
import { useLate } from '../ui/use-late.ts';
import { zoneToBegin } from '../ui/zones.ts';
import { axisOf, dayOf, firstDay } from './axis.ts';
import { finalBars } from './bars.ts';
import { CountOpen } from './count-open.tsx';
import { countable, type Draft, isComplete, layersBody, layersOf, templates } from './draft.ts';
import { DraftLanes } from './draft-lanes.tsx';
import type { Effects } from './moves.ts';
import { NextHandoffs } from './next-handoffs.tsx';
import { newEffectsQuery, newPreviewQuery } from './preview.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { scheduleWords, editWords as words } from './words.ts';

export function NewSchedulePage() {
  const team = useTeam();
  const navigate = useNavigate();
  const { data: teams } = useQuery(teamNamesQuery);
  const { data: session } = useQuery(sessionQuery);
  const write = useWrite(['on-calls']);
  const [template, setTemplate] = useState<(typeof templates)[number]>('weekly');
  const [begun] = useState<Draft>(() => ({
    name: '',
    timezone: zoneToBegin(session?.organization.timezone),
    team_id: team ?? '',
    layers: layersOf('weekly'),
  }));
  const [draft, setDraft] = useState(begun);
  useTitle(words.create);
  const isAllowed = useMay('manager');
  const { name, timezone } = draft;
  const team_id = draft.team_id || ([...(teams?.keys() ?? [])][0] ?? '');
  const save = async () => {
    const body = { name, timezone, layers: layersBody(draft.layers), ...(team_id && { team_id }) };
    const made = await write.send({ method: 'POST', path: '/on-calls', body });
    if (made !== null)
      void navigate({ to: '/on-calls/$id', params: { id: String(made['id']) }, replace: true });
  };
  if (isAllowed === false) return <NotAllowed title={words.create} least="manager" />;
  return (
    <>
      <PageHeader title={words.create} back={{ to: '/on-calls', text: scheduleWords.back }} />
      <div className="grid grid-cols-1 gap-6 px-4 py-4 md:px-5 xl:grid-cols-[28rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-5">
          <fieldset className="max-w-md">
            <legend className="font-medium">{words.template}</legend>
            <div className="mt-1 flex flex-col gap-2">
              {templates.map((one) => (
                <button
                  key={one}
                  type="button"
                  aria-pressed={one === template}
                  onClick={() => {
                    if (one === template) return;
                    setTemplate(one);
                    setDraft({ ...draft, layers: layersOf(one) });
                  }}
                  className="min-h-11 rounded-lg border border-line bg-surface px-3 py-2 text-start hover:border-edge aria-pressed:border-ink"
                >
                  <span className="block font-medium">{words.templates[one].title}</span>
                  <span className="block text-sm text-ink2">{words.templates[one].text}</span>
                </button>
              ))}
            </div>
          </fieldset>
          <ScheduleForm
            draft={{ ...draft, team_id }}
            change={setDraft}
            isNew
            isTouched={!isSame(begun, draft)}
            isPending={write.isPending}
            failure={write.failure}
            onSave={() => void save()}
            onCancel={() => void navigate({ to: '/on-calls', ignoreBlocker: true })}
          >
            {null}
          </ScheduleForm>
        </div>
        <Preview draft={draft} change={setDraft} />
      </div>
    </>
  );
}

function Preview({ draft, change }: { draft: Draft; change: (draft: Draft) => void }) {
  const late = useLate(draft);
  const { timezone } = late;
  const [today] = useState(() => Date.now());
  const axis = axisOf(firstDay(dayOf(timezone, today), 'fortnight'), 'fortnight', timezone);
  const { data: members = [] } = useQuery(peopleQuery);
  const span = { start: Math.max(axis.start, today), end: axis.end };
  const isLate = JSON.stringify(late) !== JSON.stringify(draft);
  const isShown = isComplete(draft);
  const query = useQuery({
    ...newPreviewQuery(late, span),
    enabled: isShown && !isLate && isComplete(late),
  });
  const effects = useQuery({
    ...newEffectsQuery(late),
    enabled: isShown && !isLate && isComplete(late) && countable(late).length > 0,
  });
  const data = isShown ? query.data : undefined;
  const error = isShown && !isLate ? query.error : null;
  const isOfOther = isShown && (isLate || query.isPlaceholderData);
  const names = Object.fromEntries(namesById(members));
  const ids = late.layers.flatMap(({ users }) => users.filter((user) => user !== null));
  const people = { names, hues: huesOf(ids) };
  const bars = data && finalBars({ shifts: data.data, gaps: data.coverage.gaps }, people);
  return (
    <section
      aria-labelledby="preview"
      aria-busy={isOfOther}
      className={`min-w-0 ${isOfOther ? 'opacity-60' : ''}`}
    >
      <h2 id="preview" className="text-lg font-bold">
        {words.preview}
      </h2>
      <div aria-live="polite" className="my-2">
        {!isShown ? (
          <p className="text-ink2">{words.incomplete}</p>
        ) : error instanceof PagerError ? (
          <p className="font-medium text-red">{previewFailure(error.failure)}</p>
        ) : data === undefined ? (
          <p className="text-ink2">{words.computing}</p>
        ) : (
          <p className={data.coverage.gap_count > 0 ? 'font-medium text-red' : 'text-ink2'}>
            {data.coverage.gap_count > 0 ? words.gaps(data.coverage.gap_count) : words.noGap}
          </p>
        )}
        {isShown && !isLate && effects.data && (
          <NoShifts draft={draft} change={change} effects={effects.data} />
        )}
      </div>
      {bars && (
        <>
          <DraftLanes axis={axis} lanes={[{ label: words.onCall, bars }]} />
          <NextHandoffs bars={bars} zone={timezone} />
        </>
      )}
    </section>
  );
}

type NoShiftsProps = { draft: Draft; change: (draft: Draft) => void; effects: Effects };

/** Who would never be on call, and what makes the turns fair. */
const NoShifts = ({ draft, change, effects: { warnings } }: NoShiftsProps) => (
  <div className="mt-2 flex flex-col gap-1.5">
    {warnings
      .filter(({ code }) => code === 'no_shift')
      .map(({ message }) => (
        <p key={message} className="rounded-md bg-amber-tint px-3 py-2">
          {visibleText(message)}
        </p>
      ))}
    <CountOpen draft={draft} change={change} warnings={warnings} />
  </div>
);
