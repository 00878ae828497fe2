// What all pages are inside of, and what is shown where there is no page.
import { createRootRoute, Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/panel.tsx';
import { Frame } from './frame.tsx';
import { PageHeader } from './page-header.tsx';
import { sameTeam } from './pages.ts';
import { isTeamScope } from './team-scope.ts';
import { words } from './words.ts';

type Scope = { readonly team?: string };

export const rootRoute = createRootRoute({
  validateSearch: ({ team }: Record<string, unknown>): Scope => (isTeamScope(team) ? { team } : {}),
  component: Frame,
  notFoundComponent: Lost,
});

function Lost() {
  return (
    <>
      <PageHeader title={words.notThere} />
      <Empty title={words.notThereTitle} text={words.notThereText}>
        <Link to="/incidents" search={sameTeam} className={buttonClass()}>
          {words.toIncidents}
        </Link>
      </Empty>
    </>
  );
}
