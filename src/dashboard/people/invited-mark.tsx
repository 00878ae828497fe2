import { useNow } from '../ui/now.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import type { OpenInvitation } from './queries.ts';
import { words } from './words.ts';

/** Of somebody who has not set a password yet: when and by whom they were invited. */
export function InvitedMark({ invitation }: { invitation: OpenInvitation }) {
  const now = useNow();
  const { invited_at, invited_by, expires_at } = invitation;
  if (invited_at === undefined)
    return (
      <span className="text-amber">
        {expires_at === undefined ? words.neverInvited : words.invitedUnknown}
      </span>
    );
  const isExpired = expires_at === undefined || Date.parse(expires_at) <= now;
  return (
    <span className="text-amber">
      <bdi>{invited_by === undefined ? words.invitedUnknown : words.invitedBy(invited_by)}</bdi>{' '}
      <TimeAgo at={invited_at} isSpelledOut />
      {isExpired && `, ${words.linkExpired}`}
    </span>
  );
}
