import type { ReactNode } from 'react';
import type { Writing } from '../api/use-write.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FailedWrite } from './failed-write.tsx';
import { TriedAgain } from './tried-again.tsx';
import { words } from './words.ts';
import { WriteButton } from './write-button.tsx';

type ConfirmProps = {
  title: string;
  /** What it does, to whom. */
  text: string;
  action: string;
  /** Whether it ends something: a dangerous one, unless it says otherwise. */
  kind?: 'danger' | 'primary';
  writing: Writing;
  /** Not while what it does is still being read: the button would move below the finger. */
  isReady?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
};

/** Before what cannot be taken back. */
export const Confirm = ({
  title,
  text,
  action,
  kind = 'danger',
  writing: { failure, isPending },
  isReady = true,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) => (
  <Dialog isOpen title={title} text={text} onClose={onClose}>
    {children}
    <FailedWrite failure={failure} />
    {isPending && <TriedAgain />}
    <div className="mt-4 flex flex-wrap gap-2">
      <WriteButton
        kind={kind}
        disabled={!isReady}
        aria-disabled={isPending}
        onClick={() => !isPending && onConfirm()}
      >
        {action}
      </WriteButton>
      <Button onClick={onClose}>{words.cancel}</Button>
    </div>
  </Dialog>
);
