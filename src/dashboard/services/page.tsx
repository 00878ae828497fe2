import { useQuery } from '@tanstack/react-query';
import { RecordsPage } from '../records/list-page.tsx';
import { useTeams } from '../shell/team-label.tsx';
import { services } from './kind.ts';
import { integrationsQuery, openCountsQuery } from './queries.ts';
import { words } from './words.ts';

export function ServicesPage() {
  const teams = useTeams();
  const { data: open } = useQuery(openCountsQuery(teams));
  const { data: integrations } = useQuery(integrationsQuery(teams));
  return (
    <RecordsPage
      kind={services}
      note={({ id, description }) => {
        const count = integrations?.filter(({ service_id }) => service_id === id).length;
        const about = typeof description === 'string' ? description : '';
        return [count !== undefined && words.connected(count), about].filter(Boolean).join(' · ');
      }}
      aside={({ id }) => {
        const count = open?.byService.get(id) ?? 0;
        if (count === 0) return null;
        return (
          <span className="shrink-0 font-medium text-red">
            {open?.isWhole ? words.open(count) : words.atLeast(count)}
          </span>
        );
      }}
    />
  );
}
