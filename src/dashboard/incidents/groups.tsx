import type { Gone } from './arrivals.ts';
import { GroupHeading } from './group-heading.tsx';
import type { ListedIncident } from './incident.ts';
import { pagingCounts } from './paging-counts.ts';
import { IncidentRows } from './rows.tsx';
import { words } from './words.ts';

type GroupsProps = {
  rows: readonly ListedIncident[];
  gone: Gone;
  /** Otherwise more can be loaded, and counts are not all. */
  isWhole: boolean;
  isGrouped: boolean;
};

const openGroups = ['triggered', 'acknowledged'] as const;

export function IncidentGroups({ rows, gone, isWhole, isGrouped }: GroupsProps) {
  if (!isGrouped) return <IncidentRows gone={gone} incidents={rows} />;
  return openGroups.map((group) => {
    const members = rows.filter((row) => row.group === group);
    if (members.length === 0) return null;
    const current = members.filter(({ id, status }) => status === group && !gone.has(id));
    return (
      <section key={group} aria-labelledby={group}>
        <GroupHeading
          id={group}
          text={words.groups[group]}
          count={words.count(current.length, isWhole)}
          notes={group === 'triggered' ? pagingCounts(current, isWhole) : []}
        />
        <IncidentRows gone={gone} incidents={members} />
      </section>
    );
  });
}
