import { Morning } from '../verdict/morning.tsx';
import { GroupHeading } from './group-heading.tsx';
import type { Incident } from './incident.ts';
import { IncidentRows } from './rows.tsx';
import { words } from './words.ts';

type ResolvedTodayProps = { incidents: readonly Incident[]; count: string };

/** Below what is open: what the shift before has left behind it. */
export const ResolvedToday = ({ incidents, count }: ResolvedTodayProps) => (
  <>
    <Morning />
    {incidents.length > 0 && (
      <section aria-labelledby="resolved-today">
        <GroupHeading id="resolved-today" text={words.groups.resolvedToday} count={count} />
        <IncidentRows incidents={incidents} />
      </section>
    )}
  </>
);
