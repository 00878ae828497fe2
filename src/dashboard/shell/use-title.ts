import { useEffect } from 'react';
import { words } from './words.ts';

/** Of the tab: how much wants attention comes first, where a narrow tab still shows it. */
export function useTitle(page: string, count = 0): void {
  const title = `${page} · ${words.product}`;
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${title}` : title;
  }, [title, count]);
}
