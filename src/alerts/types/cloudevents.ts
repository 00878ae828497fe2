import { answerCloudEvents } from '../handshakes.ts';
import type { StateRule, Tool } from '../reading/notation.ts';

const stateOfType = (at: string): StateRule => ({
  at,
  resolve: /(?:^|[._-])(?:resolved?|recovered|cleared|closed|ok|healthy|passed|succeeded|up)$/i,
  acknowledge: /(?:^|[._-])ack(?:nowledged?)?$/i,
  trigger: /(?:^|[._-])(?:firing|fired|triggered|alerting|opened|failed|down|critical)$/i,
});
const withoutState =
  'cut /[._-](?:firing|fired|triggered|alerting|opened|failed|down|critical|resolved?|recovered|cleared|closed|ok|healthy|passed|succeeded|up|ack|acknowledged)$/i';

/** Names of a problem in what an event carries. */
const identity = 'dedup_key | fingerprint | alert_id | alertname';

export const cloudevents = {
  slug: 'cloudevents',
  name: 'CloudEvents',
  description: 'Sends CNCF CloudEvents in structured, binary or batched mode.',
  problem: 'each type of event for each subject of a source',
  knownAs: ['CloudEvents', 'cloudevents'],
  headers: ['ce-specversion', 'ce-type', 'ce-source', 'ce-subject', 'ce-severity'],
  handshake: answerCloudEvents,
  forms: [
    {
      when: ['specversion | datacontenttype', 'type | source'],
      title: [
        'data.summary | data.title | data.message | data.name | data.description',
        '{type}: {subject}',
        'type',
      ],
      key: [
        ['source', 'subject', 'data.dedup_key | data.fingerprint | data.alert_id | data.alertname'],
        ['source', 'subject', `type > ${withoutState}`],
        ['source', 'subject'],
        ['source', 'data.dedup_key | data.fingerprint | data.alert_id | data.alertname'],
        ['source', `type > ${withoutState}`],
        ['subject'],
      ],
      was: [
        ['source', 'subject'],
        ['source', 'data.dedup_key | data.fingerprint | data.alert_id | data.alertname'],
        ['source', `type > ${withoutState}`],
        ['subject'],
      ],
      state: [stateOfType('type'), { at: 'data.status' }, { at: 'data.state' }],
      severity: ['data.severity', 'severity', 'data.level'],
      links: { Event: 'data.url | data.link' },
    },
    {
      when: ['@header.ce-type', '@header.ce-source'],
      title: [
        'summary | title | message | name | description',
        '{@header.ce-type}: {@header.ce-subject}',
        '@header.ce-type',
      ],
      key: [
        ['@header.ce-source', '@header.ce-subject', identity],
        ['@header.ce-source', '@header.ce-subject', `@header.ce-type > ${withoutState}`],
        ['@header.ce-source', '@header.ce-subject'],
        ['@header.ce-source', identity],
        ['@header.ce-source', `@header.ce-type > ${withoutState}`],
      ],
      was: [
        ['@header.ce-source', '@header.ce-subject'],
        ['@header.ce-source', identity],
        ['@header.ce-source', `@header.ce-type > ${withoutState}`],
      ],
      state: [stateOfType('@header.ce-type'), { at: 'status' }, { at: 'state' }],
      severity: ['severity', '@header.ce-severity', 'level'],
      links: { Event: 'url | link' },
    },
  ],
  guide: {
    steps: [
      'Configure the source, or a Knative trigger, to send to {url} in structured or binary mode.',
    ],
    notes: [
      'source and subject together identify the problem. The event that ends it must have the same values, and a type that ends in .resolved or data with "status": "resolved".',
      'The title is summary, title or message in the data. The severity is severity in the data.',
    ],
    snippets: [
      {
        file: 'alert.sh',
        text: `curl -X POST '{url}' -H 'content-type: application/cloudevents+json' -d '{
  "specversion": "1.0", "id": "1", "source": "/db-1", "subject": "disk",
  "type": "org.example.alert.firing", "data": { "summary": "Disk of db-1 is full", "severity": "critical" }
}'`,
      },
    ],
  },
} as const satisfies Tool;
