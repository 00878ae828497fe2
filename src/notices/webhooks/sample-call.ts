// A believable call of an outbound webhook, for tests and documentation.
import type { Call } from './call.ts';
import { type IncidentPayload, incidentContentOf } from './incident.ts';

/** The payload of a webhook for the same incident that a person is paged for. */
export function samplePayload(change: Partial<IncidentPayload> = {}): IncidentPayload {
  return {
    event_type: 'incident_triggered',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    team: { id: '65f000000000000000000002', name: 'Payments' },
    incident: {
      id: '65f000000000000000000042',
      number: 42,
      title: 'Disk full on <db-1>',
      status: 'triggered',
      priority: 'p1',
      severity: 'sev1',
      service: { id: '65f000000000000000000003', name: 'Payments' },
      integration: { id: '65f000000000000000000004', name: 'Prometheus' },
      escalation_policy: { id: '65f000000000000000000005', name: 'Payments' },
      responders: [
        {
          id: '65f0000000000000000000b1',
          first_name: 'Ada',
          last_name: 'Lovelace',
          email: 'ada@example.com',
        },
      ],
      dedup_key: 'disk/db-1',
      details: { message: '/var is at 98 %', labels: { host: 'db-1', tags: ['a & b', 'ü'] } },
      links: [{ href: 'https://grafana.example.com/d/1?x=1&y=2', text: 'Graph' }],
      alerts_firing: 1,
      alerts_total: 1,
      suppressed_count: 2,
      repeat_count: 0,
      created_at: '2026-11-21T05:49:53.123Z',
      test: false,
      url: 'https://pager.example.com/incidents/42',
    },
    ...change,
  };
}

/** A call of a webhook by POST with that payload. */
export const sampleCall = (change: Partial<Call> = {}): Call => ({
  organizationId: '65f0000000000000000000a1',
  about: 'incident',
  key: '65f000000000000000000042/webhook/65f0000000000000000000e1/rule-1',
  messageId: '65f000000000000000000042-webhook-65f0000000000000000000e1-rule-1',
  webhook: { method: 'POST', headers: {}, secrets: [] },
  content: incidentContentOf(samplePayload(), 'json'),
  ...change,
});
