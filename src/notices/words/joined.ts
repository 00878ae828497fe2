import type { AnyNotice } from '../kind.ts';
import type { AlertsJoined } from '../kinds/incident.ts';
import { phrasesOf } from './of-notice.ts';
import { fit, lineOf } from './wording.ts';

const NAME_LENGTH_MAX = 100;

/** As `3 more alerts joined: Disk full on db-2, Disk full on db-3, and 1 more. 12 in all.` */
export function joinedLine(
  notice: Pick<AnyNotice, 'language'>,
  { count, titles, total }: AlertsJoined,
): string {
  const { incident, joined } = phrasesOf(notice);
  const named = titles.map((title) => fit(lineOf(title), NAME_LENGTH_MAX) || incident.untitled);
  // Alerts of several hosts often have the same title.
  const names = [...new Set(named)];
  const line = joined.alerts(names.join(', '), count, count - names.length);
  return `${line} ${joined.inAll(total)}`;
}
