import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.ts';
import { settingsFor } from '../shell/allowed-pages.ts';
import { type MenuPage, sameTeam } from '../shell/pages.ts';
import { words } from '../shell/words.ts';
import { Tab, Tabs } from '../ui/tabs.tsx';

/** From one page of settings to the others. */
export function SettingsTabs({ current }: { current: MenuPage }) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <Tabs label={words.settings}>
      {settingsFor(session?.user).map((page) => (
        <Tab key={page.path} to={page.path} search={sameTeam} isCurrent={page === current}>
          {page.text}
        </Tab>
      ))}
    </Tabs>
  );
}
