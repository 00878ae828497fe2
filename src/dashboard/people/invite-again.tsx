import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { focusInside } from '../ui/focus-inside.ts';
import { Section } from '../ui/section.tsx';
import { Invitation, type Invited } from './invitation.tsx';
import type { Person } from './person.ts';
import { factorsQuery } from './queries.ts';
import { words } from './words.ts';

export function InviteAgain({ person }: { person: Person }) {
  const [invited, setInvited] = useState<Invited | null>(null);
  const { send, isPending, failure } = useWrite();
  const { data: factors } = useQuery(factorsQuery(person.id));
  async function invite() {
    const sent = await send({ method: 'POST', path: `/users/${person.id}/invitation`, body: {} });
    if (sent !== null) setInvited({ ...sent, name: personName(person) } as Invited);
  }
  // Whoever has a password gets no invitation.
  if (factors?.password !== false) return null;
  return (
    <Section title={words.invitation} text={words.inviteAgainText}>
      {invited ? (
        <div tabIndex={-1} ref={focusInside}>
          <Invitation invited={invited} />
        </div>
      ) : (
        <div className="flex flex-col items-start gap-2">
          <p>{words.notSignedIn}</p>
          <Button aria-disabled={isPending} onClick={() => void invite()}>
            {words.inviteAgain}
          </Button>
        </div>
      )}
      <FailedWrite failure={failure} />
    </Section>
  );
}
