import type { Notice } from './notice.ts';

/** A believable notice, for tests and for trying a channel out. */
export function sampleNotice(
  change: Partial<Notice> = {},
  incident: Partial<Notice['incident']> = {},
): Notice {
  return {
    kind: 'page',
    key: '65f000000000000000000042/1/1/ada/email',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    why: 'step 1 of policy Payments',
    links: {
      acknowledge: 'https://pager.example.com/a/k1?do=acknowledge',
      resolve: 'https://pager.example.com/a/k1?do=resolve',
    },
    ...change,
    incident: {
      id: '65f000000000000000000042',
      number: 42,
      title: 'Disk full on <db-1>',
      status: 'triggered',
      priority: 'p1',
      severity: 'sev1',
      service: 'Payments',
      details: '/var is at 98 %\nmount: "/dev/sda1" & co',
      links: [{ href: 'https://grafana.example.com/d/1?x=1&y=2', text: 'Graph' }],
      url: 'https://pager.example.com/incidents/42',
      created_at: Temporal.Instant.from('2026-11-21T05:49:53.123Z'),
      ...incident,
    },
  };
}
