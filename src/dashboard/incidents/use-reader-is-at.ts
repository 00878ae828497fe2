import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { createStore } from '../api/store.ts';
import { useStore } from '../api/use-store.ts';

/**
 * Whether pointer or focus are in a part of the page, or it is scrolled; and what must be on that
 * part. When what has the focus there is removed, the part itself has it, where nobody reads.
 */
export function useReaderIsAt() {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const part = useRef<HTMLElement>(null);
  // Of what is removed with the focus there is no event.
  useEffect(() => {
    if (!isFocused || document.activeElement !== document.body) return;
    setFocused(false);
    part.current?.focus({ preventScroll: true });
  });
  const isScrolled = useStore(isPageScrolled);
  const handlers = {
    ref: part,
    tabIndex: -1,
    onPointerEnter: ({ pointerType }: PointerEvent) => setPointed(pointerType === 'mouse'),
    onPointerLeave: () => setPointed(false),
    onFocus: ({ currentTarget, target }: FocusEvent) => setFocused(target !== currentTarget),
    // Until the focus is where it moves to, nothing has it, and nothing is lost.
    onBlur({ currentTarget, relatedTarget }: FocusEvent) {
      if (!currentTarget.contains(relatedTarget)) setFocused(false);
    },
  };
  return [isPointed || isFocused || isScrolled, handlers] as const;
}

// As of the last scroll: to ask for it in each rendering makes the browser lay out the page for that.
const isPageScrolled = createStore(false);
window.addEventListener('scroll', () => isPageScrolled.set(window.scrollY > 0), { passive: true });
