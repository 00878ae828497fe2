import { CopyField } from '../ui/copy-field.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { words } from './words.ts';

export type Invited = {
  readonly name: string;
  readonly email: string;
  readonly expires_at: string;
  /** Where the server sends no mail. */
  readonly url?: string;
};

/** The link is shown once: no later answer has it. */
export function Invitation({ invited: { name, email, expires_at, url } }: { invited: Invited }) {
  return (
    <div role="status" className="flex flex-col gap-2">
      {url === undefined ? (
        <p>{words.mailed(email)}</p>
      ) : (
        <>
          <p className="text-pretty text-ink2">{words.linkText(name)}</p>
          <CopyField label={words.linkTitle} text={url} />
        </>
      )}
      <p className="text-sm text-ink3">
        {words.validUntil} <DateTime at={expires_at} />
      </p>
    </div>
  );
}
