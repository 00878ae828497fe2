import type { Facts } from '../src/rules/facts.ts';

/** What is known of an incident that was just opened, on a Wednesday, unless told otherwise. */
export const buildFacts = (fields: Partial<Facts> = {}): Facts => ({
  title: 'Disk full on db-12',
  details: { host: 'db-12', labels: { team: 'Storage', 'app.kubernetes.io/name': 'postgres' } },
  priority: null,
  severity: 'sev2',
  alertsTotal: 1,
  integrationId: '65f0a1b2c3d4e5f601234567',
  serviceId: '65f0a1b2c3d4e5f601234568',
  repeatCount: 0,
  repeatedAt: [],
  suppressedCount: 0,
  suppressedAt: [],
  now: Temporal.Instant.from('2026-03-04T09:30:00Z'),
  isSuppressed: false,
  ...fields,
});
