import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import type { Span } from './axis.ts';
import { fromAndTo, NOBODY, onCallIn, replacedIn, takenOffIn } from './covering.ts';
import { Notified } from './notified.tsx';
import { PersonField, picksOf } from './person-field.tsx';
import { type Member, nowQuery, type Schedule } from './queries.ts';
import { ANYONE, recipientsText } from './requests.ts';
import { SpanFields } from './span-fields.tsx';
import { useSaveOnceKnown } from './use-save-once-known.ts';
import { useTimelineIn } from './use-timeline-in.ts';
import { isoOf, useTypedSpan } from './use-typed-span.ts';
import { requestWords, coverWords as words } from './words.ts';

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
  initial: Span;
};

function CoverForm({ schedule, members, me, close, initial }: CoverFormProps) {
  const { id, timezone } = schedule;
  const typed = useTypedSpan(timezone, initial);
  const { start, end } = typed;
  const [comment, setComment] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [replaces, setReplaces] = useState<string | null>(null);
  const names = namesById(members);
  const isSpan = typed.span !== null;
  const {
    query: { data: timeline },
    isKnown,
  } = useTimelineIn(id, typed);
  const onCall = timeline ? onCallIn(timeline) : [];
  const who = chosen ?? (timeline && me !== undefined && !onCall.includes(me) ? me : '');
  const isNobody = who === NOBODY;
  const isRequest = who === ANYONE;
  const isOfOne = isNobody || isRequest;
  const instead = isOfOne
    ? takenOffIn(onCall, replaces ?? (isRequest ? (me ?? null) : null))
    : replacedIn(onCall, replaces);
  const body = {
    // Absent until somebody is chosen: then the field is required, and not wrong.
    ...(who !== '' && { user_id: isNobody ? null : who }),
    ...(instead !== '' && { replaces_user_id: instead }),
    start: isoOf(start),
    end: isoOf(end),
    ...(comment.trim() !== '' && { comment: comment.trim() }),
  };
  const write = useWrite(['on-calls']);
  const saving = {
    form: JSON.stringify([who, start.text, end.text, replaces, comment]),
    isKnown: isKnown || !isSpan,
  };
  const { isChecking, save } = useSaveOnceKnown(saving, async () => {
    const { user_id, replaces_user_id, ...rest } = body;
    const made = await write.send({
      method: 'POST',
      ...(isRequest
        ? {
            path: `/on-calls/${id}/cover-requests`,
            body: { ...rest, user_id: replaces_user_id },
            name: requestWords.send,
          }
        : { path: `/on-calls/${id}/overrides`, body, name: words.title }),
    });
    if (made !== null) close();
  });
  const { comment: _, ...previewed } = body;
  return (
    <Form
      save={isChecking ? words.checking : isRequest ? requestWords.send : words.save}
      isPending={write.isPending}
      failure={write.failure}
      onSave={save}
      onCancel={close}
    >
      <PersonField
        path="user_id"
        label={words.who}
        picks={[
          ...picksOf(members, me),
          ...(onCall.length > 0 ? [{ value: ANYONE, label: requestWords.anyone }] : []),
        ]}
        names={names}
        value={who}
        onChange={setChosen}
        onEdit={() => setChosen(who)}
      />
      {onCall.length > 0 && !isRequest && (
        <Button icon="users" className="self-start" onClick={() => setChosen(ANYONE)}>
          {requestWords.request}
        </Button>
      )}
      <SpanFields id={id} timezone={timezone} typed={typed} />
      {onCall.length > 0 && (
        <SelectField
          path="replaces_user_id"
          label={words.instead}
          value={instead}
          options={[
            ...(isOfOne ? [] : [{ value: '', text: words.everybody }]),
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
      {isRequest && (
        <p aria-live="polite" className="rounded-md bg-sunken px-3 py-2 text-pretty">
          {recipientsText({
            schedule,
            members,
            except: [instead, me ?? ''],
            nameOf: (userId) => names.get(userId) ?? '…',
          })}
        </p>
      )}
      {who !== '' && !isRequest && isSpan && (!isNobody || instead !== '') && (
        <Notified
          path={`/on-calls/${id}/overrides/preview`}
          body={previewed}
          isKnown={isKnown}
          names={names}
        />
      )}
    </Form>
  );
}
