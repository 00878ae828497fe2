import type { ListedIncident } from './incident.ts';
import { IncidentRow } from './row.tsx';
import { words } from './words.ts';

type GroupsProps = {
  rows: readonly ListedIncident[];
  gone: ReadonlySet<string>;
  services: ReadonlyMap<string, string> | undefined;
  /** Otherwise more can be loaded, and counts are not all. */
  isWhole: boolean;
  isGrouped: boolean;
};

const openGroups = ['triggered', 'acknowledged'] as const;

export function IncidentGroups({ rows, gone, services, isWhole, isGrouped }: GroupsProps) {
  const list = (some: readonly ListedIncident[]) => (
    <ol className="border-b border-line">
      {some.map((incident) => (
        <IncidentRow
          key={incident.id}
          incident={incident}
          service={services?.get(incident.service_id)}
          isGone={gone.has(incident.id)}
        />
      ))}
    </ol>
  );
  if (!isGrouped) return list(rows);
  return openGroups.map((group) => {
    const members = rows.filter((row) => row.group === group);
    if (members.length === 0) return null;
    return (
      <section key={group} aria-labelledby={group}>
        <h2 id={group} className="flex gap-2 px-4 pt-4 pb-1.5 text-sm text-ink2 md:px-5 md:text-xs">
          <span>{words.groups[group]}</span>
          <span>{isWhole ? members.length : words.atLeast(members.length)}</span>
          {group === 'triggered' && <span>· {words.triggeredNote}</span>}
        </h2>
        {list(members)}
      </section>
    );
  });
}
