import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Fields } from '../../client/answer.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite, type Writing } from '../api/use-write.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { ageOf } from '../ui/age.ts';
import { ArchiveSection } from '../ui/archive-section.tsx';
import { channelName } from '../ui/channel.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Conflict, type Part } from '../ui/conflict.tsx';
import { CheckField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { useNow } from '../ui/now.ts';
import { Empty } from '../ui/panel.tsx';
import { Saved } from '../ui/saved.tsx';
import { Section } from '../ui/section.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { useEdit } from '../ui/use-edit.ts';
import { Warnings, warningsIn } from '../ui/warnings.tsx';
import {
  accountOf,
  bodyOf,
  type Connection,
  type Draft,
  draftOf,
  lostBy,
  vendorTitle,
} from './connection.ts';
import { settingFields, type Typed } from './declared.ts';
import { SettingFields } from './declared-fields.tsx';
import { Effects } from './effects.tsx';
import { HealthText } from './health.tsx';
import { InboundSection } from './inbound-section.tsx';
import { ManifestSection } from './manifest-section.tsx';
import { connectionsPath, connectionsQuery, effectsQuery, staleConnections } from './queries.ts';
import { SecretsSection } from './secrets-section.tsx';
import { TestSection } from './test-section.tsx';
import { UsageSection } from './usage-section.tsx';
import { words } from './words.ts';

export function ConnectionPage() {
  const isAllowed = useMay('manager');
  if (isAllowed === false) return <NotAllowed title={words.title} least="manager" />;
  return isAllowed ? <OneConnection /> : <PageHeader title={words.title} />;
}

function OneConnection() {
  const { id } = useParams({ from: '/settings/channels/$id' });
  const query = useQuery(connectionsQuery);
  const connection = query.data?.find((one) => one.id === id);
  useTitle(connection?.name ?? words.title);
  const navigate = useNavigate();
  const archiving = useWrite(...staleConnections);
  const unshown = useUnshown();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  function archived(answer: Fields) {
    const lost = unshown(answer, archivedRecord(id));
    setWarnings(lost);
    // What is typed into the forms of the page goes with what they are of.
    if (lost.length === 0) void navigate({ to: '/settings/channels', ignoreBlocker: true });
  }
  return (
    <>
      <PageHeader
        title={connection?.name ?? words.title}
        back={{ to: '/settings/channels', text: words.title }}
      />
      <Loaded query={query}>
        {() =>
          connection ? (
            <ConnectionView
              key={id}
              connection={connection}
              archiving={archiving}
              onArchived={archived}
            />
          ) : (
            <Empty {...(warnings.length > 0 ? words.isArchived : words.notThere)}>
              <Warnings warnings={warnings} />
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

const archivedRecord = (id: string) => ({ id, archived: true });

/** Of the warnings of a write, those that its dialog did not show. */
function useUnshown() {
  const client = useQueryClient();
  return (answer: Fields, record: Parameters<typeof effectsQuery>[0]) => {
    const shown = client.getQueryData(effectsQuery(record).queryKey) ?? [];
    return warningsIn(answer).filter((warning) => !shown.includes(warning));
  };
}

type ConnectionViewProps = {
  connection: Connection;
  archiving: Writing;
  onArchived: (answer: Fields) => void;
};

function ConnectionView({ connection, archiving, onArchived }: ConnectionViewProps) {
  const { id, version, name } = connection;
  const mayChange = useMay('admin') === true;
  return (
    <>
      <Summary connection={connection} />
      {mayChange && <TestSection connection={connection} />}
      <Section title={words.settings} {...(!mayChange && { text: words.adminsOnly })}>
        <SettingsForm connection={connection} mayChange={mayChange} />
      </Section>
      <SecretsSection connection={connection} mayChange={mayChange} />
      <ManifestSection connection={connection} />
      <InboundSection connection={connection} />
      <UsageSection connection={connection} />
      {mayChange && (
        <ArchiveSection
          name={name}
          words={words}
          archiving={archiving}
          onArchived={onArchived}
          write={{ path: `${connectionsPath}/${id}`, version, name: words.archive }}
        >
          <Effects record={archivedRecord(id)} />
        </ArchiveSection>
      )}
    </>
  );
}

function Summary({ connection }: { connection: Connection }) {
  const { vendor, health } = connection;
  const account = accountOf(connection);
  return (
    <div className="flex flex-col gap-1 border-b border-line px-4 py-4 md:px-5">
      <p className="font-medium">
        {vendorTitle(vendor)}
        {account !== undefined && <bdi> {account}</bdi>}
      </p>
      <div role="status">
        <HealthText connection={connection} />
      </div>
      <Since label={words.failingSince} now={words.failedNow} at={health.failing_since} />
      <Since label={words.checked} at={health.checked_at} />
    </div>
  );
}

type SinceProps = {
  label: string;
  /** Instead of the label, of what has just begun. */
  now?: string;
  at: string | undefined;
};

function Since({ label, now, at }: SinceProps) {
  const time = useNow();
  if (at === undefined) return null;
  const isNow = now !== undefined && ageOf(Date.parse(at), time) === null;
  return (
    <p className="text-sm text-ink3">
      {isNow ? (
        now
      ) : (
        <>
          {label}: <TimeAgo at={at} isSpelledOut />
        </>
      )}
    </p>
  );
}

const commonParts: readonly Part<Draft>[] = [
  { name: 'name', label: words.name, text: ({ name }) => name },
  { name: 'position', label: words.position, text: ({ position }) => position },
  {
    name: 'enabled',
    label: words.enabled,
    text: ({ enabled }) => (enabled ? words.yes : words.no),
  },
];

const partsOf = (vendor: string): readonly Part<Draft>[] => [
  ...commonParts,
  ...settingFields(vendor).map(({ path, label }) => ({
    name: path,
    label,
    text: (draft: Draft) => textOf(draft[path]),
  })),
];

const textOf = (typed: Typed | undefined): string =>
  typeof typed === 'boolean' ? (typed ? words.yes : words.no) : (typed ?? '');

type SettingsFormProps = { connection: Connection; mayChange: boolean };

function SettingsForm({ connection, mayChange }: SettingsFormProps) {
  const saving = useWrite(...staleConnections);
  const edit = useEdit({ record: connection, draftOf, writing: saving });
  const { draft, setDraft, version } = edit;
  const [saved, setSaved] = useState<Draft | null>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const [isOpen, setOpen] = useState(false);
  const unshown = useUnshown();
  const { id, vendor } = connection;
  const record = { id, vendor, ...bodyOf(vendor, draft) };
  const lost = lostBy(connection, draft);
  async function save() {
    const path = `${connectionsPath}/${id}`;
    const body = bodyOf(vendor, draft);
    const name = words.settings;
    const done = await saving.send({ method: 'PATCH', path, version, body, name });
    // What is wrong is at the fields.
    setOpen(false);
    if (done === null) return;
    edit.saved(done);
    setSaved(draft);
    setWarnings(unshown(done, record));
  }
  const fields = (
    <>
      <TextField
        path="name"
        label={words.name}
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <TextField
        path="position"
        label={words.position}
        help={words.positionHelp}
        type="number"
        min={1}
        inputMode="numeric"
        value={draft.position}
        onChange={(position) => setDraft({ ...draft, position })}
      />
      <CheckField
        path="enabled"
        label={words.enabled}
        help={words.enabledHelp}
        isChecked={draft.enabled}
        onChange={(enabled) => setDraft({ ...draft, enabled })}
      />
      <SettingFields fields={settingFields(connection.vendor)} draft={draft} onChange={setDraft} />
    </>
  );
  if (!mayChange)
    return (
      <fieldset disabled className="flex max-w-md min-w-0 flex-col gap-4">
        {fields}
      </fieldset>
    );
  return (
    <>
      <Form
        isPending={saving.isPending}
        failure={saving.failure}
        isTouched={edit.isTouched}
        onSave={() => (lost.length > 0 ? setOpen(true) : void save())}
      >
        <Conflict edit={edit} parts={partsOf(connection.vendor)} />
        {fields}
        <Saved isSaved={saved === draft} />
        {saved === draft && <Warnings warnings={warnings} />}
      </Form>
      {isOpen && (
        <Confirm
          title={words.saveTitle(connection.name)}
          text={words.saveText(lost.map(channelName).join(', '))}
          action={words.save}
          writing={saving}
          onConfirm={() => void save()}
          onClose={() => setOpen(false)}
        >
          <Effects record={record} />
        </Confirm>
      )}
    </>
  );
}
