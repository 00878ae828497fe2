import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Failure } from '../../client/answer.ts';
import { forgetUnsaved, isUnsaved } from '../api/open-writes.ts';
import { pager } from '../api/pager.ts';
import { queryClient, sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { MenuPopup, menuItem } from '../ui/menu.tsx';
import { words as uiWords } from '../ui/words.ts';
import { entry } from './entry.ts';
import { keyWords } from './key-words.ts';
import { keys, paletteKeys } from './keys.ts';
import { type MenuPage, pages, recordLists, sameTeam } from './pages.ts';
import { popupWords } from './popup-words.ts';
import { TeamLabel, useTeam, useTeamScope } from './team-label.tsx';
import { allTeams, hasOwnTeams } from './team-scope.ts';
import { setTheme, type Theme, themeNow, themes } from './theme.ts';
import { words } from './words.ts';

export type AccountMenuProps = {
  trigger: ReactNode;
  className: string;
  showKeys: () => void;
  /** Where there is no other menu: with all that has no place of its own. */
  showPalette?: () => void;
};

export function AccountMenu(props: AccountMenuProps) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isHeld, setHeld] = useState(false);
  const leave = async () => {
    setHeld(false);
    setFailure(await signOut());
  };
  return (
    <>
      <Account {...props} signOut={() => (isUnsaved() ? setHeld(true) : void leave())} />
      <LeaveQuestion isOpen={isHeld} onLeave={() => void leave()} onStay={() => setHeld(false)} />
      <Dialog isOpen={failure !== null} title={words.notSignedOut} onClose={() => setFailure(null)}>
        <FailedWrite failure={failure} />
      </Dialog>
    </>
  );
}

type AccountProps = AccountMenuProps & { signOut: () => void };

function Account({ trigger, className, showKeys, showPalette, signOut }: AccountProps) {
  return (
    <Menu.Root>
      <Menu.Trigger className={className}>{trigger}</Menu.Trigger>
      <MenuPopup side="top">
        {showPalette && (
          <>
            <Menu.Item className={menuItem} onClick={showPalette}>
              <Icon name="search" />
              {words.palette}
            </Menu.Item>
            <MenuLink page={pages.pages} />
            <MenuLink page={pages.reports} />
            {recordLists.map((page) => (
              <MenuLink key={page.path} page={page} />
            ))}
            <MenuLink page={pages.people} />
            <MenuLink page={pages.teams} />
            <MenuLink page={pages.settings} />
            <Menu.Separator className="my-1 h-px bg-line" />
            <Teams />
          </>
        )}
        <Themes />
        <Menu.Separator className="my-1 h-px bg-line" />
        <Menu.Item className={menuItem} onClick={showKeys}>
          <Icon name="keyboard" />
          {popupWords.keys}
        </Menu.Item>
        <Menu.Item className={menuItem} render={<a href="/docs" />}>
          <Icon name="book-open" />
          {popupWords.documents}
        </Menu.Item>
        <Menu.Item className={menuItem} onClick={signOut}>
          <Icon name="log-out" />
          {popupWords.signOut}
        </Menu.Item>
      </MenuPopup>
    </Menu.Root>
  );
}

const MenuLink = ({ page: { path, icon, text } }: { page: MenuPage }) => (
  <Menu.Item className={menuItem} render={<Link to={path} search={sameTeam} />}>
    <Icon name={icon} />
    {text}
  </Menu.Item>
);

async function signOut(): Promise<Failure | null> {
  const answer = await pager.signOut();
  if (!answer.ok) return answer.failure;
  forgetUnsaved();
  queryClient.clear();
  location.assign('/sign-in');
  return null;
}

export const TeamMenu = () => (
  <Menu.Root>
    <Menu.Trigger className={entry}>
      <TeamLabel />
    </Menu.Trigger>
    <MenuPopup side="top">
      <Teams />
    </MenuPopup>
  </Menu.Root>
);

function Teams() {
  const { data, isLoading } = useQuery(teamNamesQuery);
  const { data: session } = useQuery(sessionQuery);
  const isUnnamed = useTeamScope() === undefined;
  const team = useTeam();
  const navigate = useNavigate();
  const hasOwn = session !== undefined && hasOwnTeams(session.teams);
  const choose = (team: string) =>
    void navigate({ to: '.', search: ({ team: _, ...rest }) => (team ? { ...rest, team } : rest) });
  // The menu grows upwards: names that come later would move what is being pressed.
  if (isLoading)
    return (
      <p role="status" className="px-2 py-1.5 text-ink3">
        {uiWords.loading}
      </p>
    );
  return (
    <Choices
      label={words.team}
      value={team ?? (isUnnamed && hasOwn ? '' : allTeams)}
      choices={[
        ...(hasOwn ? [{ value: '', text: words.myTeams }] : []),
        { value: allTeams, text: words.allTeams },
        ...[...(data ?? [])].map(([value, text]) => ({ value, text })),
      ]}
      onChoose={choose}
    />
  );
}

const themeIcons = { system: 'monitor', light: 'sun', dark: 'moon' } as const;

function Themes() {
  const [theme, choose] = useState(themeNow);
  return (
    <Choices
      label={popupWords.theme}
      value={theme}
      choices={themes.map((one) => ({
        value: one,
        text: popupWords.themes[one],
        icon: themeIcons[one],
      }))}
      onChoose={(value: Theme) => {
        choose(value);
        setTheme(value);
      }}
    />
  );
}

type Choice<Value> = { value: Value; text: string; icon?: IconName };
type ChoicesProps<Value> = {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
};

function Choices<Value extends string>({ label, value, choices, onChoose }: ChoicesProps<Value>) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="px-2 pt-1.5 pb-1 text-xs text-ink3">{label}</Menu.GroupLabel>
      <Menu.RadioGroup value={value} onValueChange={onChoose}>
        {choices.map((choice) => (
          <Menu.RadioItem key={choice.value} value={choice.value} closeOnClick className={menuItem}>
            {choice.icon && <Icon name={choice.icon} />}
            <bdi className="min-w-0 flex-1 truncate">{choice.text}</bdi>
            <Menu.RadioItemIndicator>
              <Icon name="check" />
            </Menu.RadioItemIndicator>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Group>
  );
}

export { Palette } from './palette.tsx';

export type KeyHelpProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

export const KeyHelp = ({ isOpen, onOpenChange }: KeyHelpProps) => (
  <Dialog
    title={popupWords.keys}
    text={popupWords.singleKeys}
    isOpen={isOpen}
    onClose={() => onOpenChange(false)}
  >
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
      {[
        { keys: [paletteKeys], action: 'palette' as const },
        ...keys,
        { keys: ['Enter'], action: 'open' as const },
      ].map(({ keys, action }) => (
        <div key={action} className="contents">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <kbd
                key={key}
                className="min-w-6 rounded-sm border border-edge px-1.5 text-center font-sans text-sm"
              >
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{keyWords[action]}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);

export type LeaveQuestionProps = { isOpen: boolean; onLeave: () => void; onStay: () => void };

export const LeaveQuestion = ({ isOpen, onLeave, onStay }: LeaveQuestionProps) => (
  <Dialog title={popupWords.leave} text={popupWords.leaveText} isOpen={isOpen} onClose={onStay}>
    <div className="flex flex-wrap gap-2">
      <Button kind="primary" onClick={onStay}>
        {popupWords.stay}
      </Button>
      <Button kind="danger" onClick={onLeave}>
        {popupWords.discard}
      </Button>
    </div>
  </Dialog>
);
