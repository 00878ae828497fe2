// Brings Base UI: loaded when the browser is idle.
import { pagedBy } from '../incidents/next.ts';
import { Icon } from '../ui/icon.tsx';
import { ActionMenu, type MenuAction } from '../ui/menu.tsx';
import { ActDialog } from './act-dialog.tsx';
import {
  type DialogAction,
  dialogActions,
  type Incident,
  needsOpen,
  type PagingAction,
  type Possible,
} from './incident.ts';
import { words } from './words.ts';

type MoreMenuProps = {
  id: string;
  incident: Incident;
  possible: ReadonlyMap<string, Possible>;
  className: string;
  arm: (action: PagingAction) => void;
  /** The one that is open. */
  dialog: DialogAction | null;
  setDialog: (dialog: DialogAction | null) => void;
};

/** The actions that are wanted less often, each with what it does. */
export function MoreMenu(props: MoreMenuProps) {
  const { id, incident, possible, className, arm, dialog, setDialog } = props;
  const paging = (['unacknowledge', 'unmute'] as const).flatMap((action): MenuAction[] => {
    const one = possible.get(action);
    if (one?.result !== 'done') return [];
    return [{ text: words[action], hint: hintOf(one), onSelect: () => arm(action) }];
  });
  const refused = possible.get('mute')?.reason;
  const entryOf = (action: DialogAction): MenuAction => ({
    text: `${words.menu[action]}…`,
    ...(refused !== undefined && needsOpen.includes(action) && { isDisabled: true, hint: refused }),
    onSelect: () => setDialog(action),
  });
  return (
    <>
      <ActionMenu
        label={words.more}
        trigger={<Icon name="ellipsis" />}
        className={`inline-flex min-h-9 min-w-9 items-center justify-center rounded-md bg-surface hover:border-edge pointer-coarse:min-h-11 pointer-coarse:min-w-11 ${className}`}
        actions={[...paging, ...dialogActions.map(entryOf)]}
      />
      {dialog && (
        <ActDialog id={id} incident={incident} action={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

/** Whom it pages, as the API foresees it. */
function hintOf(possible: Possible): string {
  const names = pagedBy(possible).map(({ name }) => name);
  return names.length === 0 ? words.pagesNobody : words.pages(names);
}
