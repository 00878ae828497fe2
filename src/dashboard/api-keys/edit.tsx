import { useState } from 'react';
import { patchOf } from '../../client/patch.ts';
import { apiKeyFields, apiKey as declared } from '../../resources/api-key.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { useWrite } from '../api/use-write.ts';
import { bodyOf, draftOf } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { RecordForm } from '../form/record-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { isSame } from '../ui/edits.ts';
import { keyWidgets } from './fields.tsx';
import type { ApiKey } from './keys.ts';
import { keysPath, staleKeys } from './queries.ts';
import { words } from './words.ts';

const { name, expires_at } = apiKeyFields;
/** What of a key can change. */
const changeable = { ...declared, input: objectOf({ name, expires_at }) };

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const fields = fieldsOf(changeable);
  const [before] = useState(() => draftOf(fields, apiKey));
  const [draft, setDraft] = useState(before);
  const saving = useWrite(staleKeys);
  async function save() {
    const body = patchOf(bodyOf(fields, before), bodyOf(fields, draft));
    const path = `${keysPath}/${apiKey.id}`;
    if ((await saving.send({ method: 'PATCH', path, body })) !== null) onClose();
  }
  return (
    <Dialog isOpen title={words.editOne(apiKey.name)} text={words.fixed} onClose={onClose}>
      <RecordForm
        resource={changeable}
        draft={draft}
        onChange={setDraft}
        teamId={undefined}
        own={keyWidgets}
        isTouched={!isSame(before, draft)}
        isPending={saving.isPending}
        failure={saving.failure}
        onSave={() => void save()}
        onCancel={onClose}
        below={<p className="text-sm text-pretty text-ink3">{words.earlier}</p>}
      />
    </Dialog>
  );
}
