import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { focusInside } from '../ui/focus-inside.ts';
import { Section } from '../ui/section.tsx';
import { Invitation, type Invited, useInvite } from './invitation.tsx';
import { InvitedMark } from './invited-mark.tsx';
import type { Person } from './person.ts';
import { invitationsQuery } from './queries.ts';
import { words } from './words.ts';

export function InviteAgain({ person }: { person: Person }) {
  const [invited, setInvited] = useState<Invited | null>(null);
  const { invite, isPending, failure } = useInvite();
  const { data: invitations } = useQuery(invitationsQuery);
  async function inviteBy(deliver: 'email' | 'link') {
    const sent = await invite({ id: person.id, name: personName(person) }, deliver);
    if (sent !== null) setInvited(sent);
  }
  const invitation = invitations?.get(person.id);
  // Whoever has a password gets no invitation.
  if (invitation === undefined) return null;
  return (
    <Section title={words.invitation} text={words.inviteAgainText}>
      {invited ? (
        <div tabIndex={-1} ref={focusInside}>
          <Invitation invited={invited} onLink={setInvited} />
        </div>
      ) : (
        <div className="flex flex-col items-start gap-2">
          <p>
            <InvitedMark invitation={invitation} />. {words.notSignedIn}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button aria-disabled={isPending} onClick={() => void inviteBy('email')}>
              {words.inviteAgain}
            </Button>
            <Button icon="copy" aria-disabled={isPending} onClick={() => void inviteBy('link')}>
              {words.newLink}
            </Button>
          </div>
        </div>
      )}
      <FailedWrite failure={failure} />
    </Section>
  );
}
