// What the heading of the triggered incidents says: how many of them still page somebody.
import { type Incident, stateOf } from './incident.ts';
import { words } from './words.ts';

type Group = keyof typeof words.pagingCounts;
const groups: readonly Group[] = ['nobody', 'running', 'ended', 'muted'];

/** The worst first; `isWhole`: there are no more than these. */
export function pagingCounts(incidents: readonly Incident[], isWhole: boolean): readonly string[] {
  const counted = incidents.map(groupOf);
  return groups.flatMap((group) => {
    const count = counted.filter((one) => one === group).length;
    return count === 0 ? [] : [words.pagingCounts[group](words.count(count, isWhole))];
  });
}

function groupOf(incident: Incident): Group | null {
  const state = stateOf(incident);
  if (state === 'unpaged') return 'nobody';
  if (state === 'muted') return 'muted';
  if (incident.paging === undefined) return null;
  return incident.paging === 'unanswered' ? 'ended' : 'running';
}

/** Who paged nobody is seen first, whatever their priority. */
export const unpagedFirst = <I extends Incident>(incidents: readonly I[]): readonly I[] => {
  const isUnpaged = (incident: I) => stateOf(incident) === 'unpaged';
  return [...incidents.filter(isUnpaged), ...incidents.filter((one) => !isUnpaged(one))];
};
