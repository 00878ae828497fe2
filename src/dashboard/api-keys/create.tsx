import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiKey } from '../../resources/api-key.ts';
import { mayAct } from '../../resources/roles.ts';
import { sessionQuery } from '../api/queries.ts';
import { useWrite } from '../api/use-write.ts';
import { bodyOf, type Draft, newDraft } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { RecordForm } from '../form/record-form.tsx';
import { CopyText } from '../integration/copy-text.tsx';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { isSame } from '../ui/edits.ts';
import { keyWidgets } from './fields.tsx';
import { providerBlock, shellLine } from './keys.ts';
import { keysPath, staleKeys } from './queries.ts';
import { words } from './words.ts';

type Made = { readonly name: string; readonly key: string };

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Dialog
      isOpen
      title={made ? words.made(made.name) : words.create}
      {...(made && { text: words.once })}
      isOnce={made !== null}
      onClose={onClose}
    >
      {made ? (
        <NewKey apiKey={made.key} onClose={onClose} />
      ) : (
        <CreateForm onMade={setMade} onClose={onClose} />
      )}
    </Dialog>
  );
}

type CreateFormProps = { onMade: (made: Made) => void; onClose: () => void };

function CreateForm({ onMade, onClose }: CreateFormProps) {
  const { data: session } = useQuery(sessionQuery);
  const fields = fieldsOf(apiKey);
  const creating = useWrite(staleKeys);
  const [begun] = useState<Draft>(() => ({
    ...newDraft(fields),
    role: session && mayAct(session.user, 'manager') ? 'manager' : 'viewer',
  }));
  const [draft, setDraft] = useState(begun);
  async function create() {
    const body = bodyOf(fields, draft);
    const answer = await creating.send({ method: 'POST', path: keysPath, body });
    // What this version of the API answers, as docs/openapi.json has it.
    if (answer !== null) onMade(answer as Made);
  }
  return (
    <RecordForm
      resource={apiKey}
      draft={draft}
      onChange={setDraft}
      teamId={undefined}
      own={keyWidgets}
      save={words.create}
      isTouched={!isSame(begun, draft)}
      isPending={creating.isPending}
      failure={creating.failure}
      onSave={() => void create()}
      onCancel={onClose}
    />
  );
}

/** No later answer has the key. */
const NewKey = ({ apiKey: key, onClose }: { apiKey: string; onClose: () => void }) => (
  <div className="flex min-w-0 flex-col gap-4">
    <CopyField label={words.key} text={key} />
    <p className="text-pretty text-ink2">
      {words.terraformText}{' '}
      <a href="/docs/terraform" className="underline">
        {words.terraformHow}
      </a>
    </p>
    <Block label={words.shell} text={shellLine(key)} />
    <Block label={words.terraform} text={providerBlock(location.origin)} />
    <Button kind="primary" className="self-start" onClick={onClose}>
      {words.done}
    </Button>
  </div>
);

const Block = ({ label, text }: { label: string; text: string }) => (
  <CopyText label={label} text={text} canCopy visible={(shown) => shown} show={() => {}} />
);
