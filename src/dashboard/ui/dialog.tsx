// Brings Base UI: only what is loaded on demand imports this.
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { hasDraft } from './drafts.ts';
import { Icon } from './icon.tsx';
import { words } from './words.ts';

type DialogProps = {
  title: string;
  /** Below the title: what this is about. */
  text?: string;
  isOpen: boolean;
  onClose: () => void;
  /** What it shows is shown once: a press beside it does not close it. */
  isOnce?: boolean;
  /** For a form of rows. */
  isWide?: boolean;
  children: ReactNode;
};

/** A sheet at the bottom of a phone; in the middle of a desktop. */
export const Dialog = ({
  title,
  text,
  isOpen,
  onClose,
  isOnce = false,
  isWide = false,
  children,
}: DialogProps) => (
  <Base.Root
    open={isOpen}
    onOpenChange={(next, { reason }) => {
      // A press beside it may be a slip of the hand.
      if (!next && !(reason === 'outside-press' && (isOnce || hasDraft()))) onClose();
    }}
  >
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-black/50" />
      <Base.Popup
        className={`fixed inset-x-0 bottom-0 z-50 max-h-[90dvh] overflow-y-auto overscroll-contain rounded-t-xl border border-line bg-surface p-5 shadow-popup outline-none md:inset-x-auto md:start-1/2 md:top-20 md:bottom-auto md:max-h-[calc(100dvh-7rem)] md:-translate-x-1/2 md:rounded-xl rtl:md:translate-x-1/2 ${isWide ? 'md:w-2xl' : 'md:w-md'}`}
      >
        <div className="flex items-start justify-between gap-4">
          <Base.Title className="min-w-0 text-lg font-bold text-balance">{title}</Base.Title>
          <Base.Close
            aria-label={words.close}
            className="-me-1.5 -mt-1 inline-flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-sunken pointer-coarse:size-11"
          >
            <Icon name="x" />
          </Base.Close>
        </div>
        {text && <Base.Description className="mt-1 text-pretty text-ink2">{text}</Base.Description>}
        <div className="mt-4">{children}</div>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
