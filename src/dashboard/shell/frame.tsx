import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { DraftGuard } from './draft-guard.tsx';
import { isPaletteKey } from './keys.ts';
import { BottomBar, SideMenu } from './menu.tsx';
import { NewVersion } from './new-version.tsx';
import { OpenWritesBar } from './open-writes-bar.tsx';
import { type MenuPage, pages, sameTeam } from './pages.ts';
import { KeyHelp, Palette } from './popup-slots.tsx';
import { SignedOutBar } from './signed-out-bar.tsx';
import { useKeys } from './use-keys.ts';
import { words } from './words.ts';

/** Around every page: the menu at the left of a desktop, at the bottom of a phone. */
export function Frame() {
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  useKeys(
    useMemo(
      () => ({
        ...jumpsByKeys((path) => void navigate({ to: path, search: sameTeam })),
        search: () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
        help: () => setHelpOpen(true),
      }),
      [navigate],
    ),
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const menu = { showKeys: () => setHelpOpen(true), showPalette: () => setPaletteOpen(true) };
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
      >
        {words.skip}
      </a>
      {!isNarrow && <SideMenu {...menu} />}
      <main id="content" className="min-w-0 pb-20 short:pb-4 md:pb-8">
        <SignedOutBar />
        <ConnectionBanner />
        <OpenWritesBar />
        <NewVersion />
        <Outlet />
      </main>
      {isNarrow && <BottomBar {...menu} />}
      <Palette isOpen={isPaletteOpen} onOpenChange={setPaletteOpen} />
      <DraftGuard />
      <KeyHelp isOpen={isHelpOpen} onOpenChange={setHelpOpen} />
    </div>
  );
}

function jumpsByKeys(go: (path: MenuPage['path']) => void): Record<string, () => void> {
  return Object.fromEntries(
    Object.entries(pages).map(([action, { path }]) => [action, () => go(path)]),
  );
}
