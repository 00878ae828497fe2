import { queryOptions } from '@tanstack/react-query';
import { records } from '../../resources/index.ts';
import { readList } from '../api/pager.ts';
import { type DashboardRecord, displayNameOf } from '../records/record.ts';
import type { Archived } from './archive.ts';

/** Teams are archived too, by admins. */
const kinds = [
  ...records.map(({ name, route }) => ({ name, route })),
  { name: 'team', route: 'teams' },
];
export const archivedKinds = kinds.map(({ name }) => name);

export const archiveQuery = queryOptions({
  queryKey: ['archive'],
  queryFn: async () => (await Promise.all(kinds.map(archivedIn))).flat(),
  staleTime: 0,
});

async function archivedIn({ name, route }: (typeof kinds)[number]): Promise<readonly Archived[]> {
  const path = `/${route}`;
  const list = await readList<DashboardRecord>(path, { archived: 'true' });
  return list.map((one) => ({
    kind: name,
    path,
    id: one.id,
    name: displayNameOf(one),
    version: one.version,
    archived_at: one.archived_at ?? one.updated_at,
  }));
}
