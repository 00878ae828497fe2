import { Outlet, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { BottomBar, SideMenu } from './menu.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { KeyHelp } from './popup-slots.tsx';
import { useKeys } from './use-keys.ts';
import { words } from './words.ts';

/** Around every page: the menu at the left of a desktop, at the bottom of a phone. */
export function Frame() {
  const navigate = useNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys(
    useMemo(
      () => ({
        incidents: () =>
          void navigate({ to: '/incidents', search: ({ team }) => (team ? { team } : {}) }),
        me: () => void navigate({ to: '/me' }),
        people: () => void navigate({ to: '/users' }),
        onCalls: () =>
          void navigate({ to: '/on-calls', search: ({ team }) => (team ? { team } : {}) }),
        search: () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
        help: () => setHelpOpen(true),
      }),
      [navigate],
    ),
  );
  const showKeys = () => setHelpOpen(true);
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
      >
        {words.skip}
      </a>
      <SideMenu showKeys={showKeys} />
      <main id="content" className="min-w-0 pb-20 md:pb-8">
        <OfflineBanner />
        <Outlet />
      </main>
      <BottomBar showKeys={showKeys} />
      <KeyHelp isOpen={isHelpOpen} onOpenChange={setHelpOpen} />
    </div>
  );
}
