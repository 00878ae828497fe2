// /integrations/<id>: how a tool is connected, what it has sent, and how that is read.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { activityQuery } from '../integrations/queries.ts';
import { displayNameOf, pathOf } from '../records/record.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { recordPages, sameTeam } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { Loaded, Reading } from '../ui/loaded.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { ToolLogo } from '../ui/tool-logo.tsx';
import { EventsTab } from './events-tab.tsx';
import type { Integration, IntegrationType } from './integration.ts';
import { integrationQuery, nameQuery, typesQuery } from './queries.ts';
import { type IntegrationTab, integrationTabs, isOfSettings } from './search.ts';
import { SetupTab } from './setup-tab.tsx';
import { words } from './words.ts';

const MappingTab = lazyPart(() => import('./mapping/tab.tsx'), 'MappingTab');
const SettingsTab = lazyPart(() => import('./settings-tab.tsx'), 'SettingsTab');

export function IntegrationPage() {
  const { id } = useParams({ from: '/integrations/$id' });
  return <IntegrationById key={id} id={id} />;
}

function IntegrationById({ id }: { id: string }) {
  const query = useQuery(integrationQuery(id));
  const navigate = useNavigate();
  const integration = query.data;
  const title = integration ? displayNameOf(integration) : words.title;
  useTitle(title);
  const isElsewhere = integration !== undefined && integration.id !== id;
  useEffect(() => {
    if (isElsewhere)
      void navigate({
        to: '/integrations/$id',
        params: { id: integration.id },
        replace: true,
        search: (before: Record<string, unknown>) => before,
      });
  }, [isElsewhere, integration, navigate]);
  return (
    <>
      <PageHeader title={title} back={{ to: '/integrations', text: words.list }} />
      <Loaded query={query}>{(loaded) => <IntegrationView integration={loaded} />}</Loaded>
    </>
  );
}

function IntegrationView({ integration }: { integration: Integration }) {
  const { tab = 'setup' } = useSearch({ from: '/integrations/$id' });
  const types = useQuery(typesQuery);
  return (
    <>
      <TabBar id={integration.id} tab={isOfSettings(tab) ? 'settings' : tab} />
      <Loaded query={types}>
        {(all) => {
          const type = all.find(({ slug }) => slug === integration.slug);
          return (
            <>
              <Summary integration={integration} type={type} />
              {tab === 'setup' && <SetupTab integration={integration} type={type} />}
              {tab === 'events' && <EventsTab id={integration.id} />}
              {tab === 'mapping' && (
                <Suspense fallback={<Reading />}>
                  <MappingTab integration={integration} />
                </Suspense>
              )}
              {isOfSettings(tab) && (
                <Suspense fallback={<Reading />}>
                  <SettingsTab id={integration.id} view={tab} />
                </Suspense>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const TabBar = ({ id, tab }: { id: string; tab: IntegrationTab }) => (
  <div className="border-b border-line">
    <Tabs label={words.tabsLabel}>
      {integrationTabs.map((one) => (
        <Tab
          key={one}
          from="/integrations/$id"
          to="/integrations/$id"
          params={{ id }}
          search={({ tab: _, ...rest }) => (one === 'setup' ? rest : { ...rest, tab: one })}
          isCurrent={one === tab}
        >
          {words.tabs[one]}
        </Tab>
      ))}
    </Tabs>
  </div>
);

type SummaryProps = { integration: Integration; type: IntegrationType | undefined };

function Summary({ integration, type }: SummaryProps) {
  const { slug, description, enabled, archived_at, service_id, escalation_policy_id } = integration;
  const name = type?.name ?? slug;
  const { data: activity } = useQuery(activityQuery(integration.team_id));
  const { state, reason } = activity?.get(integration.id) ?? {};
  const isDropping = enabled && archived_at === undefined && state === 'dropping';
  return (
    <div className="flex items-start gap-3 border-b border-line px-4 py-4 md:px-5">
      <ToolLogo slug={slug} name={name} />
      <div className="min-w-0">
        <p className="font-medium">
          <bdi>{name}</bdi>
        </p>
        <dl className="flex flex-wrap gap-x-4 text-ink2">
          <Fact name={words.service}>
            <Named kind="service" route="services" id={service_id} />
          </Fact>
          <Fact name={words.policy}>
            <Named kind="escalation_policy" route="escalation-policies" id={escalation_policy_id} />
          </Fact>
          {enabled && archived_at === undefined && !isDropping && (
            <Fact name={words.state}>{words.enabled}</Fact>
          )}
        </dl>
        {description && (
          <p className="text-pretty text-ink2 wrap-anywhere">
            <bdi>{description}</bdi>
          </p>
        )}
        {archived_at !== undefined && <p className="font-medium text-red">{words.archived}</p>}
        {archived_at === undefined && !enabled && (
          <p className="font-medium text-red">{words.disabled}</p>
        )}
        {isDropping && <p className="font-medium text-red">{words.dropping(reason)}</p>}
        {type === undefined && <p className="font-medium text-red">{words.noType}</p>}
      </div>
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-0 gap-1.5">
    <dt className="text-ink3">{name}</dt>
    <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
  </div>
);

type NamedProps = { kind: 'service' | 'escalation_policy'; route: string; id: string };

/** Where its incidents go; a link, where that has a page. */
function Named({ kind, route, id }: NamedProps) {
  const { data } = useQuery(nameQuery(route, id));
  const page = recordPages[kind];
  if (page === undefined) return <bdi>{data ?? '…'}</bdi>;
  return (
    <Link to={pathOf(page, id)} search={sameTeam} className="underline">
      <bdi>{data ?? '…'}</bdi>
    </Link>
  );
}
