import { Link } from '@tanstack/react-router';
import { sameTeam } from '../shell/pages.ts';
import { type Event, incidentsOf } from './integration.ts';
import { words } from './words.ts';

const SHOWN = 5;

/** The way to what an event has opened or changed. */
export function IncidentLinks({ event }: { event: Event }) {
  const incidents = incidentsOf(event);
  if (incidents.length === 0) return null;
  const unnamed = (index: number) =>
    incidents.length === 1 ? words.open : words.openOne(index + 1);
  return (
    <p className="flex flex-wrap gap-x-3">
      {incidents.slice(0, SHOWN).map(({ id, number, title }, index) => (
        <Link
          key={id}
          to="/incidents/$number"
          params={{ number: id }}
          search={sameTeam}
          className="inline-flex min-h-6 items-center text-iris underline pointer-coarse:min-h-11"
        >
          {number === undefined ? (
            unnamed(index)
          ) : (
            <span className="min-w-0 wrap-anywhere">
              {words.number(number)} <bdi>{title}</bdi>
            </span>
          )}
        </Link>
      ))}
    </p>
  );
}
