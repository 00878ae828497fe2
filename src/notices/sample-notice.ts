import type { ShiftStory } from '../shifts/notice.ts';
import type {
  AccountNotice,
  CodeNotice,
  FailingChannelNotice,
  FailingConnectionNotice,
  FailingWebhookNotice,
  IncidentNotice,
  LostContactNotice,
  ShiftNotice,
  UsageNotice,
} from './notice.ts';
import type { Call } from './webhooks/call.ts';
import { type IncidentPayload, incidentContentOf } from './webhooks/incident.ts';

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

/** The same of the start of a shift, sent to the person on call. */
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
    why: 'Your shift notification settings',
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
    why: 'you are an admin of the organization',
    usage: { month: '2026-11', limit: 1000, percent },
  };
}

/** That an outbound webhook fails, as its team's admins receive it. */
export function sampleFailingWebhookNotice(): FailingWebhookNotice {
  return {
    about: 'webhook',
    kind: 'webhook_failing',
    key: 'failing/65f0000000000000000000e1/1795240800000/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'you are an admin of its team',
    webhook: {
      id: '65f0000000000000000000e1',
      name: 'Status page <public>',
      since: Temporal.Instant.from('2026-11-21T08:00:00Z'),
    },
  };
}

/** That a channel connection fails, as admins receive it. */
export function sampleFailingConnectionNotice(): FailingConnectionNotice {
  return {
    about: 'connection',
    kind: 'connection_failing',
    key: 'connection/65f0000000000000000000c1/1795240800000/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'you are an admin of the organization',
    connection: {
      id: '65f0000000000000000000c1',
      name: 'Calls <Berlin>',
      since: Temporal.Instant.from('2026-11-21T08:00:00Z'),
      reason:
        'Twilio: the credentials are not valid: set auth_token to that of the console (20003)',
    },
    url: 'https://pager.example.com/settings/channels/65f0000000000000000000c1',
  };
}

/** That the mail server refuses its user, as admins receive it by another channel. */
export function sampleFailingChannelNotice(): FailingChannelNotice {
  return {
    about: 'channel',
    kind: 'channel_failing',
    key: 'channel/email/1795240800000/push-notification/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'you are an admin of the organization',
    failing: {
      channel: 'email',
      service: '',
      since: Temporal.Instant.from('2026-11-21T08:00:00Z'),
      reason: 'the mail server refused the sign-in with 535: correct the user and the password',
    },
    url: 'https://pager.example.com/settings/channels',
  };
}

/** That an SMS contact is lost, as its person receives it; else as admins do. */
export function sampleLostContactNotice(
  change: Partial<LostContactNotice['lost']> = {},
): LostContactNotice {
  const own = change.person === undefined;
  return {
    about: 'lost_contact',
    kind: 'contact_lost',
    key: 'lost_contact/65f0000000000000000000f1/2026-11-21/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: own ? 'Ada Lovelace' : 'Grace Hopper',
    why: own ? 'it is one of your contacts' : 'you are an admin of their team',
    lost: {
      id: '65f0000000000000000000f1',
      channel: 'sms',
      name: '…5678',
      state: 'opted_out',
      since: Temporal.Instant.from('2026-11-21T08:00:00Z'),
      person: null,
      ...change,
    },
    url: own
      ? 'https://pager.example.com/me'
      : 'https://pager.example.com/users/65f0000000000000000000b1',
  };
}

/** The code that proves an address. */
export function sampleCodeNotice(): CodeNotice {
  return {
    about: 'contact',
    kind: 'contact_code',
    key: 'contact/65f0000000000000000000f1/1795240800000',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'this address was added to your contacts',
    proof: {
      contact_id: '65f0000000000000000000f1',
      code: '042137',
      expires_at: Temporal.Instant.from('2026-11-21T08:15:00Z'),
    },
  };
}

/** What an invited person gets. */
export function sampleAccountNotice(): AccountNotice {
  return {
    about: 'account',
    kind: 'invitation',
    key: 'account/65f0000000000000000000b1/1795240800000',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'an admin added you to Pager',
    account: {
      user_id: '65f0000000000000000000b1',
      href: 'https://pager.example.com/set-password/0123abcd',
      invited_by: 'Grace Hopper',
      expires_at: Temporal.Instant.from('2026-11-28T08:00:00Z'),
    },
  };
}

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
      suppressed_count: 2,
      repeat_count: 0,
      created_at: '2026-11-21T05:49:53.123Z',
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
