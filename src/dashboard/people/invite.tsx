import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { sessionQuery } from '../api/queries.ts';
import { useWrite, type Writing } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { type Access, AccessFields } from './access-fields.tsx';
import { Invitation, type Invited, useInvite } from './invitation.tsx';
import { NameFields } from './name-fields.tsx';
import type { Person } from './person.ts';
import { words } from './words.ts';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<Person | null>(null);
  const [invited, setInvited] = useState<Invited | null>(null);
  const adding = useWrite(['users'], ['teams']);
  const inviting = useInvite();
  // Who is added is invited, too: nobody goes between.
  const close = () => {
    if (!adding.isPending && !inviting.isPending) onClose();
  };
  const title = invited ? words.invited(invited.name) : words.inviteTitle;
  return (
    <Dialog
      isOpen
      title={title}
      {...(invited === null && { text: words.inviteText })}
      onClose={close}
      isOnce={invited?.url !== undefined}
    >
      {invited ? (
        <div className="flex flex-col gap-4">
          <Invitation invited={invited} onLink={setInvited} />
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" onClick={onClose}>
              {words.done}
            </Button>
            <Button
              onClick={() => {
                setAdded(null);
                setInvited(null);
              }}
            >
              {words.inviteAnother}
            </Button>
          </div>
        </div>
      ) : (
        <InviteForm
          added={added}
          adding={adding}
          inviting={inviting}
          onAdded={setAdded}
          onInvited={setInvited}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

type InviteFormProps = {
  adding: Writing;
  inviting: ReturnType<typeof useInvite>;
  /** Already, with an invitation that has failed. */
  added: Person | null;
  onAdded: (person: Person) => void;
  onInvited: (invited: Invited) => void;
  onCancel: () => void;
};

function InviteForm({ added, adding, inviting, onAdded, onInvited, onCancel }: InviteFormProps) {
  const { data: session } = useQuery(sessionQuery);
  const [person, setPerson] = useState({ first_name: '', last_name: '', email: '' });
  const own = session?.teams.map(({ id }) => id) ?? [];
  const [access, setAccess] = useState<Access>({ role: 'responder', team_ids: own });

  async function invite() {
    const body = { ...person, ...access };
    const made =
      added ??
      ((await adding.send({
        method: 'POST',
        path: '/users',
        body,
        name: words.invite,
      })) as Person | null);
    if (made === null) return;
    onAdded(made);
    const sent = await inviting.invite({ id: made.id, name: personName(made) }, 'email');
    if (sent !== null) onInvited(sent);
  }
  const save = {
    isPending: adding.isPending || inviting.isPending,
    failure: adding.failure ?? inviting.failure,
    save: added === null ? words.sendInvitation : words.inviteAgain,
    onSave: () => void invite(),
    onCancel,
  };
  if (added !== null) return <Form {...save}>{words.notInvited(personName(added))}</Form>;
  return (
    <Form {...save}>
      <TextField
        path="email"
        label={words.email}
        type="email"
        autoComplete="off"
        value={person.email}
        onChange={(email) => setPerson({ ...person, email })}
      />
      <NameFields value={person} onChange={setPerson} />
      <AccessFields value={access} onChange={setAccess} />
    </Form>
  );
}
