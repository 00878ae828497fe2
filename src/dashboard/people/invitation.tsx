import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { words } from './words.ts';

export type Invited = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly expires_at: string;
  /** What was not mailed. */
  readonly url?: string;
  /** Whether somebody wanted the link in place of a mail. */
  readonly isWanted: boolean;
};

type Named = Pick<Invited, 'id' | 'name'>;

/** Invites somebody, by a mail or a link; null: it failed. */
export function useInvite() {
  const writing = useWrite(['users']);
  async function invite({ id, name }: Named, deliver_by: 'email' | 'link') {
    const path = `/users/${id}/invitation`;
    const sent = await writing.send({ method: 'POST', path, body: { deliver_by } });
    return sent && ({ ...sent, name, isWanted: deliver_by === 'link' } as Invited);
  }
  return { ...writing, invite };
}

type InvitationProps = { invited: Invited; onLink: (invited: Invited) => void };

/** The link is shown once: no later answer has it. */
export function Invitation({ invited, onLink }: InvitationProps) {
  const { name, email, expires_at, url, isWanted } = invited;
  return (
    <div role="status" className="flex flex-col gap-2">
      {url === undefined ? (
        <p>{isWanted ? words.linkLost : words.mailed(email)}</p>
      ) : (
        <>
          {!isWanted && <p className="text-pretty text-ink2">{words.noMail}</p>}
          <p className="text-pretty text-ink2">{words.linkText(name)}</p>
          <CopyField label={words.linkTitle} text={url} />
        </>
      )}
      <p className="text-sm text-ink3">
        {words.validUntil} <DateTime at={expires_at} />
      </p>
      {url === undefined && <NewLink invited={invited} onLink={onLink} />}
    </div>
  );
}

/** Who was mailed one may be given one by hand, too: the mail may not arrive. */
function NewLink({ invited, onLink }: InvitationProps) {
  const { invite, isPending, failure } = useInvite();
  async function create() {
    const made = await invite(invited, 'link');
    if (made !== null) onLink(made);
  }
  return (
    <div className="flex flex-col items-start gap-2">
      {!invited.isWanted && <p className="text-pretty text-ink2">{words.newLinkText}</p>}
      <Button icon="copy" aria-disabled={isPending} onClick={() => void create()}>
        {words.newLink}
      </Button>
      <FailedWrite failure={failure} />
    </div>
  );
}
