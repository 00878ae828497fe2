import type { ShiftStory } from '../shifts/notice.ts';
import type { IncidentNotice, ShiftNotice, UsageNotice } from './notice.ts';

/** A believable notice, for tests and for trying a channel out. */
export function sampleNotice(
  change: Partial<IncidentNotice> = {},
  incident: Partial<IncidentNotice['incident']> = {},
): IncidentNotice {
  return {
    about: 'incident',
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

/** The same of the start of a shift, told to whose shift it is. */
export function sampleShiftNotice(
  change: Partial<ShiftNotice> = {},
  story: Partial<ShiftStory> = {},
): ShiftNotice {
  return {
    about: 'shift',
    kind: 'shift_start',
    key: 'shift/65f0000000000000000000a1/start/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    isPersonal: true,
    why: 'Your settings for shift notifications',
    url: 'https://pager.example.com/on-calls/65f0000000000000000000c1',
    ...change,
    story: {
      schedule: {
        id: '65f0000000000000000000c1',
        name: 'Payments <primary>',
        timezone: 'Europe/Berlin',
      },
      user: {
        id: '65f0000000000000000000b1',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.com',
      },
      shift: {
        id: '65f0000000000000000000a1',
        start: Temporal.Instant.from('2026-11-21T08:00:00Z'),
        end: Temporal.Instant.from('2026-11-28T08:00:00Z'),
      },
      taken_off: false,
      other: 'Lin Yutang',
      changes: [],
      ...story,
    },
  };
}

/** The same of a limit that is nearly reached. */
export function sampleUsageNotice(percent = 80): UsageNotice {
  return {
    about: 'usage',
    kind: 'alert_usage',
    key: `usage/2026-11/1000/${percent}/email/65f0000000000000000000d1`,
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    why: 'you are an admin of the organisation',
    usage: { month: '2026-11', limit: 1000, percent },
  };
}
