import { type FocusEvent, type PointerEvent, useState, useSyncExternalStore } from 'react';

/** Whether pointer or focus are in a part of the page, or it is scrolled; and what must be on that part. */
export function useReaderIsAt() {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isScrolled = useSyncExternalStore(onScroll, () => isPageScrolled);
  const handlers = {
    onPointerEnter: ({ pointerType }: PointerEvent) => setPointed(pointerType === 'mouse'),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      setFocused(currentTarget.contains(relatedTarget)),
  };
  return [isPointed || isFocused || isScrolled, handlers] as const;
}

// As of the last scroll: to ask for it in each rendering makes the browser lay out the page for that.
let isPageScrolled = false;
const listeners = new Set<() => void>();
const scrolled = () => {
  isPageScrolled = window.scrollY > 0;
  for (const listener of listeners) listener();
};
window.addEventListener('scroll', scrolled, { passive: true });

function onScroll(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
