import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { useWrite } from '../api/use-write.ts';
import { noOwner, OwnerFields } from '../me/owner-fields.tsx';
import { Conflict, type Part } from '../ui/conflict.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Saved } from '../ui/saved.tsx';
import { useEdit } from '../ui/use-edit.ts';
import type { ListedPerson } from './person.ts';
import { words } from './words.ts';

type Address = { readonly email: string };

const addressOf = ({ email }: ListedPerson): Address => ({ email });
const parts: readonly Part<Address>[] = [
  { name: 'email', label: words.email, text: ({ email }) => email },
];

/** What somebody signs in with. An API key may not change it, so it is changed here. */
export function AddressForm({ person }: { person: ListedPerson }) {
  const { data: session } = useQuery(sessionQuery);
  const saving = useWrite(['users'], ['session']);
  const edit = useEdit({ record: person, draftOf: addressOf, writing: saving });
  const [owner, setOwner] = useState(noOwner);
  const [saved, setSaved] = useState<string | null>(null);
  const { draft, setDraft, isTouched, version } = edit;
  const isMe = session?.user.id === person.id;
  const proof = {
    current_password: owner.password,
    ...(owner.code !== '' && { code: owner.code }),
  };
  async function save() {
    const done = await saving.send({
      method: 'PATCH',
      path: `/users/${person.id}`,
      version,
      name: words.address,
      body: { ...draft, ...(isMe && proof) },
    });
    if (done === null) return;
    setSaved(draft.email);
    setOwner(noOwner);
    edit.saved(done);
  }
  return (
    <Form
      save={words.changeAddress}
      isPending={saving.isPending}
      failure={saving.failure}
      isTouched={isTouched}
      onSave={() => void save()}
    >
      <Conflict edit={edit} parts={parts} />
      <TextField
        path="email"
        label={words.email}
        type="email"
        autoComplete="off"
        value={draft.email}
        onChange={(email) => setDraft({ email })}
      />
      {isMe && isTouched && (
        <OwnerFields path="current_password" value={owner} onChange={setOwner} />
      )}
      <Saved isSaved={saved === draft.email} />
    </Form>
  );
}
