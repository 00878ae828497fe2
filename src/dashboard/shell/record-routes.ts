// The pages of what teams declare: of each kind a list, a form for a new one, and a page.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { loadPage } from '../api/load-part.ts';
import { integrationSearch } from '../integration/search.ts';
import { newIntegrationSearch } from '../integrations/search.ts';
import { policySearch } from '../policies/search.ts';
import { recordSearch, recordsSearch } from '../records/search.ts';
import { newRuleSearch, ruleSearch } from '../rules/search.ts';
import { rootRoute } from './root-route.tsx';

const integrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations/$id',
  validateSearch: integrationSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../integration/page.tsx')),
    'IntegrationPage',
  ),
});

const integrationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations',
  validateSearch: recordsSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../integrations/page.tsx')),
    'IntegrationsPage',
  ),
});

const newIntegrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations/new',
  validateSearch: newIntegrationSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../integrations/new-page.tsx')),
    'NewIntegrationPage',
  ),
});

const rulesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alert-rules',
  validateSearch: recordsSearch,
  component: lazyRouteComponent(() => loadPage(() => import('../rules/page.tsx')), 'RulesPage'),
});

const newRuleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alert-rules/new',
  validateSearch: newRuleSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../rules/rule-page.tsx')),
    'NewRulePage',
  ),
});

const ruleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alert-rules/$id',
  validateSearch: ruleSearch,
  component: lazyRouteComponent(() => loadPage(() => import('../rules/rule-page.tsx')), 'RulePage'),
});

const servicesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/services',
  validateSearch: recordsSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../services/page.tsx')),
    'ServicesPage',
  ),
});

const newServiceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/services/new',
  component: lazyRouteComponent(
    () => loadPage(() => import('../services/service-page.tsx')),
    'NewServicePage',
  ),
});

const serviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/services/$id',
  validateSearch: recordSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../services/service-page.tsx')),
    'ServicePage',
  ),
});

const policiesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/escalation-policies',
  validateSearch: recordsSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../policies/page.tsx')),
    'PoliciesPage',
  ),
});

const newPolicyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/escalation-policies/new',
  validateSearch: policySearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../policies/policy-page.tsx')),
    'NewPolicyPage',
  ),
});

const policyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/escalation-policies/$id',
  validateSearch: policySearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../policies/policy-page.tsx')),
    'PolicyPage',
  ),
});

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/outbound-webhooks',
  validateSearch: recordsSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../webhooks/page.tsx')),
    'WebhooksPage',
  ),
});

const newWebhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/outbound-webhooks/new',
  component: lazyRouteComponent(
    () => loadPage(() => import('../webhooks/webhook-page.tsx')),
    'NewWebhookPage',
  ),
});

const webhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/outbound-webhooks/$id',
  validateSearch: recordSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../webhooks/webhook-page.tsx')),
    'WebhookPage',
  ),
});

const playbooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playbooks',
  validateSearch: recordsSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../playbooks/page.tsx')),
    'PlaybooksPage',
  ),
});

const newPlaybookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playbooks/new',
  component: lazyRouteComponent(
    () => loadPage(() => import('../playbooks/playbook-page.tsx')),
    'NewPlaybookPage',
  ),
});

const playbookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playbooks/$id',
  validateSearch: recordSearch,
  component: lazyRouteComponent(
    () => loadPage(() => import('../playbooks/playbook-page.tsx')),
    'PlaybookPage',
  ),
});

export const recordRoutes = [
  integrationRoute,
  integrationsRoute,
  newIntegrationRoute,
  rulesRoute,
  newRuleRoute,
  ruleRoute,
  servicesRoute,
  newServiceRoute,
  serviceRoute,
  policiesRoute,
  newPolicyRoute,
  policyRoute,
  webhooksRoute,
  newWebhookRoute,
  webhookRoute,
  playbooksRoute,
  newPlaybookRoute,
  playbookRoute,
] as const;
