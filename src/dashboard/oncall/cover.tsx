import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { PagerError, readComputed } from '../api/pager.ts';
import { previewFailure } from '../api/preview-failure.ts';
import { ofItsOwn } from '../api/queries.ts';
import { useWrite } from '../api/use-write.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { useLate } from '../ui/use-late.ts';
import { instantOfText, localText } from './axis.ts';
import {
  fromAndTo,
  NOBODY,
  notifiedOf,
  type OverridePreview,
  onCallIn,
  replacedIn,
  takenOffIn,
} from './covering.ts';
import { DraftTrack } from './draft-track.tsx';
import { type Member, nowQuery, type Schedule, timelineQuery } from './queries.ts';
import { coverWords as words } from './words.ts';

type CoverProps = {
  schedule: Schedule;
  /** From and to, with a slash between; either may be missing. */
  cover: string;
  me: string | undefined;
  close: () => void;
};

export function CoverDialog({ schedule, cover, me, close }: CoverProps) {
  const query = useQuery(nowQuery(schedule.id));
  const people = useQuery(peopleQuery);
  return (
    <Dialog title={words.title} text={words.times(schedule.timezone)} isOpen onClose={close}>
      <Loaded query={query}>
        {({ now }) => (
          <Loaded query={people}>
            {(members) => (
              <CoverForm
                schedule={schedule}
                members={members}
                me={me}
                close={close}
                initial={fromAndTo(cover, { now: Date.now(), end: now?.end })}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  );
}

type CoverFormProps = Omit<CoverProps, 'cover'> & {
  members: readonly Member[];
  initial: { start: number; end: number };
};

/** A time as it is typed; what is not touched keeps its instant, also where an hour comes twice. */
type Typed = { readonly text: string; readonly at: number | null };

function CoverForm({ schedule, members, me, close, initial }: CoverFormProps) {
  const { id, timezone } = schedule;
  const typed = (at: number): Typed => ({ text: localText(timezone, at), at });
  const [start, setStart] = useState(() => typed(initial.start));
  const [end, setEnd] = useState(() => typed(initial.end));
  const [comment, setComment] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [replaces, setReplaces] = useState<string | null>(null);
  const names = namesById(members);
  const isSpan = start.at !== null && end.at !== null && start.at < end.at;
  const span = useLate({ start: start.at ?? 0, end: end.at ?? 0 });
  const {
    data: timeline,
    isPlaceholderData,
    isError,
  } = useQuery({
    ...timelineQuery(id, span),
    enabled: isSpan && span.start < span.end,
  });
  // Until then who is on call is known of another time only.
  const isKnown =
    span.start === start.at &&
    span.end === end.at &&
    (isError || (timeline !== undefined && !isPlaceholderData));
  const onCall = timeline ? onCallIn(timeline) : [];
  const who = chosen ?? (timeline && me !== undefined && !onCall.includes(me) ? me : '');
  const isNobody = who === NOBODY;
  const instead = isNobody ? takenOffIn(onCall, replaces) : replacedIn(onCall, replaces);
  const body = {
    // Absent until somebody is chosen: then the field is required, and not wrong.
    ...(who !== '' && { user_id: isNobody ? null : who }),
    ...(instead !== '' && { replaces_user_id: instead }),
    start: isoOf(start),
    end: isoOf(end),
    ...(comment.trim() !== '' && { comment: comment.trim() }),
  };
  const write = useWrite(['on-calls']);
  // A save that waits until it is known what it does; another edit calls it off.
  const form = JSON.stringify([who, start.text, end.text, replaces, comment]);
  const [wanted, setWanted] = useState<string | null>(null);
  const isChecking = wanted === form && isSpan && !isKnown;
  const save = async () => {
    setWanted(isSpan && !isKnown ? form : null);
    if (isSpan && !isKnown) return;
    const made = await write.send({
      method: 'POST',
      path: `/on-calls/${id}/overrides`,
      body,
      name: words.title,
    });
    if (made !== null) close();
  };
  const isReady = wanted === form && !isChecking;
  useEffect(() => {
    if (isReady) void save();
  }, [isReady]);
  const change = (set: (next: Typed) => void) => (text: string) =>
    set({ text, at: instantOfText(timezone, text) });
  const { comment: _, ...previewed } = body;
  return (
    <Form
      save={isChecking ? words.checking : words.save}
      isPending={write.isPending}
      failure={write.failure}
      onSave={() => void save()}
      onCancel={close}
    >
      <PickField
        path="user_id"
        label={words.who}
        picks={[
          ...members
            .filter((one) => one.active !== false)
            .map((one) => ({
              value: one.id,
              label: one.id === me ? words.me(personName(one)) : personName(one),
            })),
          { value: NOBODY, label: words.nobody },
        ]}
        mark={({ value }) =>
          value === NOBODY ? (
            <Icon name="x" />
          ) : (
            <PersonMark id={value} name={names.get(value) ?? ''} />
          )
        }
        value={who}
        onChange={setChosen}
        onEdit={() => setChosen(who)}
      />
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <TextField
          path="start"
          label={words.from}
          type="datetime-local"
          value={start.text}
          onChange={change(setStart)}
        />
        <TextField
          path="end"
          label={words.to}
          type="datetime-local"
          value={end.text}
          onChange={change(setEnd)}
        />
      </div>
      {isSpan && (
        <DraftTrack
          id={id}
          timezone={timezone}
          draft={{ start: start.at ?? 0, end: end.at ?? 0 }}
          change={(next) => {
            if (next.start !== start.at) setStart(typed(next.start));
            if (next.end !== end.at) setEnd(typed(next.end));
          }}
        />
      )}
      {onCall.length > 0 && (
        <SelectField
          path="replaces_user_id"
          label={words.instead}
          value={instead}
          options={[
            ...(isNobody ? [] : [{ value: '', text: words.everybody }]),
            ...onCall.map((one) => ({ value: one, text: words.onlyOf(names.get(one) ?? '…') })),
          ]}
          onChange={setReplaces}
          isDisabled={!isKnown}
        />
      )}
      <TextField
        path="comment"
        label={words.comment}
        value={comment}
        maxLength={1000}
        onChange={setComment}
      />
      {isNobody && (
        <p className="rounded-md bg-amber-tint px-3 py-2 text-pretty">
          {isKnown && onCall.length === 0 ? words.nobodyToTakeOff : words.takesOff}
        </p>
      )}
      {who !== '' && isSpan && (!isNobody || instead !== '') && (
        <Notified id={id} body={previewed} isKnown={isKnown} names={names} />
      )}
    </Form>
  );
}

const isoOf = ({ at, text }: Typed) => (at === null ? text : new Date(at).toISOString());

type NotifiedProps = {
  id: string;
  body: Readonly<Record<string, string | null>>;
  /** Whether it is the body that a save would send. */
  isKnown: boolean;
  names: ReadonlyMap<string, string>;
};

/** Whom a save tells, before it is made. */
function Notified({ id, body, isKnown, names }: NotifiedProps) {
  const late = useLate(body);
  const isCurrent = isKnown && JSON.stringify(late) === JSON.stringify(body);
  const { data, error, isFetching } = useQuery({
    queryKey: ['on-calls', id, 'override preview', late],
    queryFn: () => readComputed<OverridePreview>(`/on-calls/${id}/overrides/preview`, late),
    enabled: isCurrent,
    ...ofItsOwn,
  });
  const texts =
    isCurrent && error instanceof PagerError
      ? [previewFailure(error.failure)]
      : isCurrent &&
        data &&
        notifiedOf(data, (userId) => names.get(userId) ?? data.names[userId] ?? '…');
  return (
    <div
      aria-live="polite"
      className={`min-h-5 rounded-md bg-sunken px-3 py-2 text-pretty ${isFetching || !isCurrent ? 'text-ink3' : ''}`}
    >
      {(texts || ['…']).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
