// Where the palette leads: to pages, and to what a search answers that has a page.
import type { iconNames } from '../ui/icon-names.ts';
import { popupWords } from './popup-words.ts';

export type Jump = {
  /** Of the page, without its search. */
  readonly path: string;
  readonly text: string;
  /** Beside the text: what or which it is. */
  readonly hint?: string;
  readonly icon: (typeof iconNames)[number];
};

export type Searched = {
  readonly incidents: readonly { readonly number: number; readonly title: string }[];
  readonly records: readonly {
    readonly type: string;
    readonly id: string;
    readonly name: string;
    readonly archived?: boolean;
  }[];
};

/** Only of what has a page. */
type RecordPages = Readonly<Record<string, Pick<Jump, 'path' | 'icon'>>>;

/** Pages that match come first, then incidents, then records in the order of the answer. */
export function jumpsOf(
  text: string,
  pages: readonly Jump[],
  searched: Searched | undefined,
  recordPages: RecordPages,
): readonly Jump[] {
  const wanted = text.trim().toLowerCase();
  const matching = pages.filter((page) => page.text.toLowerCase().includes(wanted));
  if (wanted === '' || searched === undefined) return matching;
  const incidents = searched.incidents.map(
    ({ number, title }): Jump => ({
      path: `/incidents/${number}`,
      text: title,
      icon: 'siren',
      hint: `INC-${number}`,
    }),
  );
  const records = searched.records.flatMap(({ type, id, name, archived }): Jump[] => {
    const page = recordPages[type];
    if (page === undefined) return [];
    const hint = archived && (type === 'user' ? popupWords.deactivated : popupWords.archived);
    const jump = { path: `${page.path}/${id}`, text: name, icon: page.icon };
    return [{ ...jump, ...(hint && { hint }) }];
  });
  return [...matching, ...incidents, ...records];
}
