import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { sameTeam } from './pages.ts';

type PageHeaderProps = {
  title: string;
  /** The list that the page is of. */
  back?: { to: string; text: string };
  children?: ReactNode;
};

export function PageHeader({ title, back, children }: PageHeaderProps) {
  return (
    <header className="short:static sticky top-0 z-20 flex h-13 items-center gap-3 border-b border-line bg-bg px-4 md:px-5">
      {back && (
        <Link
          to={back.to}
          search={sameTeam}
          activeOptions={{ exact: true }}
          aria-label={back.text}
          title={back.text}
          className="-ms-2 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink2 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
        >
          <Icon name="chevron-left" className="size-5 rtl:-scale-x-100" />
        </Link>
      )}
      <h1 className="min-w-0 truncate text-xl font-bold md:text-lg">
        <bdi>{title}</bdi>
      </h1>
      {children}
    </header>
  );
}
