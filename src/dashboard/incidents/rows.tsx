import { useRouter, useSearch } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { sameTeam } from '../shell/pages.ts';
import type { Gone } from './arrivals.ts';
import type { Incident } from './incident.ts';
import { IncidentRow } from './row.tsx';

/** About what the screen of a phone holds. */
const AT_ONCE = 8;

type RowsProps = { incidents: readonly Incident[]; gone?: Gone };

/** The first rows are shown at once, and those below them right after. */
export function IncidentRows({ incidents, gone }: RowsProps) {
  const shown = useDeferredValue(incidents, incidents.slice(0, AT_ONCE));
  const { stringifySearch } = useRouter().options;
  const search = stringifySearch(sameTeam(useSearch({ from: '__root__' })));
  return (
    <ol className="border-b border-line">
      {shown.map((incident) => (
        <IncidentRow
          key={incident.id}
          incident={incident}
          search={search}
          gone={gone?.get(incident.id)}
        />
      ))}
    </ol>
  );
}
