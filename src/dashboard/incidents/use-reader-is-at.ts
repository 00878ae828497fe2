import { type FocusEvent, type PointerEvent, useState, useSyncExternalStore } from 'react';

/** Whether pointer or focus are in a part of the page, or it is scrolled; and what must be on that part. */
export function useReaderIsAt() {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isScrolled = useSyncExternalStore(onScroll, () => window.scrollY > 0);
  const handlers = {
    onPointerEnter: ({ pointerType }: PointerEvent) => setPointed(pointerType === 'mouse'),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      setFocused(currentTarget.contains(relatedTarget)),
  };
  return [isPointed || isFocused || isScrolled, handlers] as const;
}

function onScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}
