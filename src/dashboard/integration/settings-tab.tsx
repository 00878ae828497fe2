// What an integration is set to: read, edited, given a new token, archived.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { accessLimits } from '../../limits/access.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import type { OwnWidgets } from '../form/around.tsx';
import { integrations } from '../integrations/kind.ts';
import { ArchiveRecord } from '../records/archive.tsx';
import { EditRecord } from '../records/edit.tsx';
import { HistoryTab } from '../records/history-tab.tsx';
import { recordQuery } from '../records/queries.ts';
import { type OwnTexts, ReadFields } from '../records/read-fields.tsx';
import type { DashboardRecord } from '../records/record.ts';
import { Badges } from '../records/record-page.tsx';
import { TerraformTab } from '../records/terraform-tab.tsx';
import { UsesTab } from '../records/uses-tab.tsx';
import { words as recordWords } from '../records/words.ts';
import { buttonClass } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { SelectField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { Section } from '../ui/section.tsx';
import { Warnings } from '../ui/warnings.tsx';
import { WriteButton } from '../ui/write-button.tsx';
import { GroupingField } from './grouping/field.tsx';
import { groupingText } from './grouping/grouping.ts';
import type { SettingsView } from './search.ts';
import { words as all } from './words.ts';

const words = all.settings;

const own: OwnWidgets = { grouping: GroupingField };

const texts: OwnTexts = {
  grouping: ({ grouping, disable_incident_suppression: isDisabled }) =>
    groupingText(grouping, isDisabled === true),
};

const ownViews = [
  { tab: 'edit', icon: 'pencil', text: recordWords.edit },
  { tab: 'terraform', icon: 'copy', text: recordWords.copyTerraform },
] as const;

export function SettingsTab({ id, view }: { id: string; view: SettingsView }) {
  const query = useQuery(recordQuery(integrations, id));
  return <Loaded query={query}>{(record) => <Settings record={record} view={view} />}</Loaded>;
}

type SettingsProps = { record: DashboardRecord; view: SettingsView };

function Settings({ record, view }: SettingsProps) {
  const navigate = useNavigate({ from: '/integrations/$id' });
  const mayManage = useMay('manager') === true && record.archived_at === undefined;
  const seesHistory = useMay('admin') === true;
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  if (view === 'edit' && mayManage)
    return (
      <EditRecord
        kind={integrations}
        record={record}
        own={own}
        below={undefined}
        close={(next) => {
          setWarnings(next);
          void navigate({
            to: '.',
            search: (before) => ({ ...before, tab: 'settings' as const }),
            ignoreBlocker: true,
          });
        }}
      />
    );
  if (view === 'terraform') return <TerraformTab kind={integrations} id={record.id} />;
  return (
    <>
      <Badges kind={integrations} record={record} />
      {warnings.length > 0 && (
        <div className="border-b border-line px-4 py-3 md:px-5">
          <Warnings warnings={warnings} />
        </div>
      )}
      {mayManage && (
        <div className="flex flex-wrap gap-2 border-b border-line px-4 py-3 md:px-5">
          {ownViews.map(({ tab, icon, text }) => (
            <Link
              key={tab}
              from="/integrations/$id"
              to="."
              search={(before) => ({ ...before, tab })}
              className={buttonClass()}
            >
              <Icon name={icon} />
              {text}
            </Link>
          ))}
        </div>
      )}
      <ReadFields kind={integrations} record={record} texts={texts} />
      {mayManage && <Rotation record={record} />}
      <Section title={recordWords.uses}>
        <UsesTab kind={integrations} id={record.id} />
      </Section>
      {seesHistory && (
        <Section title={recordWords.history}>
          <HistoryTab kind={integrations} id={record.id} />
        </Section>
      )}
      {mayManage && <ArchiveRecord kind={integrations} record={record} />}
    </>
  );
}

const graces = [0, 60, accessLimits.tokenGraceMinutes, accessLimits.tokenGraceMinutesMax].filter(
  (one, index, list) => list.indexOf(one) === index,
);

function Rotation({ record }: { record: DashboardRecord }) {
  const [isOpen, setOpen] = useState(false);
  const [grace, setGrace] = useState(String(accessLimits.tokenGraceMinutes));
  const rotating = useWrite(['integrations']);
  const { id, version, previous_token_expires_at: until } = record;
  async function rotate() {
    const path = `${integrations.path}/${id}/rotate-token`;
    const body = { grace_minutes: Number(grace) };
    if ((await rotating.send({ method: 'POST', path, version, body })) !== null) setOpen(false);
  }
  return (
    <Section title={words.token} text={words.tokenText}>
      {typeof until === 'string' && (
        <p className="mb-3 text-ink2">
          {words.previous} <Moment at={until} />
        </p>
      )}
      <WriteButton onClick={() => setOpen(true)}>{words.rotate}</WriteButton>
      {isOpen && (
        <Confirm
          title={words.rotateTitle}
          text={words.rotateText}
          action={words.rotate}
          writing={rotating}
          onConfirm={() => void rotate()}
          onClose={() => setOpen(false)}
        >
          <SelectField
            path="grace_minutes"
            label={words.grace}
            value={grace}
            options={graces.map((one) => ({ value: String(one), text: words.graceText(one) }))}
            onChange={setGrace}
          />
        </Confirm>
      )}
    </Section>
  );
}
