import { useQuery } from '@tanstack/react-query';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Section } from '../ui/section.tsx';
import { accountOf, type Connection, vendorTitle } from './connection.ts';
import { archivedQuery, connectionsPath, staleConnections } from './queries.ts';
import { words } from './words.ts';

/** Nothing where there is none. */
export function ArchivedSection() {
  const { data = [] } = useQuery(archivedQuery);
  const restoring = useWrite(...staleConnections);
  if (data.length === 0) return null;
  const restore = ({ id, name }: Connection) =>
    restoring.send({
      method: 'POST',
      path: `${connectionsPath}/${id}/restore`,
      body: {},
      name: words.restoreOne(name),
    });
  return (
    <Section title={words.archived} text={words.archivedText}>
      <ul aria-label={words.archived}>
        {data.map((connection) => (
          <li
            key={connection.id}
            className="flex min-h-11 items-center gap-3 border-b border-line py-2 last:border-b-0"
          >
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium">{connection.name}</bdi>
              <span className="block truncate text-sm text-ink3">
                {vendorTitle(connection.vendor)} <bdi>{accountOf(connection)}</bdi>
              </span>
            </span>
            <Button
              aria-label={words.restoreOne(connection.name)}
              aria-disabled={restoring.isPending}
              onClick={() => void restore(connection)}
            >
              {words.restore}
            </Button>
          </li>
        ))}
      </ul>
      <FailedWrite failure={restoring.failure} />
    </Section>
  );
}
