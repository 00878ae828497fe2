// What is open of a record that somebody is about to archive.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { sameTeam } from '../shell/pages.ts';
import { openIncidentsQuery } from './queries.ts';
import type { RecordKind } from './record.ts';
import { words } from './words.ts';

export function OpenIncidents({ kind, id }: { kind: RecordKind; id: string }) {
  const { data } = useQuery(openIncidentsQuery(kind, id));
  if (data === undefined || data.incidents.length === 0) return null;
  const { incidents, isWhole } = data;
  return (
    <p className="mb-3 rounded-md bg-amber-tint px-3 py-2 text-pretty">
      {words.openIncidents(incidents.length, isWhole)}{' '}
      {incidents.slice(0, SHOWN).map(({ number, title }, index) => (
        <Fragment key={number}>
          {index > 0 && ', '}
          <Link
            to="/incidents/$number"
            params={{ number: String(number) }}
            search={sameTeam}
            title={title}
            className="underline"
          >
            {words.number(number)}
          </Link>
        </Fragment>
      ))}
      {incidents.length > SHOWN && words.moreIncidents(incidents.length - SHOWN)}
      {'. '}
      {words.stayOpen}
    </p>
  );
}

const SHOWN = 5;
