import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo, useState } from 'react';
import type { Failure } from '../../client/answer.ts';
import { queryLimits } from '../../limits/queries.ts';
import { previewFailure } from '../api/preview-failure.ts';
import { useWrite } from '../api/use-write.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { useNow } from '../ui/now.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import type { Pick } from '../ui/pick-field.tsx';
import type { Bar } from './bar.ts';
import { finalBars, nameIn } from './bars.ts';
import { NOBODY } from './covering.ts';
import {
  type Cover,
  coversOf,
  holdersIn,
  issuesAt,
  nameOf,
  numberIn,
  overrideOf,
  type Picks,
  rowsOf,
  STAYS,
  type StretchRow,
  stretchOf,
  withAllOf,
  withPick,
} from './covering-several.ts';
import { Notified } from './notified.tsx';
import { PersonField, picksOf } from './person-field.tsx';
import type { Member, Schedule } from './queries.ts';
import { SpanFields } from './span-fields.tsx';
import { spanText } from './times.ts';
import { useSaveOnceKnown } from './use-save-once-known.ts';
import { useTimelineIn } from './use-timeline-in.ts';
import { useTypedSpan } from './use-typed-span.ts';
import { coverWords, words as shared, severalWords as words } from './words.ts';

type CoverSeveralProps = {
  schedule: Schedule;
  /** From and to, with a slash between; either may be missing. */
  covers: string;
  me: string | undefined;
  close: () => void;
};

export function CoverSeveralDialog({ schedule, ...rest }: CoverSeveralProps) {
  const people = useQuery(peopleQuery);
  return (
    <Dialog
      title={words.title}
      text={coverWords.times(schedule.timezone)}
      isOpen
      isWide
      onClose={rest.close}
    >
      <Loaded query={people}>
        {(members) => <SeveralForm schedule={schedule} members={members} {...rest} />}
      </Loaded>
    </Dialog>
  );
}

type SeveralFormProps = CoverSeveralProps & { members: readonly Member[] };

const most = queryLimits.overridesAtOnce;
const noPicks: Picks = new Map();
const noHues: ReadonlyMap<string, number> = new Map();

