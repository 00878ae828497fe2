// The payload of an incident for outbound webhooks. 2.5

import * as Type from 'typebox';
import { type Incident, occasions, statuses } from '../../incidents/incident.ts';
import { countAlerts } from '../../incidents/incident-alerts.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { priority, severity } from '../../resources/condition.ts';
import { count, instant, link, word } from '../../resources/declaration/answer.ts';
import {
  anything,
  choice,
  flag,
  id,
  objectOf,
  optional,
} from '../../resources/declaration/field.ts';
import type { CallContent } from './call.ts';
import { fitsForm, formOf } from './form.ts';

const named = (doc: string) =>
  objectOf({ id: id('Its id, which never changes.'), name: word('Its name.') }, doc);

const responder = objectOf({
  id: id('The person.'),
  first_name: word('Their first name.'),
  last_name: word('Their last name.'),
  email: word('Their e-mail address.'),
});

/** The one source of its shape; what is not known is left out. */
export const incidentPayload = objectOf(
  {
    event_type: choice(occasions, { doc: 'Why the webhook was called.' }),
    test: optional(flag({ doc: 'Present only in a test, where the incident is a sample.' })),
    organization: named('The organization.'),
    team: named('The team that owns the incident.'),
    incident: objectOf({
      id: id('The incident.'),
      number: count('As in INC-42; 0 in a test.'),
      title: word('What is wrong, in at most 200 characters.'),
      status: choice(statuses, { doc: 'Its state.' }),
      priority: optional(priority()),
      severity: optional(severity()),
      service: named('The service that it affects.'),
      integration: optional(
        named('The integration whose settings apply now; absent if a person opened it.'),
      ),
      escalation_policy: named('The escalation policy that decides who is paged.'),
      responders: Type.Array(responder, { description: 'The people it was assigned to by name.' }),
      dedup_key: word('The deduplication key of its alerts.'),
      details: optional(anything('What the monitoring tool sent, as text or as JSON.')),
      links: Type.Array(link, { description: 'Links that came with the alert.' }),
      alerts_firing: count('How many of its alerts are active.'),
      alerts_total: count('How many alerts it has.'),
      suppressed_count: count('How many more alerts arrived while it was open.'),
      repeat_count: count('How many earlier incidents had the same key.'),
      created_at: instant('When it was opened.'),
      acknowledged_at: optional(instant('When it was acknowledged.')),
      resolved_at: optional(instant('When it was resolved.')),
      test: flag({ doc: 'Whether a test event opened it.' }),
      url: word('Its page.'),
    }),
  },
  'An incident, and why the webhook was called.',
);
export type IncidentPayload = Type.Static<typeof incidentPayload>;

type Named = IncidentPayload['team'];

/** An incident with the names that its ids stand for. */
export type IncidentSnapshot = {
  readonly incident: Incident;
  readonly team: Named;
  readonly service: Named;
  /** Null of one that a person opened. */
  readonly integration: Named | null;
  readonly responders: IncidentPayload['incident']['responders'];
};

export type IncidentCall = {
  readonly event_type: IncidentPayload['event_type'];
  readonly organization: Named;
  /** The incident's page. */
  readonly url: string;
};

export function incidentPayloadOf(snapshot: IncidentSnapshot, call: IncidentCall): IncidentPayload {
  const { incident, team, service, integration, responders } = snapshot;
  const { priority, severity, details, acknowledged_at, resolved_at, escalation } = incident;
  const alerts = countAlerts(incident);
  return {
    event_type: call.event_type,
    organization: call.organization,
    team,
    incident: {
      id: incident.id,
      number: incident.number,
      title: incident.title,
      status: incident.status,
      // Written by the same declarations, so they are of their values.
      ...(priority !== null && { priority: priority as 'p1' }),
      ...(severity !== null && { severity: severity as 'sev1' }),
      service,
      ...(integration && { integration }),
      escalation_policy: { id: incident.escalation_policy_id, name: escalation.policyName },
      responders,
      dedup_key: incident.dedup_key,
      ...(details !== null && details !== undefined && { details }),
      links: [...incident.links],
      alerts_firing: alerts.firing,
      alerts_total: alerts.total,
      suppressed_count: incident.suppressed_count,
      repeat_count: incident.repeat_count,
      created_at: timeText(incident.created_at),
      ...(acknowledged_at && { acknowledged_at: timeText(acknowledged_at) }),
      ...(resolved_at && { resolved_at: timeText(resolved_at) }),
      test: incident.is_test,
      url: call.url,
    },
  };
}

export function incidentContentOf(
  payload: IncidentPayload,
  contentType: 'json' | 'url-encoded',
): CallContent {
  if (contentType === 'json') return { type: 'application/json', body: JSON.stringify(payload) };
  const { details } = payload.incident;
  const isLarge = !fitsForm(details, 'incident[details]', sendingLimits.formDetails);
  const incident = { ...payload.incident, ...(isLarge && { details: JSON.stringify(details) }) };
  const body = formOf({ ...payload, incident });
  return { type: 'application/x-www-form-urlencoded', body };
}

type Tested = Pick<IncidentCall, 'organization' | 'url'> & {
  readonly team: Named;
  readonly webhook: string;
  readonly now: Temporal.Instant;
};

const nobodys = '0'.repeat(24);

/** The payload of a webhook's test: an invented incident that is marked as a test. */
export function testPayload({ organization, team, url, webhook, now }: Tested): IncidentPayload {
  return {
    event_type: 'incident_requested',
    test: true,
    organization,
    team,
    incident: {
      id: nobodys,
      number: 0,
      title: `Test of the webhook ${webhook}`,
      status: 'triggered',
      priority: 'p5',
      severity: 'sev3',
      service: { id: nobodys, name: 'Sample service' },
      integration: { id: nobodys, name: 'Sample integration' },
      escalation_policy: { id: nobodys, name: 'Sample policy' },
      responders: [],
      dedup_key: 'test',
      details: { note: 'Nothing is wrong. This is a test of the webhook.' },
      links: [],
      alerts_firing: 1,
      alerts_total: 1,
      suppressed_count: 0,
      repeat_count: 0,
      created_at: timeText(now),
      test: true,
      url,
    },
  };
}

const timeText = (at: Temporal.Instant): string => at.toString({ fractionalSecondDigits: 3 });
