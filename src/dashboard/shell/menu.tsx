import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { personName } from '../../resources/person-name.ts';
import { sessionQuery } from '../api/queries.ts';
import { useCounts } from '../incidents/use-counts.ts';
import { words as incidentWords } from '../incidents/words.ts';
import { Icon } from '../ui/icon.tsx';
import { entry } from './entry.ts';
import { paletteKeys } from './keys.ts';
import { type MenuPage, pages, recordLists, sameTeam } from './pages.ts';
import { AccountMenu, TeamMenu } from './popup-slots.tsx';
import { useTeams } from './team-label.tsx';
import { words } from './words.ts';

type MenuProps = { showKeys: () => void; showPalette: () => void };

export function SideMenu({ showKeys, showPalette }: MenuProps) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <header className="sticky top-0 flex h-dvh flex-col overflow-y-auto border-e border-line bg-sunken p-2">
      <div className="flex h-11 items-center gap-2 px-2 font-bold">
        <Icon name="radio" />
        <bdi className="min-w-0 truncate">{session?.organization.name ?? words.product}</bdi>
      </div>
      <button type="button" className={`${entry} border-line bg-surface`} onClick={showPalette}>
        <Icon name="search" />
        <span className="flex-1">{words.palette}</span>
        <kbd className="font-sans text-xs text-ink3">{paletteKeys}</kbd>
      </button>
      <nav aria-label={words.menu} className="mt-1 flex flex-col gap-0.5">
        <MenuLink page={pages.incidents}>
          <TriggeredCount />
        </MenuLink>
        <MenuLink page={pages.onCalls} />
        <MenuLink page={pages.me} />
        <MenuLink page={pages.pages} />
        <MenuLink page={pages.reports} />
        <p className="px-2 pt-4 pb-1 text-xs text-ink3">{words.configuration}</p>
        {recordLists.map((page) => (
          <MenuLink key={page.path} page={page} />
        ))}
        <p className="px-2 pt-4 pb-1 text-xs text-ink3">{words.organization}</p>
        <MenuLink page={pages.people} />
        <MenuLink page={pages.teams} />
        <MenuLink page={pages.settings} />
      </nav>
      <div className="mt-auto flex flex-col gap-0.5">
        <TeamMenu />
        <AccountMenu showKeys={showKeys} trigger={<AccountLabel />} className={entry} />
      </div>
    </header>
  );
}

const tab =
  'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-ink2 aria-[current]:font-bold aria-[current]:text-ink data-[popup-open]:text-ink';

export function BottomBar({ showKeys, showPalette }: MenuProps) {
  return (
    <nav
      aria-label={words.menu}
      className="bottom-menu fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] short:static"
    >
      <Tab page={pages.incidents}>
        <TriggeredCount />
      </Tab>
      <Tab page={pages.onCalls} />
      <Tab page={pages.me} />
      <AccountMenu
        showKeys={showKeys}
        showPalette={showPalette}
        trigger={
          <>
            <Icon name="ellipsis" className="size-5" />
            {words.more}
          </>
        }
        className={tab}
      />
    </nav>
  );
}

const current = { 'aria-current': 'page' } as const;

type PageLinkProps = { page: MenuPage; children?: ReactNode };

const MenuLink = ({ page: { path, icon, text }, children }: PageLinkProps) => (
  <Link to={path} search={sameTeam} activeProps={current} className={entry}>
    <Icon name={icon} />
    <span className="flex-1">{text}</span>
    {children}
  </Link>
);

const Tab = ({ page: { path, icon, text }, children }: PageLinkProps) => (
  <Link to={path} search={sameTeam} activeProps={current} className={tab}>
    <Icon name={icon} className="size-5" />
    <span className="flex gap-1">
      {text}
      {children}
    </span>
  </Link>
);

/** The only number that wants somebody to get up. */
function TriggeredCount() {
  const counts = useCounts(useTeams());
  if (!counts?.triggered) return null;
  return (
    <span className="font-bold text-red">
      {incidentWords.count(counts.triggered, counts.complete)}
      <span className="sr-only"> {words.triggered}</span>
    </span>
  );
}

function AccountLabel() {
  const { data } = useQuery(sessionQuery);
  const user = data?.user;
  return (
    <>
      <Icon name="circle-user" />
      <span className="min-w-0 flex-1 truncate">
        <bdi>{user === undefined ? words.account : personName(user)}</bdi>
      </span>
      <Icon name="chevrons-up-down" className="size-3.5" />
    </>
  );
}
