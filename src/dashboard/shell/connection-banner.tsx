import { useQuery } from '@tanstack/react-query';
import { connection, lastHeard } from '../api/connection.ts';
import { sessionQuery } from '../api/queries.ts';
import { useStore } from '../api/use-store.ts';
import { Moment } from '../ui/moment.tsx';
import { words } from './words.ts';

const TRY_EVERY_MS = 15_000;

/** What is shown stays, and is dated. */
export function ConnectionBanner() {
  const state = useStore(connection);
  useQuery({ ...sessionQuery, refetchInterval: state === 'heard' ? false : TRY_EVERY_MS });
  return (
    <div role="status" className="sticky top-0 z-20 bg-amber-tint font-medium">
      {state !== 'heard' && (
        <p className="px-4 py-2 md:px-5">
          {words[state]} {words.asOf} <Moment at={new Date(lastHeard()).toISOString()} />.
        </p>
      )}
    </div>
  );
}
