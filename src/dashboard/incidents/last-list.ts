// Which list somebody came from, for the way back to it.
import type { Filters } from './filters.ts';
import type { Tab } from './tabs.ts';

export type ListSearch = Filters & {
  readonly tab?: Tab;
  readonly q?: string;
  readonly team?: string;
};

let last: ListSearch = {};

export function rememberList(search: ListSearch): void {
  last = search;
}

export const lastList = (): ListSearch => last;
