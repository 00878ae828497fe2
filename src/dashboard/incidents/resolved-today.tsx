import { GroupHeading } from './group-heading.tsx';
import { IncidentRow } from './row.tsx';
import { type ListScope, queryOf } from './tabs.ts';
import { useResolvedToday } from './use-incidents.ts';
import { words } from './words.ts';

type ResolvedTodayProps = { scope: ListScope; me: string | undefined };

/** Below what is open: what the shift before has left behind it. */
export function ResolvedToday({ scope, me }: ResolvedTodayProps) {
  const { data = [] } = useResolvedToday(queryOf({ ...scope, tab: 'all' }, me));
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="resolved-today">
      <GroupHeading
        id="resolved-today"
        text={words.groups.resolvedToday}
        count={`${data.length}`}
      />
      <ol className="border-b border-line">
        {data.map((incident) => (
          <IncidentRow key={incident.id} incident={incident} />
        ))}
      </ol>
    </section>
  );
}
