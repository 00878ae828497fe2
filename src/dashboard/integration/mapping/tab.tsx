import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useMay } from '../../api/use-may.ts';
import { isSame } from '../../ui/edits.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Section } from '../../ui/section.tsx';
import type { Event, Integration } from '../integration.ts';
import { placesIn } from './body-places.ts';
import { FormFields } from './form-fields.tsx';
import { cleaned, type Form, hasMore, type Mapping } from './mapping.ts';
import { MappingForm } from './mapping-form.tsx';
import { mappingQuery, readingsQuery, sentQuery, useTry } from './queries.ts';
import { ReadingsSection } from './readings-section.tsx';
import { type Marks, useSuggesting } from './suggesting.ts';
import { isSentAs, type Trial } from './trial.ts';
import { TrialSection } from './trial-section.tsx';
import { useDraft } from './use-draft.ts';
import { words } from './words.ts';

/** How events are read beside the integration's type, tried before it is saved. */
export function MappingTab({ integration }: { integration: Integration }) {
  const { id, archived_at } = integration;
  const mapping = useQuery(mappingQuery(id));
  const mayManage = useMay('manager') === true;
  return (
    <Loaded query={mapping}>
      {(read) =>
        mayManage && archived_at === undefined ? (
          <Editor id={id} mapping={read} />
        ) : (
          <ReadOnly
            id={id}
            mapping={read}
            note={archived_at === undefined ? words.managersOnly : words.archivedNote}
          />
        )
      }
    </Loaded>
  );
}

type ReadingsProps = {
  id: string;
  mapping: Mapping;
  children: (readings: Trial) => ReactNode;
};

function Readings({ id, mapping, children }: ReadingsProps) {
  const query = useQuery(readingsQuery(id, mapping));
  return (
    <Loaded query={query}>
      {(readings) => (readings.data.length === 0 ? <Empty {...words.empty} /> : children(readings))}
    </Loaded>
  );
}

/** The last events, read and as they were sent. */
function useLatest(id: string, mapping: Mapping) {
  const { data: readings } = useQuery(readingsQuery(id, mapping));
  const { data: sent = [] } = useQuery(sentQuery(id, readings?.data[0]?.event_id));
  return { readings, sent };
}

/** `body`: what it was tried on in place of the last events. */
type Tried = { trial: Trial; forms: readonly Form[]; body: string | undefined };

const unmarked: Marks = { firing: '', recovered: '' };

function Editor({ id, mapping }: { id: string; mapping: Mapping }) {
  const draft = useDraft(mapping);
  const trying = useTry(id);
  const [marks, setMarks] = useState(unmarked);
  // From the first mark on no event moves the others.
  const [held, setHeld] = useState<Trial | null>(null);
  const [tried, setTried] = useState<Tried | null>(null);
  const [body, setBody] = useState('');
  const { readings, sent } = useLatest(id, mapping);
  async function tryOut(forms: readonly Form[], on?: string) {
    const trial = await trying.send(forms, on);
    if (trial !== null) setTried({ trial, forms, body: on });
  }
  const suggesting = useSuggesting(id, {
    forms: draft.forms,
    use(forms) {
      draft.setForms(forms);
      void tryOut(cleaned(forms));
    },
  });
  const latest = tried?.trial ?? held ?? readings;
  const of = (event: string) => latest?.data.find(({ event_id }) => event_id === event);
  const listId = useId();
  const firing = of(marks.firing) ?? (marks.recovered === '' ? latest?.data[0] : undefined);
  const bodyRead = tried?.body === undefined ? undefined : tried.trial.data[0];
  const marked = bodyRead
    ? { firing: bodyRead, recovered: undefined, listId }
    : { firing, recovered: of(marks.recovered), listId };
  return (
    <>
      <Readings id={id} mapping={mapping}>
        {(read) => (
          <ReadingsSection
            events={(held ?? read).data}
            sent={sent}
            marks={marks}
            suggesting={suggesting}
            onMark={(next) => {
              setHeld(held ?? read);
              setMarks(next);
            }}
          />
        )}
      </Readings>
      <Section title={words.mapping} text={words.mappingText}>
        <MappingForm
          id={id}
          mapping={mapping}
          draft={draft}
          marked={marked}
          trying={trying}
          body={body}
          onBody={setBody}
          onTry={(forms, on) => void tryOut(forms, on)}
          onSaved={() => {
            setTried(null);
            setHeld(null);
            setMarks(unmarked);
          }}
        />
        <PlaceList
          listId={listId}
          event={sent.find(isSentAs(firing ?? marked.recovered))}
          forms={draft.forms}
        />
      </Section>
      {tried && (
        <TrialSection
          trial={tried.trial}
          isOfBody={tried.body !== undefined}
          isCurrent={
            isSame(cleaned(draft.forms), cleaned(tried.forms)) && (tried.body ?? body) === body
          }
        />
      )}
    </>
  );
}

type PlaceListProps = {
  listId: string;
  event: Event | undefined;
  forms: readonly Form[];
};

/** Of the body of one event; where a form reads the elements of a list, places start in them. */
function PlaceList({ listId, event, forms }: PlaceListProps) {
  const places = event === undefined || forms[0]?.each !== undefined ? [] : placesIn(event);
  return (
    <datalist id={listId}>
      {places.map(({ place, value }) => (
        <option key={place} value={place}>
          {value}
        </option>
      ))}
    </datalist>
  );
}

type ReadOnlyProps = { id: string; mapping: Mapping; note: string };

function ReadOnly({ id, mapping, note }: ReadOnlyProps) {
  const listId = useId();
  const { forms } = mapping;
  const { readings, sent } = useLatest(id, mapping);
  return (
    <>
      <Readings id={id} mapping={mapping}>
        {({ data }) => (
          <ReadingsSection
            events={data}
            sent={sent}
            marks={unmarked}
            onMark={() => {}}
            suggesting={null}
          />
        )}
      </Readings>
      <Section title={words.mapping} text={note}>
        {forms.length === 0 ? (
          <p className="text-ink2">{words.none}</p>
        ) : (
          <>
            <fieldset disabled className="flex max-w-md min-w-0 flex-col gap-4">
              <FormFields
                forms={forms}
                mayEdit={false}
                onChange={() => {}}
                marked={{ firing: readings?.data[0], recovered: undefined, listId }}
              />
            </fieldset>
            {hasMore(forms) && (
              <pre className="mt-4 max-w-3xl rounded-md bg-sunken px-3 py-2 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
                {JSON.stringify(forms, null, 2)}
              </pre>
            )}
          </>
        )}
      </Section>
    </>
  );
}
