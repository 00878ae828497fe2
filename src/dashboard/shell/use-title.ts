import { useEffect } from 'react';
import { visibleText } from '../../resources/visible-text.ts';
import { words } from './words.ts';

let shown = '';

/** What the page that is shown is called. */
export const shownTitle = (): string => shown;

/** Of the tab: how much wants attention comes first, where a narrow tab still shows it. */
export function useTitle(page: string, count = 0): void {
  const title = `${visibleText(page)} · ${words.product}`;
  useEffect(() => {
    shown = page;
    document.title = count > 0 ? `(${count}) ${title}` : title;
  }, [page, title, count]);
}