function SeveralForm({ schedule, covers: address, members, me, close }: SeveralFormProps) {
  const { id, timezone } = schedule;
  const now = useNow();
  const [initial] = useState(() => stretchOf(address, { now: Date.now(), timezone }));
  const typed = useTypedSpan(timezone, initial);
  const { query, isKnown } = useTimelineIn(id, typed);
  const [picked, setPicked] = useState(noPicks);
  const [comment, setComment] = useState('');
  const [saved, setSaved] = useState({ sent: noCovers, picks: noPicks });
  const [unsent, setUnsent] = useState<Failure | null>(null);
  const names = useMemo(() => namesById(members), [members]);
  const people = useMemo(() => picksOf(members, me), [members, me]);
  const { data } = query;
  const bars = useMemo(
    () => (data ? finalBars(data, { names: data.names, hues: noHues }) : []),
    [data],
  );
  const rows = typed.span ? rowsOf(bars, typed.span, now) : [];
  const covers = rows.length > most ? noCovers : coversOf(rows, picked);
  const personOf = (userId: string) =>
    names.get(userId) ?? nameIn({ names: data?.names ?? {}, hues: noHues }, userId);
  const pick = useCallback(
    (key: string, to: string) => setPicked((before) => withPick(before, key, to)),
    [],
  );
  const write = useWrite(['on-calls']);
  const saving = {
    form: JSON.stringify([typed.start.text, typed.end.text, [...picked], comment]),
    isKnown: isKnown || typed.span === null,
  };
  const { isChecking, save } = useSaveOnceKnown(saving, async () => {
    setSaved({ sent: covers, picks: picked });
    setUnsent(covers.length === 0 ? nothingPicked(rows[0]) : null);
    if (covers.length === 0) return;
    const own = comment.trim() === '' ? {} : { comment: comment.trim() };
    const made = await write.send({
      method: 'POST',
      path: `/on-calls/${id}/overrides/batch`,
      body: { overrides: covers.map((cover) => ({ ...overrideOf(cover), ...own })) },
      name: words.title,
    });
    if (made !== null) close();
  });
  const whenOf = (row: StretchRow) => spanText(timezone, row, now);
  /** Of a problem: the shift that the preview calls by a number. */
  const placed = (path: string) => {
    const row = covers[numberIn(path) ?? -1]?.rows[0];
    return row ? `${whenOf(row)}:` : path;
  };
  const failure = unsent ?? write.failure;
  const issues = failure?.type === 'refused' ? failure.issues : [];
  return (
    <Form
      isWide
      save={isChecking ? coverWords.checking : words.save}
      isPending={write.isPending}
      failure={failure}
      issues={unsent && covers.length > 0 ? [] : issuesAt(issues, { ...saved, picks: picked })}
      isTouched={picked.size > 0 || comment !== ''}
      onSave={save}
      onCancel={close}
    >
      <SpanFields id={id} timezone={timezone} typed={typed} />
      <Loaded query={query}>
        {() => (
          <>
            {typed.span && rows.length === 0 && <p className="text-ink2">{words.none}</p>}
            {rows.length > most && (
              <p role="alert" className="rounded-md bg-amber-tint px-3 py-2 text-pretty">
                {words.tooMany(rows.length, most)}
              </p>
            )}
            {rows.length > 0 && rows.length <= most && (
              <>
                <SetAll
                  holders={holdersIn(rows)}
                  nameOf={personOf}
                  people={people}
                  names={names}
                  set={(all) => setPicked((before) => withAllOf(before, rows, all))}
                />
                <ul
                  aria-label={words.shifts}
                  className={`flex flex-col ${isKnown ? '' : 'opacity-60'}`}
                >
                  {rows.map((row) => (
                    <ShiftRow
                      key={row.key}
                      rowKey={row.key}
                      path={nameOf(row, saved.sent)}
                      when={whenOf(row)}
                      userId={row.userId}
                      name={row.userId === null ? shared.nobody : personOf(row.userId)}
                      kind={row.kind}
                      people={people}
                      names={names}
                      value={picked.get(row.key) ?? STAYS}
                      onPick={pick}
                    />
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Loaded>
      <TextField
        path="comment"
        label={coverWords.comment}
        value={comment}
        maxLength={1000}
        onChange={setComment}
      />
      {covers.length > 0 && (
        <Notified
          path={`/on-calls/${id}/overrides/batch/preview`}
          body={{ overrides: covers.map(overrideOf) }}
          isKnown={isKnown}
          names={names}
          first={words.changes(covers.flatMap((cover) => cover.rows).length)}
          failureOf={(one) => previewFailure(one, placed)}
        />
      )}
    </Form>
  );
}

const noCovers: readonly Cover[] = [];

/** Said as the API would, at the first shift. */
const nothingPicked = (row: StretchRow | undefined): Failure => ({
  type: 'refused',
  status: 422,
  code: 'validation_failed',
  message: words.nothingPicked,
  issues: row ? [{ path: nameOf(row, noCovers), message: words.pickOne }] : [],
  requestId: '',
});

type SetAllProps = {
  holders: readonly string[];
  nameOf: (userId: string) => string;
  people: readonly Pick[];
  names: ReadonlyMap<string, string>;
  set: (all: { of: string; to: string }) => void;
};

/** Such as all shifts of whoever is on vacation. */
function SetAll({ holders, nameOf: personOf, people, names, set }: SetAllProps) {
  const [chosen, setChosen] = useState('');
  const [to, setTo] = useState('');
  const of = holders.includes(chosen) ? chosen : (holders[0] ?? '');
  return (
    <fieldset className="min-w-0 rounded-lg border border-line p-3">
      <legend className="px-1 font-medium">{words.setAll}</legend>
      <div className="grid grid-cols-1 items-end gap-3 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
        <SelectField
          path="all_of"
          label={words.of}
          value={of}
          options={holders.map((one) => ({
            value: one,
            text: one === NOBODY ? words.gaps : personOf(one),
          }))}
          onChange={setChosen}
        />
        <PersonField
          path="all_to"
          label={words.by}
          picks={[stays, ...people.filter(({ value }) => value !== of)]}
          names={names}
          value={to}
          onChange={setTo}
        />
        <Button disabled={to === '' || to === of} onClick={() => set({ of, to })}>
          {words.set}
        </Button>
      </div>
    </fieldset>
  );
}

const stays: Pick = { value: STAYS, label: words.stays };

type ShiftRowProps = {
  rowKey: string;
  path: string;
  when: string;
  userId: string | null;
  name: string;
  kind: Bar['kind'];
  people: readonly Pick[];
  names: ReadonlyMap<string, string>;
  value: string;
  onPick: (key: string, to: string) => void;
};

/** There are many: a pick in one draws no other anew. */
const ShiftRow = memo(
  ({ rowKey, path, when, userId, name, kind, people, names, value, onPick }: ShiftRowProps) => (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3 border-t border-line py-2">
      {userId === null ? <span /> : <PersonMark id={userId} name={name} />}
      <PersonField
        isRow
        path={path}
        label={
          <>
            <span className="block">{when}</span>{' '}
            <bdi
              className={`block font-normal break-words ${kind === 'gap' ? 'text-red' : 'text-ink2'}`}
            >
              {kind === 'by design' ? shared.nobodyByDesign : name}
            </bdi>
          </>
        }
        picks={[stays, ...people.filter(({ value: one }) => one !== (userId ?? NOBODY))]}
        names={names}
        value={value}
        onChange={(to) => onPick(rowKey, to)}
      />
    </li>
  ),
);
