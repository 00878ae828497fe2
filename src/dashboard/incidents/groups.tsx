import { GroupHeading } from './group-heading.tsx';
import { type ListedIncident, stateOf } from './incident.ts';
import { IncidentRow } from './row.tsx';
import { words } from './words.ts';

type GroupsProps = {
  rows: readonly ListedIncident[];
  gone: ReadonlySet<string>;
  /** Otherwise more can be loaded, and counts are not all. */
  isWhole: boolean;
  isGrouped: boolean;
};

const isPaging = (row: ListedIncident) => stateOf(row) === 'triggered';
const openGroups = ['triggered', 'acknowledged'] as const;

export function IncidentGroups({ rows, gone, isWhole, isGrouped }: GroupsProps) {
  const list = (some: readonly ListedIncident[]) => (
    <ol className="border-b border-line">
      {some.map((incident) => (
        <IncidentRow key={incident.id} incident={incident} isGone={gone.has(incident.id)} />
      ))}
    </ol>
  );
  if (!isGrouped) return list(rows);
  return openGroups.map((group) => {
    const members = rows.filter((row) => row.group === group);
    if (members.length === 0) return null;
    const current = members.filter(({ status }) => status === group);
    return (
      <section key={group} aria-labelledby={group}>
        <GroupHeading
          id={group}
          text={words.groups[group]}
          count={words.count(current.length, isWhole)}
          {...(current.some(isPaging) && { note: words.triggeredNote })}
        />
        {list(members)}
      </section>
    );
  });
}
