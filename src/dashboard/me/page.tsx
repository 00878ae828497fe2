import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Session } from '../../client/browser.ts';
import { incidentRole, mayAct } from '../../resources/roles.ts';
import { sessionQuery } from '../api/queries.ts';
import { onCallQuery } from '../people/queries.ts';
import { ShiftList } from '../people/shift-list.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { AccountSection } from './account.tsx';
import { CalendarSection } from './calendar.tsx';
import { ChatAccountsSection } from './chat-accounts.tsx';
import { ContactsSection } from './contacts.tsx';
import { DisplaySection } from './display.tsx';
import { NoticesSection } from './notices-section.tsx';
import { PagesSection } from './pages-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password.tsx';
import { PushSection } from './push-section.tsx';
import { meTabs } from './search.ts';
import { SecondFactorSection } from './second-factor.tsx';
import { SessionsSection } from './sessions.tsx';
import { words } from './words.ts';

export function MePage() {
  const { tab = 'paging' } = useSearch({ from: '/me' });
  useTitle(words.title);
  return (
    <>
      <PageHeader title={words.title} />
      <Tabs label={words.tabsLabel}>
        {meTabs.map((one) => (
          <Tab
            key={one}
            to="/me"
            search={({ tab: _, ...rest }) => (one === 'paging' ? rest : { ...rest, tab: one })}
            isCurrent={one === tab}
          >
            {words.tabs[one]}
          </Tab>
        ))}
      </Tabs>
      <Loaded query={useQuery(sessionQuery)}>
        {(session) => (tab === 'security' ? <Security /> : <Me session={session} />)}
      </Loaded>
    </>
  );
}

const Security = () => (
  <>
    <PasswordSection />
    <SecondFactorSection />
    <PasskeysSection />
    <SessionsSection />
  </>
);

function Me({ session }: { session: Session }) {
  const { user: me } = session;
  const shifts = useQuery(onCallQuery(me.id));
  return (
    <>
      <ContactsSection me={me} />
      {mayAct(me, incidentRole) && <PushSection userId={me.id} />}
      {mayAct(me, incidentRole) && <ChatAccountsSection userId={me.id} />}
      <PagesSection userId={me.id} />
      <Section title={words.shifts} text={words.shiftsText}>
        <Loaded query={shifts}>{(onCall) => <ShiftList onCall={onCall} />}</Loaded>
      </Section>
      <NoticesSection me={me} />
      <CalendarSection userId={me.id} />
      <AccountSection session={session} />
      <DisplaySection />
    </>
  );
}
