// Archiving a record, with what the API says that this does before it is done.
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { openWrites } from '../api/open-writes.ts';
import { PagerError } from '../api/pager.ts';
import { useStore } from '../api/use-store.ts';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Section } from '../ui/section.tsx';
import { Consequences } from './effects.tsx';
import { OpenIncidents } from './open-incidents.tsx';
import { effectsQuery, openIncidentsQuery } from './queries.ts';
import { type DashboardRecord, displayNameOf, keyOf, type RecordKind } from './record.ts';
import { words } from './words.ts';

type ArchiveRecordProps = {
  kind: RecordKind;
  record: DashboardRecord;
  /** What is asked first. */
  before?: ComponentType<{ record: DashboardRecord }> | undefined;
};

export function ArchiveRecord({ kind, record, before }: ArchiveRecordProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={words.archive} text={words.archiveText(kind.words.one)}>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {words.archive}
      </Button>
      {isOpen && (
        <ArchiveDialog kind={kind} record={record} before={before} onClose={() => setOpen(false)} />
      )}
    </Section>
  );
}

function ArchiveDialog({
  kind,
  record,
  before: Before,
  onClose,
}: ArchiveRecordProps & { onClose: () => void }) {
  const { id, version } = record;
  const { data, error } = useQuery(effectsQuery(kind, { id, archived: true }));
  const { isLoading } = useQuery(openIncidentsQuery(kind, id));
  const archiving = useWrite([keyOf(kind)], ['search'], ['archive']);
  const isSaving = useStore(openWrites).some(({ isLeft }) => !isLeft) && !archiving.isPending;
  async function archive() {
    const path = `${kind.path}/${id}`;
    if ((await archiving.send({ method: 'DELETE', path, version })) !== null) onClose();
  }
  return (
    <Confirm
      title={words.archiveTitle(displayNameOf(record))}
      text={words.archiveText(kind.words.one)}
      action={words.archive}
      writing={archiving}
      // What is asked first is saved first: the consequences are of that.
      isReady={!isLoading && !isSaving && Boolean(data ?? error)}
      onConfirm={() => void archive()}
      onClose={onClose}
    >
      <OpenIncidents kind={kind} id={id} />
      {Before && <Before record={record} />}
      <div aria-live="polite" className="mb-3">
        {data && data.length > 0 && <p className="font-medium">{words.consequences}</p>}
        {data?.length === 0 && <p className="text-ink2">{words.noConsequences}</p>}
        {!data && !error && <p className="text-ink2">{words.computing}</p>}
        {error instanceof PagerError && <FailedWrite failure={error.failure} />}
        {data && <Consequences warnings={data} />}
      </div>
    </Confirm>
  );
}
