// The pages of what teams declare: of each kind a list, a form for a new one, and a page.
import { createRoute } from '@tanstack/react-router';
import { integrationSearch } from '../integration/search.ts';
import { newIntegrationSearch } from '../integrations/search.ts';
import { policySearch } from '../policies/search.ts';
import { recordSearch, recordsSearch } from '../records/search.ts';
import { newRuleSearch, ruleSearch } from '../rules/search.ts';
import { lazyPage } from './lazy-page.ts';
import { rootRoute } from './root-route.tsx';

const integrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations/$id',
  validateSearch: integrationSearch,
  component: lazyPage(() => import('../integration/page.tsx'), 'IntegrationPage'),
});

const integrationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations',
  validateSearch: recordsSearch,
  component: lazyPage(() => import('../integrations/page.tsx'), 'IntegrationsPage'),
});

const newIntegrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations/new',
  validateSearch: newIntegrationSearch,
  component: lazyPage(() => import('../integrations/new-page.tsx'), 'NewIntegrationPage'),
});

const rulesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alert-rules',
  validateSearch: recordsSearch,
  component: lazyPage(() => import('../rules/page.tsx'), 'RulesPage'),
});

const newRuleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alert-rules/new',
  validateSearch: newRuleSearch,
  component: lazyPage(() => import('../rules/rule-page.tsx'), 'NewRulePage'),
});

const ruleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alert-rules/$id',
  validateSearch: ruleSearch,
  component: lazyPage(() => import('../rules/rule-page.tsx'), 'RulePage'),
});

const servicesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/services',
  validateSearch: recordsSearch,
  component: lazyPage(() => import('../services/page.tsx'), 'ServicesPage'),
});

const newServiceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/services/new',
  component: lazyPage(() => import('../services/service-page.tsx'), 'NewServicePage'),
});

const serviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/services/$id',
  validateSearch: recordSearch,
  component: lazyPage(() => import('../services/service-page.tsx'), 'ServicePage'),
});

const policiesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/escalation-policies',
  validateSearch: recordsSearch,
  component: lazyPage(() => import('../policies/page.tsx'), 'PoliciesPage'),
});

const newPolicyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/escalation-policies/new',
  validateSearch: policySearch,
  component: lazyPage(() => import('../policies/policy-page.tsx'), 'NewPolicyPage'),
});

const policyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/escalation-policies/$id',
  validateSearch: policySearch,
  component: lazyPage(() => import('../policies/policy-page.tsx'), 'PolicyPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/outbound-webhooks',
  validateSearch: recordsSearch,
  component: lazyPage(() => import('../webhooks/page.tsx'), 'WebhooksPage'),
});

const newWebhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/outbound-webhooks/new',
  component: lazyPage(() => import('../webhooks/webhook-page.tsx'), 'NewWebhookPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/outbound-webhooks/$id',
  validateSearch: recordSearch,
  component: lazyPage(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
});

const playbooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playbooks',
  validateSearch: recordsSearch,
  component: lazyPage(() => import('../playbooks/page.tsx'), 'PlaybooksPage'),
});

const newPlaybookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playbooks/new',
  component: lazyPage(() => import('../playbooks/playbook-page.tsx'), 'NewPlaybookPage'),
});

const playbookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playbooks/$id',
  validateSearch: recordSearch,
  component: lazyPage(() => import('../playbooks/playbook-page.tsx'), 'PlaybookPage'),
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
