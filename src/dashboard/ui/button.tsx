import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

type ButtonProps = ComponentProps<'button'> & { icon?: IconName };

export function Button({ icon, children, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-9 items-center gap-2 rounded-md border border-line bg-surface px-3 font-medium hover:border-edge pointer-coarse:min-h-11 ${className}`}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
