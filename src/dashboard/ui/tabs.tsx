import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** Which of the same list; each has an address. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav
    ref={showCurrent}
    aria-label={label}
    className="flex gap-1 overflow-x-auto px-3 py-2 md:px-4"
  >
    {children}
  </nav>
);

const showCurrent = (nav: HTMLElement | null) =>
  nav?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

type AnchorProps = ComponentProps<'a'> & { isCurrent: boolean };

export const Tab = createLink(({ isCurrent, ...rest }: AnchorProps) => (
  <a
    {...rest}
    aria-current={isCurrent ? 'page' : undefined}
    className="inline-flex min-h-7 shrink-0 items-center rounded-md border border-transparent px-2.5 text-ink2 hover:text-ink aria-[current]:border-line aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3 pointer-coarse:text-lg"
  />
));
