import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** Primary: what most people have come for, once on a page or in a dialog. */
type ButtonKind = 'plain' | 'primary' | 'danger';

const kinds = {
  plain: 'border-line bg-surface hover:border-edge',
  primary: 'border-ink bg-ink text-bg hover:bg-ink2',
  danger: 'border-red bg-surface text-red hover:bg-red-tint',
} as const;

/** Of whatever looks like a button, such as a link. */
export const buttonClass = (kind: ButtonKind = 'plain') =>
  `inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3 font-medium disabled:opacity-50 pointer-coarse:min-h-11 pointer-coarse:text-lg ${kinds[kind]}`;

type ButtonProps = ComponentProps<'button'> & { kind?: ButtonKind; icon?: IconName };

export function Button({ kind, icon, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`${buttonClass(kind)} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon: IconName;
  label: string;
};

export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink2 hover:bg-sunken hover:text-ink disabled:opacity-50 pointer-coarse:size-11 ${className}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
