// Editing a record: only what differs is sent, based on the version that was read.
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { patchOf } from '../../client/patch.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { useWrite } from '../api/use-write.ts';
import type { OwnWidgets } from '../form/around.tsx';
import { masksIn } from '../form/check.ts';
import { bodyOf, type Draft, draftOf } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { useNames } from '../form/picks.ts';
import { RecordForm } from '../form/record-form.tsx';
import { textOf } from '../form/text.ts';
import { Conflict, type Part } from '../ui/conflict.tsx';
import { useEdit } from '../ui/use-edit.ts';
import { warningsIn } from '../ui/warnings.tsx';
import { About } from './about.tsx';
import { resourceOf } from './declared.ts';
import { Effects } from './effects.tsx';
import { recordQuery } from './queries.ts';
import { type DashboardRecord, type DraftViewProps, keyOf, type RecordKind } from './record.ts';
import { words } from './words.ts';

type EditRecordProps = {
  kind: RecordKind;
  record: DashboardRecord;
  own: OwnWidgets | undefined;
  /** Below the form. */
  below: ComponentType<DraftViewProps> | undefined;
  /** What the draft begins with, of the record as it is. */
  begin?: ((draft: Draft) => Draft) | undefined;
  /** With what the API says of what was saved. */
  close: (warnings: readonly string[]) => void;
};

export function EditRecord({ kind, record, own, below: Below, begin, close }: EditRecordProps) {
  const resource = resourceOf(kind);
  const fields = fieldsOf(resource);
  const queries = useQueryClient();
  const writing = useWrite([keyOf(kind)], ['search']);
  const [readDraft] = useState(() => (read: DashboardRecord) => draftOf(fields, read));
  const edit = useEdit<DashboardRecord, Draft>({ record, draftOf: readDraft, begin, writing });
  const { draft, setDraft, base, version } = edit;
  const [masks, setMasks] = useState<readonly Problem[]>([]);
  const nameOf = useNames(fields);
  const parts = fields.map(
    ({ name, label, widget }): Part<Draft> => ({
      name,
      label,
      text: (side) => textOf(widget, side[name], nameOf),
    }),
  );
  const save = async () => {
    const body = patchOf(bodyOf(fields, readDraft(base)), bodyOf(fields, draft));
    const hidden = masksIn(resource, body);
    setMasks(hidden);
    if (hidden.length > 0) return;
    const path = `${kind.path}/${record.id}`;
    const saved = await writing.send({ method: 'PATCH', path, body, version });
    if (saved === null) return;
    // Shown at once; it is read again all the same.
    queries.setQueryData(recordQuery(kind, record.id).queryKey, saved as DashboardRecord);
    close(warningsIn(saved));
  };
  return (
    <div className="px-4 py-4 md:px-5">
      <RecordForm
        resource={resource}
        draft={draft}
        onChange={setDraft}
        teamId={record.team_id}
        own={own}
        save={words.save}
        isTouched={edit.isTouched}
        isPending={writing.isPending}
        failure={writing.failure}
        more={masks}
        onSave={() => void save()}
        onCancel={() => close([])}
        above={
          <>
            <About kind={kind} />
            <Conflict edit={edit} parts={parts} />
          </>
        }
        below={
          <Effects
            kind={kind}
            draft={draft}
            id={record.id}
            teamId={record.team_id}
            isTouched={edit.isTouched}
          />
        }
      />
      {Below && <Below draft={draft} id={record.id} teamId={record.team_id} />}
    </div>
  );
}
