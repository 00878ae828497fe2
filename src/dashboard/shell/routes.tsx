import {
  createRoute,
  createRouter,
  type ErrorComponentProps,
  redirect,
} from '@tanstack/react-router';
import { archiveSearch } from '../archive/search.ts';
import type { AuditSearch } from '../audit-log/search.ts';
import { type Filters, filtersOf } from '../incidents/filters.ts';
import { IncidentsPage } from '../incidents/page.tsx';
import { type Tab, tabOf } from '../incidents/tabs.ts';
import { meSearch } from '../me/search.ts';
import { onCallSearch, onCallsSearch } from '../oncall/search.ts';
import type { PageFilters } from '../pages/filters.ts';
import { type Shown, shownOf } from '../people/person.ts';
import { recordsSearch } from '../records/search.ts';
import type { ReportSearch } from '../reports/search.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/panel.tsx';
import { type IncidentAction, incidentActions } from './keys.ts';
import { lazyPage } from './lazy-page.ts';
import { recordRoutes } from './record-routes.ts';
import { rootRoute } from './root-route.tsx';
import { words } from './words.ts';

type ListSearch = Filters & { readonly tab?: Tab; readonly q?: string };

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/incidents', replace: true });
  },
});

const incidentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents',
  validateSearch: ({ tab, q, ...rest }: Record<string, unknown>): ListSearch => ({
    ...(tabOf(tab) !== 'open' && { tab: tabOf(tab) }),
    ...(q !== undefined && { q: String(q) }),
    ...filtersOf(rest),
  }),
  component: IncidentsPage,
});

const meRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/me',
  validateSearch: meSearch,
  component: lazyPage(() => import('../me/page.tsx'), 'MePage'),
});

const pagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pages',
  // The page takes what it understands.
  validateSearch: (search: Record<string, unknown>) => search as PageFilters,
  component: lazyPage(() => import('../pages/page.tsx'), 'PagesPage'),
});

const reportsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports',
  // The same.
  validateSearch: (search: Record<string, unknown>) => search as ReportSearch,
  component: lazyPage(() => import('../reports/page.tsx'), 'ReportsPage'),
});

const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/link/$code',
  component: lazyPage(() => import('../me/link-page.tsx'), 'LinkPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users',
  validateSearch: ({ show, q }: Record<string, unknown>): { show?: Shown; q?: string } => ({
    ...(shownOf(show) !== 'active' && { show: shownOf(show) }),
    ...(q !== undefined && { q: String(q) }),
  }),
  component: lazyPage(() => import('../people/page.tsx'), 'PeoplePage'),
});

const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users/$id',
  component: lazyPage(() => import('../people/person-page.tsx'), 'PersonPage'),
});

const onCallsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/on-calls',
  validateSearch: onCallsSearch,
  component: lazyPage(() => import('../oncall/page.tsx'), 'OnCallsPage'),
});

const newOnCallRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/on-calls/new',
  component: lazyPage(() => import('../oncall/new-page.tsx'), 'NewSchedulePage'),
});

const onCallRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/on-calls/$id',
  validateSearch: onCallSearch,
  component: lazyPage(() => import('../oncall/schedule-page.tsx'), 'SchedulePage'),
});

/** For whoever makes pages: what they are made of. */
const componentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/components',
  component: lazyPage(() => import('../components/page.tsx'), 'ComponentsPage'),
});

/** Loaded before somebody opens one, so that acknowledging waits for nothing. */
export const IncidentPage = lazyPage(() => import('../incident/page.tsx'), 'IncidentPage');

const incidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents/$number',
  validateSearch: ({ act }: Record<string, unknown>): { act?: IncidentAction } => {
    const known = incidentActions.find((one) => one === act);
    return known ? { act: known } : {};
  },
  component: IncidentPage,
});

const openRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents/new',
  component: lazyPage(() => import('../setup/open-page.tsx'), 'OpenPage'),
});

const teamsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/teams',
  component: lazyPage(() => import('../teams/page.tsx'), 'TeamsPage'),
});

const teamRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/teams/$id',
  component: lazyPage(() => import('../teams/team-page.tsx'), 'TeamPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/organization', replace: true });
  },
});

const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/organization',
  component: lazyPage(() => import('../organization/page.tsx'), 'OrganizationPage'),
});

const channelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/channels',
  component: lazyPage(() => import('../settings/page.tsx'), 'ChannelsPage'),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/api-keys',
  validateSearch: recordsSearch,
  component: lazyPage(() => import('../api-keys/page.tsx'), 'ApiKeysPage'),
});

const auditLogRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/audit-log',
  // The page takes what it understands.
  validateSearch: (search: Record<string, unknown>) => search as AuditSearch,
  component: lazyPage(() => import('../audit-log/page.tsx'), 'AuditLogPage'),
});

const quotaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/quota',
  component: lazyPage(() => import('../quota/page.tsx'), 'QuotaPage'),
});

const archiveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/archive',
  validateSearch: archiveSearch,
  component: lazyPage(() => import('../archive/page.tsx'), 'ArchivePage'),
});

const connectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/channels/$id',
  component: lazyPage(() => import('../settings/connection-page.tsx'), 'ConnectionPage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    openRoute,
    homeRoute,
    incidentsRoute,
    incidentRoute,
    onCallsRoute,
    newOnCallRoute,
    onCallRoute,
    ...recordRoutes,
    componentsRoute,
    meRoute,
    pagesRoute,
    reportsRoute,
    linkRoute,
    usersRoute,
    userRoute,
    teamsRoute,
    teamRoute,
    settingsRoute,
    organizationRoute,
    channelsRoute,
    connectionRoute,
    apiKeysRoute,
    auditLogRoute,
    quotaRoute,
    archiveRoute,
  ]),
  defaultErrorComponent: Broken,
});

function Broken({ error }: ErrorComponentProps) {
  console.error(error);
  return (
    <Empty title={words.broken} text={words.brokenText}>
      <Button icon="refresh-cw" onClick={() => location.reload()}>
        {words.reload}
      </Button>
    </Empty>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
