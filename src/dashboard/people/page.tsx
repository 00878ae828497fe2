import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signInChannel } from '../../resources/channels.ts';
import { sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { Notice } from '../incidents/notice.tsx';
import { channelsQuery } from '../me/queries.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { addMailServer } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Empty } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { InviteDialog } from './invite.tsx';
import { type ListedPerson, peopleOf, type Shown, shown } from './person.ts';
import { invitationsQuery, onCallNowQuery, peopleQuery } from './queries.ts';
import { PersonRow } from './row.tsx';
import { words } from './words.ts';

export function PeoplePage() {
  const { show = 'active', q } = useSearch({ from: '/users' });
  const navigate = useNavigate({ from: '/users' });
  const { data: session } = useQuery(sessionQuery);
  const query = useQuery(peopleQuery);
  const [isInviting, setInviting] = useState(false);
  useTitle(words.title);
  const mayInvite = useMay('admin');
  const search = (text: string) =>
    void navigate({
      search: ({ q: _, ...rest }) => (text ? { ...rest, q: text } : rest),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader title={words.title}>
        <SearchField label={words.search} text={q ?? ''} onChange={search} />
        {mayInvite && (
          <Button kind="primary" icon="user-plus" onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        )}
      </PageHeader>
      <Tabs label={words.which}>
        {shown.map((one) => (
          <Tab
            key={one}
            to="/users"
            search={({ show: _, ...rest }) => (one === 'active' ? rest : { ...rest, show: one })}
            isCurrent={one === show}
          >
            {words.tabs[one]}
            <Count people={query.data} show={one} />
          </Tab>
        ))}
      </Tabs>
      <Loaded query={query}>
        {(people) => {
          const listed = peopleOf(people, { show, text: q });
          if (listed.length > 0) return <PeopleList people={listed} me={session?.user.id} />;
          return <Nobody show={show} isSearch={q !== undefined} clear={() => search('')} />;
        }}
      </Loaded>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function Count({ people, show }: { people: readonly ListedPerson[] | undefined; show: Shown }) {
  const count = people && peopleOf(people, { show }).length;
  return count ? <span className="ms-1.5 text-ink3">{count}</span> : null;
}

type PeopleListProps = { people: readonly ListedPerson[]; me: string | undefined };

function PeopleList({ people, me }: PeopleListProps) {
  const { data: teams } = useQuery(teamNamesQuery);
  const { data: onCall } = useQuery(onCallNowQuery);
  const mayInvite = useMay('admin') === true;
  const { data: invitations } = useQuery({ ...invitationsQuery, enabled: mayInvite });
  return (
    <>
      <MailNotice />
      <div aria-hidden="true" className="person-row person-heading">
        <span className="person-name">{words.columns.person}</span>
        <span className="person-role">{words.columns.role}</span>
        <span className="person-teams">{words.columns.teams}</span>
        <span className="person-reached">{words.columns.reached}</span>
        <span className="person-on-call">{words.columns.onCall}</span>
      </div>
      <ul>
        {people.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            isMe={person.id === me}
            invitation={invitations?.get(person.id)}
            teams={person.team_ids.flatMap((id) => teams?.get(id) ?? [])}
            schedules={onCall?.get(person.id)?.map(({ name }) => name) ?? []}
          />
        ))}
      </ul>
    </>
  );
}

/** Once above the list: it is the same for everybody. */
function MailNotice() {
  const { data: channels } = useQuery(channelsQuery);
  const mayAdd = useMay('admin');
  const navigate = useNavigate();
  const mail = channels?.find(({ channel }) => channel === signInChannel);
  if (mail?.reason === undefined || mail.usable) return null;
  const add = () => void navigate({ to: '/settings/channels', hash: addMailServer });
  return (
    <Notice text={mail.reason} {...(mayAdd && { action: words.addMailServer, onAction: add })} />
  );
}

type NobodyProps = { show: Shown; isSearch: boolean; clear: () => void };

function Nobody({ show, isSearch, clear }: NobodyProps) {
  if (!isSearch)
    return <Empty {...(show === 'inactive' ? words.emptyInactive : words.emptyUnreachable)} />;
  return (
    <Empty {...words.nothingMatches}>
      <Button icon="x" onClick={clear}>
        {words.clear}
      </Button>
    </Empty>
  );
}
