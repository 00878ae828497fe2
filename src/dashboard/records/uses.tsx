import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { displayName } from '../../resources/declaration/resource.ts';
import { recordPages, sameTeam } from '../shell/pages.ts';
import { Loaded } from '../ui/loaded.tsx';
import { type Use, usesQuery } from './queries.ts';
import { pathOf, type RecordKind } from './record.ts';
import { words } from './words.ts';

export type UsesProps = { kind: RecordKind; id: string };

/** What names the record; `none`: in place of an empty list. */
export const Uses = ({ kind, id, none }: UsesProps & { none: string }) => (
  <Loaded query={useQuery(usesQuery(kind, id))}>
    {({ data, count }) => (
      <>
        {count === 0 && <p className="text-ink2">{none}</p>}
        <ul aria-label={words.uses} className="empty:hidden">
          {data.map((use) => (
            <UseRow key={use.id} use={use} />
          ))}
        </ul>
        {count > data.length && (
          <p className="mt-2 text-ink2">{words.hiddenUses(count - data.length)}</p>
        )}
      </>
    )}
  </Loaded>
);

/** A link, where its kind has a page. */
function UseRow({ use: { kind, id, name } }: { use: Use }) {
  const page = recordPages[kind];
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 border-b border-line py-2 last:border-b-0">
      {page === undefined ? (
        <bdi className="font-medium">{name}</bdi>
      ) : (
        <Link to={pathOf(page, id)} search={sameTeam} className="font-medium underline">
          <bdi>{name}</bdi>
        </Link>
      )}
      <span className="text-sm text-ink3">{displayName(kind)}</span>
    </li>
  );
}
