// The pages that the menu, the keys and the palette lead to, and those of records.
import type { IconName } from '../ui/icon.tsx';
import { words } from './words.ts';

export const pages = {
  incidents: { path: '/incidents', icon: 'siren', text: words.incidents },
  onCalls: { path: '/on-calls', icon: 'phone-call', text: words.onCalls },
  me: { path: '/me', icon: 'circle-user', text: words.me },
  pages: { path: '/pages', icon: 'send', text: words.pages },
  reports: { path: '/reports', icon: 'chart-bar', text: words.reports },
  services: { path: '/services', icon: 'box', text: words.services },
  integrations: { path: '/integrations', icon: 'plug', text: words.integrations },
  rules: { path: '/alert-rules', icon: 'list-filter', text: words.rules },
  policies: { path: '/escalation-policies', icon: 'list-ordered', text: words.policies },
  webhooks: { path: '/outbound-webhooks', icon: 'webhook', text: words.webhooks },
  playbooks: { path: '/playbooks', icon: 'book-open-check', text: words.playbooks },
  people: { path: '/users', icon: 'users', text: words.people },
  teams: { path: '/teams', icon: 'users-round', text: words.teams },
  settings: { path: '/settings', icon: 'settings', text: words.settings },
  organization: { path: '/settings/organization', icon: 'settings', text: words.organization },
  channels: { path: '/settings/channels', icon: 'plug', text: words.channels, least: 'manager' },
  apiKeys: {
    path: '/settings/api-keys',
    icon: 'key-round',
    text: words.apiKeys,
    least: 'admin',
  },
  auditLog: {
    path: '/settings/audit-log',
    icon: 'book-open-check',
    text: words.auditLog,
    least: 'admin',
  },
  quota: { path: '/settings/quota', icon: 'bell-ring', text: words.quota },
  archive: { path: '/settings/archive', icon: 'archive', text: words.archive },
} as const;

export type MenuPage = (typeof pages)[keyof typeof pages];

/** What teams declare, in the order of the menu. */
export const recordLists: readonly MenuPage[] = [
  pages.services,
  pages.integrations,
  pages.rules,
  pages.policies,
  pages.webhooks,
  pages.playbooks,
];

/** By the kind that a search answers; the record's id is the last part of the path. */
export const recordPages: Readonly<Record<string, { path: string; icon: IconName }>> = {
  service: { path: '/services', icon: 'box' },
  outbound_webhook: { path: '/outbound-webhooks', icon: 'webhook' },
  playbook: { path: '/playbooks', icon: 'book-open-check' },
  integration: { path: '/integrations', icon: 'plug' },
  escalation_policy: { path: '/escalation-policies', icon: 'list-ordered' },
  alert_routing_rule: { path: '/alert-rules', icon: 'list-filter' },
  oncall_schedule: { path: '/on-calls', icon: 'phone-call' },
  team: { path: '/teams', icon: 'users-round' },
  user: { path: '/users', icon: 'circle-user' },
};

/** Opens the form for a mail server on the page of channels, as the part of its address after #. */
export const addMailServer = 'add-email';

/** What is kept from page to page. */
export const sameTeam = ({ team }: { team?: string }) => (team ? { team } : {});
