import { Link } from '@tanstack/react-router';
import { personName } from '../../resources/person-name.ts';
import { sameTeam } from '../shell/pages.ts';
import { Icon } from '../ui/icon.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { ReachedBy } from '../ui/reached-by.tsx';
import { InvitedMark } from './invited-mark.tsx';
import type { ListedPerson } from './person.ts';
import type { OpenInvitation } from './queries.ts';
import { words } from './words.ts';

type RowProps = {
  person: ListedPerson;
  isMe: boolean;
  /** Of somebody who has not signed in yet. */
  invitation: OpenInvitation | undefined;
  teams: readonly string[];
  schedules: readonly string[];
};

const list = new Intl.ListFormat(undefined, { type: 'unit', style: 'short' });

export function PersonRow({ person, isMe, invitation, teams, schedules }: RowProps) {
  const { id, email, role, reachability, active } = person;
  return (
    <li>
      <Link to="/users/$id" params={{ id }} search={sameTeam} className="person-row">
        <span className="person-name">
          <PersonMark id={id} name={personName(person)} />
          <span className="min-w-0">
            <span className="block truncate font-medium">
              <bdi>{personName(person)}</bdi>{' '}
              {isMe && <span className="font-normal text-ink3">{words.you}</span>}
            </span>
            <span className="block truncate text-sm text-ink3">
              <bdi>{email}</bdi>
            </span>
            {invitation && (
              <span className="block truncate text-sm">
                <InvitedMark invitation={invitation} />
              </span>
            )}
          </span>
        </span>
        <span className="person-role">{words.roles[role]}</span>
        <span className="person-teams">
          <bdi>{list.format(teams)}</bdi>
        </span>
        <span className="person-reached">
          {active && !reachability.reachable && <Unreachable />}
          <ReachedBy channels={reachability.channels} />
        </span>
        <span className="person-on-call">
          {schedules.length > 0 && (
            <>
              <Icon name="phone-call" />
              <span className="sr-only">{words.columns.onCall}: </span>
              <bdi className="min-w-0 truncate">{list.format(schedules)}</bdi>
            </>
          )}
        </span>
      </Link>
    </li>
  );
}

export const Unreachable = () => (
  <span className="inline-flex items-center gap-1.5 font-medium whitespace-nowrap text-red">
    <Icon name="bell-off" />
    {words.cannotBeReached}
  </span>
);
