import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lastList } from '../incidents/last-list.ts';
import { Icon } from '../ui/icon.tsx';
import { words } from './words.ts';

type TopBarProps = { number?: number; children?: ReactNode };

/** The way back, and on a desktop what can be done. */
export const TopBar = ({ number, children }: TopBarProps) => (
  <header className="print:hidden short:max-md:static sticky top-0 z-20 flex h-13 items-center gap-3 border-b border-line bg-bg px-4 md:px-5">
    <Link
      to="/incidents"
      search={lastList()}
      className="-ms-2 inline-flex min-h-8 items-center gap-1 rounded-md px-2 text-ink2 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:text-lg"
    >
      <Icon name="chevron-left" className="size-4 rtl:-scale-x-100" />
      {words.back}
    </Link>
    {number !== undefined && (
      <span className="ms-auto text-ink2 md:ms-0 pointer-coarse:text-lg">
        {words.number(number)}
      </span>
    )}
    {children}
  </header>
);
