// Menus and dialogs come in a chunk of their own, once the browser has nothing else to do: who wants
// to read or to act does not wait for them. Until then their buttons are there.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { loadPart } from '../api/load-part.ts';
import { useIsIdle } from '../ui/idle.ts';
import { entry } from './entry.ts';
import type { PaletteProps } from './palette.tsx';
import type { AccountMenuProps, KeyHelpProps, LeaveQuestionProps } from './popups.tsx';
import { TeamLabel } from './team-label.tsx';

const load = () => loadPart(() => import('./popups.tsx'));
const LazyAccountMenu = lazy(async () => ({ default: (await load()).AccountMenu }));
const LazyTeamMenu = lazy(async () => ({ default: (await load()).TeamMenu }));
const LazyPalette = lazy(async () => ({ default: (await load()).Palette }));
const LazyKeyHelp = lazy(async () => ({ default: (await load()).KeyHelp }));
const LazyLeaveQuestion = lazy(async () => ({ default: (await load()).LeaveQuestion }));

export const AccountMenu = (props: AccountMenuProps) => (
  <Slot before={<Before className={props.className}>{props.trigger}</Before>}>
    <LazyAccountMenu {...props} />
  </Slot>
);

export const TeamMenu = () => (
  <Slot
    before={
      <Before className={entry}>
        <TeamLabel />
      </Before>
    }
  >
    <LazyTeamMenu />
  </Slot>
);

export const Palette = (props: PaletteProps) => (
  <OnceOpen isOpen={props.isOpen}>
    <LazyPalette {...props} />
  </OnceOpen>
);

export const KeyHelp = (props: KeyHelpProps) => (
  <OnceOpen isOpen={props.isOpen}>
    <LazyKeyHelp {...props} />
  </OnceOpen>
);

export const LeaveQuestion = (props: LeaveQuestionProps) => (
  <OnceOpen isOpen={props.isOpen}>
    <LazyLeaveQuestion {...props} />
  </OnceOpen>
);

/** Not made before somebody wants it. */
function OnceOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <Suspense>{children}</Suspense>;
}

/** What brings Base UI; before it is there, what looks like it. */
export function Slot({ before, children }: { before: ReactNode; children: ReactNode }) {
  const isIdle = useIsIdle();
  return isIdle ? <Suspense fallback={before}>{children}</Suspense> : before;
}

const Before = ({ className, children }: { className: string; children: ReactNode }) => (
  <button type="button" aria-haspopup="menu" aria-disabled="true" className={className}>
    {children}
  </button>
);
