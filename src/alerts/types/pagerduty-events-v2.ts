import type { About, Reading } from '../alert.ts';
import { asText, canonical } from '../body/json.ts';
import { shortHash } from '../hash.ts';
import { compileForm } from '../reading/form.ts';
import { unmeasured } from '../reading/measured.ts';
import type { CodedForm, Form, Tool } from '../reading/notation.ts';
import type { Scope } from '../reading/path.ts';
import { isObject, keyOf } from '../text.ts';

const actions = '(?i)^(?:trigger|acknowledge|resolve)$';

const eventKeys = [['dedup_key'], ['incident_key']];

const event = {
  title: ['payload.summary', 'summary', 'description', 'payload.source'],
  // Where a template left its key unfilled, what it says tells problems apart.
  key: [['dedup_key'], ['incident_key'], ['payload > lasting']],
  isTemplate: true,
  was: eventKeys,
  state: [
    {
      at: ['event_action', 'event_type'],
      trigger: 'trigger',
      acknowledge: 'acknowledge',
      resolve: 'resolve',
    },
  ],
  severity: 'payload.severity',
  links: {
    Client: 'client_url',
    Link: 'links',
    Context: 'contexts',
    Image: 'images',
  },
  omit: ['routing_key', 'service_key'],
} satisfies Form;

/** Version 2 and version 1. Netdata has another key for each transition of an alarm. */
const events: readonly (Form | CodedForm)[] = [
  {
    ...event,
    when: ['event_action', 'payload.custom_details.alarm_id'],
    key: [
      ['payload.source', 'payload.custom_details.chart', 'payload.custom_details.name'],
      ...event.key,
    ],
    was: [
      ['payload.source', 'payload.custom_details.chart', 'payload.custom_details.name'],
      ...eventKeys,
    ],
  },
  // A key that is blank or the leftover of a template would be one for all.
  { when: ['event_action', '!dedup_key~.'], omit: event.omit, read: readUnkeyed },
  { ...event, when: ['event_action', 'dedup_key'] },
  {
    when: ['service_key', 'event_type', '!incident_key~.'],
    omit: event.omit,
    read: readUnkeyed,
  },
  { ...event, when: ['service_key', 'event_type', 'incident_key'] },
];

const keyed = compileForm(event);

/** What a key is made of where none is sent, so that the same again is the same. */
const identity = ['summary', 'source', 'component', 'class', 'group'];

/** Without a key: of a trigger its contents are one, and so they are of its end. */
function readUnkeyed(scope: Scope, about: About): Reading {
  const item = isObject(scope.item) ? scope.item : {};
  const payload = isObject(item['payload']) ? item['payload'] : item;
  const parts = identity.map((name) => asText(payload[name]) ?? '');
  const summary = parts[0] || (asText(item['description']) ?? '');
  const isNamed = [summary, ...parts].some((part) => part !== '');
  const action = asText(item['event_action'] ?? item['event_type'])?.toLowerCase() ?? '';
  const raw = asText(item['dedup_key']) ?? asText(item['incident_key']);
  if (!isNamed && action !== 'trigger' && raw === undefined)
    return { unreadable: `dedup_key: is required to ${action}` };
  const keyWith = (named: string): string =>
    shortHash(canonical(isNamed ? [named, ...parts.slice(1)] : item));
  // What is measured is another in each message of one problem.
  const [dedup_key, former_key] = [keyWith(unmeasured(summary)), keyWith(summary)];
  const reading = keyed.read({ ...scope, item: { ...item, dedup_key } }, about);
  if ('unreadable' in reading) return reading;
  const isRawKnown = raw !== undefined && (action === 'trigger' || !isNamed);
  const keys = {
    ...(former_key !== dedup_key && { former_key }),
    ...(isRawKnown && { raw_key: keyOf(raw) }),
  };
  return { ...reading, alerts: reading.alerts.map((alert) => ({ ...alert, ...keys })) };
}

const refuse = (): Reading => ({
  unreadable: 'event_action: must be trigger, acknowledge or resolve',
});

const pagerdutyForms: readonly (Form | CodedForm)[] = [
  {
    when: ['@path~/v2/change/enqueue$'],
    isOfAddress: true,
    omit: event.omit,
    read: () => ({ alerts: [], note: 'a change' }),
  },
  { when: ['event_action', `!event_action~${actions}`], omit: event.omit, read: refuse },
  {
    when: ['service_key', 'event_type', `!event_type~${actions}`],
    omit: event.omit,
    read: refuse,
  },
  ...events,
  {
    when: ['@path~(?:/v2/enqueue|/create_event.json)$'],
    omit: event.omit,
    read: refuse,
  },
];

export const pagerdutyEvents = {
  slug: 'pagerduty-events-v2',
  name: 'PagerDuty Events v2',
  description:
    'Accepts events from tools that are configured for the PagerDuty Events API, version 2 or 1.',
  problem:
    'each dedup_key, or each summary, source, component, class and group if there is no dedup_key',
  logo: 'pagerduty',
  knownAs: [
    'PagerDuty',
    'events_api_v2_inbound_integration',
    'generic_events_api_inbound_integration',
  ],
  guide: {
    steps: [
      'In the tool, replace events.pagerduty.com with the host of {url}. Keep the rest of the address.',
      'Set the integration key (routing key) to {token}, the token of this integration. If a tool accepts only 32 characters, use the first 32. Or adopt the tool’s current key and do not change it.',
    ],
    notes: [
      'Alertmanager sends one event for each group, so each group is one incident. It sends the severity error unless the receiver sets severity. The receiver above uses the label of the alerts, or critical if they differ.',
    ],
    snippets: [
      {
        file: 'alertmanager.yml',
        text: `receivers:
  - name: pager
    pagerduty_configs:
      - url: {origin}/v2/enqueue
        routing_key: {token}
        severity: '{{ or .CommonLabels.severity "critical" }}'`,
      },
    ],
  },
  forms: pagerdutyForms,
} satisfies Tool;
