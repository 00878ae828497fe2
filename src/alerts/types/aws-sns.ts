import type { Form, Tool } from '../reading/notation.ts';
import { awsCloudwatch } from './aws-cloudwatch.ts';
import { awsEventbridge } from './aws-eventbridge.ts';

const [alarm] = awsCloudwatch.forms;

const subject = '^Subject > cut /^(?:ALARM|OK|INSUFFICIENT_DATA): / > stem';
const identity = 'dedup_key | alias | fingerprint';

const message = {
  title: ['^Subject', 'title | summary | subject | message', 'Message', 'text'],
  key: [
    [identity],
    ['^TopicArn', subject],
    ['^TopicArn', 'title | summary | name > stem'],
    ['^TopicArn', 'Message > line > stem'],
  ],
  state: [
    { at: 'Event', nothing: 'autoscaling:TEST_NOTIFICATION' },
    { at: 'status' },
    { at: 'state' },
    { at: '^Subject', marks: true },
  ],
  severity: 'severity',
  priority: 'priority',
} as const satisfies Form;

/** A subject that is nothing but a state, as Alertmanager's of a group without labels: the message tells. */
const stateAlone = {
  ...message,
  when: ['^TopicArn', '^Message | ^Type', '^Subject', '!^Subject > stem~.'],
  title: [
    '{^Subject} {Message > take /alertname = (\\S+)/}',
    '{^Subject} {Message > line}',
    ...message.title,
  ],
  key: [
    [identity],
    ['^TopicArn', 'Message > labels'],
    ['^TopicArn', 'title | summary | name > stem'],
    ['^TopicArn', 'Message > line > stem'],
    ['^TopicArn', 'Message > hash'],
  ],
  was: message.key,
} as const satisfies Form;

export const awsSns = {
  slug: 'aws-sns',
  name: 'Amazon SNS',
  description: 'Sends messages that are published to an SNS topic, as JSON or text.',
  problem: 'each alarm, or each subject in a topic',
  knownAs: ['Amazon SNS', 'Incoming Amazon SNS', 'AmazonSns', 'AmazonSNS'],
  envelope: 'sns',
  // Amazon SNS sends again on server errors; of 4xx its documents disagree.
  busy: 503,
  forms: [
    alarm,
    ...awsEventbridge.forms,
    stateAlone,
    // Of what a service or a script publishes, the subject is the problem.
    { when: ['^TopicArn', '^Message | ^Type'], ...message },
    // Raw delivery: the message alone.
    { ...message, title: ['title | summary | subject | message', 'text'] },
  ],
  guide: {
    steps: [
      'In Amazon SNS, go to Topics, open the topic, and press Create subscription. Set protocol HTTPS and endpoint {url}. Pager confirms the subscription.',
      'Publish messages with a subject, which is the title and the key. A subject that begins with OK: or RESOLVED: resolves. You can also publish JSON with title, dedup_key, status and severity.',
    ],
    notes: [
      'If the publisher never sends an end, set auto_resolve on the integration, or resolve_when_quiet if it repeats its message while the problem lasts.',
    ],
    snippets: [
      {
        file: 'publish.sh',
        text: `# The topic has the subscription to {url}
aws sns publish --topic-arn "$TOPIC_ARN" --message '{
  "title": "Disk of db-1 is full", "dedup_key": "db-1/disk", "status": "firing", "severity": "critical"
}'`,
      },
    ],
  },
} as const satisfies Tool;
