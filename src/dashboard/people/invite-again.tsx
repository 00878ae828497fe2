import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Section } from '../ui/section.tsx';
import { Invitation, type Invited } from './invitation.tsx';
import { nameOf, type Person } from './person.ts';
import { words } from './words.ts';

export function InviteAgain({ person }: { person: Person }) {
  const [invited, setInvited] = useState<Invited | null>(null);
  const { send, isPending, failure } = useWrite();
  async function invite() {
    const sent = await send({ method: 'POST', path: `/users/${person.id}/invitation`, body: {} });
    if (sent !== null) setInvited({ ...sent, name: nameOf(person) } as Invited);
  }
  return (
    <Section title={words.invitation} text={words.inviteAgainText}>
      {invited ? (
        <Invitation invited={invited} />
      ) : (
        <Button aria-disabled={isPending} onClick={() => void invite()}>
          {words.inviteAgain}
        </Button>
      )}
      <FailedWrite failure={failure} />
    </Section>
  );
}
