import { useMemo } from 'react';
import { useKeys } from '../shell/use-keys.ts';

/** `j` and `k` move the focus from row to row, `x` selects. */
export function useListKeys(): void {
  useKeys(useMemo(() => ({ next: () => move(1), previous: () => move(-1), select }), []));
}

function select(): void {
  const row = document.activeElement?.closest('li');
  row?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
}

function move(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-incident]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? rows[0] : rows[at + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
