import { useEffect } from 'react';
import { areKeysOn } from './key-choice.ts';
import { type Action, pressed } from './keys.ts';

type Handlers = Readonly<Partial<Record<Action, () => void>>>;

/** Single keys act outside of fields only, and never with Ctrl, Alt or Cmd. */
export function useKeys(handlers: Handlers): void {
  useEffect(() => {
    let before: readonly string[] = [];
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || isField(event.target)) return;
      if (!areKeysOn()) return;
      const { action, ...next } = pressed(before, event.key);
      before = next.before;
      const handle = action && handlers[action];
      if (!handle) return;
      event.preventDefault();
      handle();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [handlers]);
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]') !==
    null;
