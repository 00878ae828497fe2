import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../client/browser.ts';
import { incidentRole, mayAct } from '../../resources/roles.ts';
import { sessionQuery } from '../api/queries.ts';
import { onCallQuery } from '../people/queries.ts';
import { ShiftList } from '../people/shift-list.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
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
import { SecondFactorSection } from './second-factor.tsx';
import { SessionsSection } from './sessions.tsx';
import { words } from './words.ts';

export function MePage() {
  useTitle(words.title);
  return (
    <>
      <PageHeader title={words.title} />
      <Loaded query={useQuery(sessionQuery)}>{(session) => <Me session={session} />}</Loaded>
    </>
  );
}

function Me({ session }: { session: Session }) {
  const { user: me } = session;
  const shifts = useQuery(onCallQuery(me.id));
  return (
    <>
      <Section title={words.shifts} text={words.shiftsText}>
        <Loaded query={shifts}>{(onCall) => <ShiftList onCall={onCall} />}</Loaded>
      </Section>
      <ContactsSection me={me} />
      {mayAct(me, incidentRole) && <PushSection userId={me.id} />}
      {mayAct(me, incidentRole) && <ChatAccountsSection userId={me.id} />}
      <PagesSection userId={me.id} />
      <NoticesSection me={me} />
      <CalendarSection userId={me.id} />
      <AccountSection session={session} />
      <PasswordSection />
      <SecondFactorSection />
      <PasskeysSection />
      <SessionsSection />
      <DisplaySection />
    </>
  );
}
