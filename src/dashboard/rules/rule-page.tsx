import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Suspense, useId } from 'react';
import { PagerError } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { type FieldProps, labelOf, type OwnWidgets } from '../form/around.tsx';
import { bodyOf, type Draft } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { useNames } from '../form/picks.ts';
import { resourceOf } from '../records/declared.ts';
import { NewRecordPage } from '../records/new-page.tsx';
import type { AnySearch, DraftViewProps } from '../records/record.ts';
import { RecordPage, type RecordTab, type RecordViewProps } from '../records/record-page.tsx';
import { words as recordWords } from '../records/words.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { TextField } from '../ui/field.tsx';
import { Reading } from '../ui/loaded.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { zoneToBegin } from '../ui/zones.ts';
import { GroupBy } from './group-by.tsx';
import { rules } from './kind.ts';
import { detailKeysQuery, eventAlertsQuery } from './queries.ts';
import { type RuleFields, ruleSentence } from './sentence.ts';
import { forEvent, isTemplate, templateNames, templateOf } from './templates.ts';
import { templateWords, words } from './words.ts';

const TryRule = lazyPart(() => import('./try-rule.tsx'), 'TryRule');
const Replay = lazyPart(() => import('./replay-rules.tsx'), 'Replay');

const tabs: readonly RecordTab[] = [
  { tab: 'try', text: words.tryTab, view: TryTab },
  { tab: 'replay', text: words.replayTab, view: ReplayTab },
];

/** What is compared is a value that alerts have: their names are offered. */
function DetailKey({ field, path, value, onChange }: FieldProps) {
  const id = useId();
  const { data } = useQuery(detailKeysQuery);
  return (
    <>
      <TextField
        path={path}
        label={labelOf(field)}
        help={field.help}
        list={id}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value === undefined ? '' : String(value)}
        onChange={onChange}
      />
      <datalist id={id}>
        {data?.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </>
  );
}

const own: OwnWidgets = {
  'condition_groups.conditions.key': DetailKey,
  'actions.by': GroupBy,
};

export const RulePage = () => (
  <RecordPage
    kind={rules}
    own={own}
    tabs={tabs}
    below={BelowForm}
    summary={Summary}
    shownAbove={['condition_groups', 'actions']}
  />
);

/** As the list has it. */
function Summary({ record }: RecordViewProps) {
  const nameOf = useNames(fieldsOf(resourceOf(rules)));
  return (
    <p className="max-w-2xl px-4 pt-4 text-lg wrap-anywhere md:px-5">
      {ruleSentence(record as unknown as RuleFields, nameOf)}
    </p>
  );
}

export function NewRulePage() {
  const { template, event, integration, title } = useSearch({ from: '/alert-rules/new' });
  const { data: session } = useQuery(sessionQuery);
  if (event !== undefined) return <NewForEvent event={event} integrationId={integration} />;
  if (integration !== undefined && template === undefined)
    return <NewRule begin={forEvent({ title, integrationId: integration })} />;
  if (template === undefined) return <ChooseTemplate />;
  const zone = zoneToBegin(session?.organization.timezone);
  return <NewRule key={template} begin={isTemplate(template) ? templateOf(template, zone) : {}} />;
}

const NewRule = ({ begin }: { begin: Draft }) => (
  <NewRecordPage kind={rules} own={own} begin={begin} below={BelowForm} />
);

type NewForEventProps = { event: string; integrationId: string | undefined };

function NewForEvent({ event, integrationId }: NewForEventProps) {
  const { data, error } = useQuery(eventAlertsQuery(event));
  // What cannot be read again can still be written by hand.
  if (data === undefined && !(error instanceof PagerError)) return <Reading />;
  return <NewRule begin={forEvent({ title: data?.[0]?.title ?? '', integrationId })} />;
}

const newTitle = recordWords.create(words.one);

function ChooseTemplate() {
  const isAllowed = useMay('manager');
  useTitle(newTitle);
  if (isAllowed === false) return <NotAllowed title={newTitle} least="manager" />;
  return (
    <>
      <PageHeader title={newTitle} back={{ to: rules.path, text: words.title }} />
      <section aria-labelledby="choose" className="px-4 py-4 md:px-5">
        <h2 id="choose" className="text-lg font-bold">
          {words.choose}
        </h2>
        <p className="text-ink2">{words.chooseText}</p>
        <ul
          aria-labelledby="choose"
          className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-2"
        >
          <TemplateLink name="empty" title={words.blank.name} text={words.blank.text} />
          {templateNames.map((name) => (
            <TemplateLink key={name} name={name} {...templateWords[name]} />
          ))}
        </ul>
      </section>
    </>
  );
}

const TemplateLink = ({ name, title, text }: { name: string; title: string; text: string }) => (
  <li className="flex">
    <Link
      to="/alert-rules/new"
      search={(before: AnySearch) => ({ ...before, template: name })}
      className="flex-1 rounded-lg border border-line bg-surface px-3 py-2 hover:border-edge"
    >
      <span className="block font-medium">{title}</span>
      <span className="block text-pretty text-ink2">{text}</span>
    </Link>
  </li>
);

const fields = () => fieldsOf(resourceOf(rules));

/** Tried as it is typed, before it is saved. */
function BelowForm({ draft, id, teamId }: DraftViewProps) {
  const { event }: { event?: string } = useSearch({ strict: false });
  const rule = bodyOf(fields(), draft);
  return (
    <Suspense fallback={<Reading />}>
      <div className="mt-6 flex max-w-3xl flex-col gap-6 border-t border-line pt-6">
        <TryRule rule={rule} id={id} teamId={teamId} eventId={event} />
        <Replay rule={rule} id={id} teamId={teamId} />
      </div>
    </Suspense>
  );
}

function TryTab({ record }: RecordViewProps) {
  const { event }: { event?: string } = useSearch({ strict: false });
  return (
    <div className="max-w-3xl px-4 py-4 md:px-5">
      <TryRule rule={ruleOf(record)} id={record.id} teamId={record.team_id} eventId={event} />
    </div>
  );
}

function ReplayTab({ record }: RecordViewProps) {
  return (
    <div className="max-w-3xl px-4 py-4 md:px-5">
      <Replay rule={null} id={record.id} teamId={record.team_id} />
    </div>
  );
}

/** What the API takes of what it has answered. */
const ruleOf = (record: RecordViewProps['record']): Draft =>
  Object.fromEntries(
    fields()
      .filter(({ name }) => record[name] !== undefined)
      .map(({ name }) => [name, record[name]]),
  );
