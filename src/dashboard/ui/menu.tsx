// Brings Base UI: only what is loaded on demand imports this.
import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export const menuItem =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 py-1 outline-none select-none data-[disabled]:cursor-default data-[disabled]:text-ink3 data-[highlighted]:bg-sunken pointer-coarse:min-h-11 pointer-coarse:text-lg';

export const MenuPopup = ({ side, children }: { side?: 'top' | 'bottom'; children: ReactNode }) => (
  <Menu.Portal>
    <Menu.Positioner side={side} align="start" sideOffset={6} className="z-40">
      <Menu.Popup className="max-h-(--available-height) min-w-60 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-popup outline-none">
        {children}
      </Menu.Popup>
    </Menu.Positioner>
  </Menu.Portal>
);

export type MenuAction = {
  readonly text: string;
  readonly icon?: IconName;
  /** What it will do, or why it cannot be done now. */
  readonly hint?: string;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
};

type ActionMenuProps = {
  trigger: ReactNode;
  className: string;
  label?: string;
  actions: readonly MenuAction[];
};

export const ActionMenu = ({ trigger, className, label, actions }: ActionMenuProps) => (
  <Menu.Root>
    <Menu.Trigger className={className} aria-label={label}>
      {trigger}
    </Menu.Trigger>
    <MenuPopup>
      {actions.map(({ text, icon, hint, isDisabled, onSelect }) => (
        <Menu.Item key={text} className={menuItem} disabled={isDisabled} onClick={onSelect}>
          {icon && <Icon name={icon} />}
          <span className="min-w-0 flex-1">
            {text}
            {hint && <span className="block text-sm text-pretty text-ink3">{hint}</span>}
          </span>
        </Menu.Item>
      ))}
    </MenuPopup>
  </Menu.Root>
);
