import type { Tool } from '../reading/notation.ts';
import { awsCloudwatch } from './aws-cloudwatch.ts';

const [, alarm] = awsCloudwatch.forms;

/** Of numbers from 1 to 10, in GuardDuty and elsewhere. */
const severity = {
  at: ['detail.severity', 'detail.Severity'],
  sev1: /^(?:[789]|10)(?:\.|$)|critical/i,
  sev2: /^[456](?:\.|$)/,
  sev3: /^[123](?:\.|$)|untriaged/i,
} as const;

const pullRequest = 'detail.additional-information.source-version > take /^pr\\/\\d+/';

export const awsEventbridge = {
  slug: 'aws-eventbridge',
  name: 'Amazon EventBridge',
  description: 'Sends events of AWS services through an API destination or an SNS topic.',
  problem:
    'each alarm, health event, finding or resource, and for other events, each subject of their detail',
  knownAs: ['Amazon EventBridge', 'AmazonEventBridge', 'Amazon CloudWatch Events'],
  envelope: 'sns',
  // Amazon SNS sends again on server errors; of 4xx its documents disagree.
  busy: 503,
  forms: [
    alarm,
    {
      when: ['detail-type~^AWS Health', 'detail'],
      title: [
        '{detail.service} in {detail.eventRegion | region}: {detail.eventTypeCode}',
        'detail.eventTypeCode',
        'detail-type',
      ],
      key: [['detail.eventArn'], ['account', 'detail.eventTypeCode']],
      state: [
        { at: 'detail.eventTypeCategory', nothing: 'scheduledChange' },
        { at: 'detail.statusCode', trigger: 'open', resolve: 'closed', nothing: 'upcoming' },
      ],
    },
    {
      when: ['detail-type~^Security Hub Findings', 'detail.findings'],
      each: 'detail.findings',
      title: ['Title', 'Description'],
      key: [['Id']],
      state: [
        { at: 'RecordState', resolve: 'archived' },
        { at: 'Workflow.Status', resolve: 'resolved suppressed' },
        { at: 'Compliance.Status', resolve: 'passed' },
        { at: 'Id', else: 'trigger' },
      ],
      severity: 'Severity.Label',
      links: { Finding: 'SourceUrl', Remediation: 'Remediation.Recommendation.Url' },
    },
    {
      when: ['detail-type', 'source'],
      title: [
        'detail.title | detail.summary | detail.description',
        '{detail-type}: {detail.pipeline | detail.project-name | detail.instance-id | detail.name}',
        '{detail-type}: {resources[0]}',
        'detail-type',
      ],
      // CodeBuild names each build by itself; the next build of its project tells whether it is over.
      key: [
        ['source', 'detail-type', 'detail.arn | detail.findingArn'],
        ['source', 'detail-type', 'detail.project-name', pullRequest],
        ['source', 'detail-type', 'detail.project-name'],
        ['source', 'detail-type', 'resources[0]'],
        ['source', 'detail-type', 'detail.id | detail.pipeline | detail.project-name'],
        ['source', 'detail-type', 'detail > lasting'],
        ['source', 'detail-type'],
      ],
      was: [
        ['source', 'detail-type', 'detail.arn | detail.findingArn'],
        ['source', 'detail-type', 'resources[0]'],
        ['source', 'detail-type', 'detail.id | detail.pipeline | detail.project-name'],
        ['source', 'detail-type'],
      ],
      state: [
        {
          at: 'detail.state | detail.status | detail.build-status | detail.Status',
          trigger: 'failed fault stopped timed_out aborted error impaired active',
          resolve: 'succeeded completed available running closed',
          nothing: 'started in_progress pending queued provisioning stopping shutting-down',
        },
      ],
      severity,
    },
  ],
  guide: {
    steps: [
      'In Amazon EventBridge, go to API destinations > Create API destination. Set endpoint {url} and method POST. Create a connection of type API key, with any value.',
      'Go to Rules > Create rule. Enter the pattern of the events that should page, such as the one below, and the target EventBridge API destination. You can also use an SNS topic with an HTTPS subscription to {url}.',
    ],
    notes: [
      'The pattern must also match the end, such as a state of SUCCEEDED or a status of closed. If there is no such event, set auto_resolve on the integration.',
    ],
    snippets: [
      {
        file: 'pattern.json',
        text: `{
  "source": ["aws.codepipeline"],
  "detail-type": ["CodePipeline Pipeline Execution State Change"],
  "detail": { "state": ["FAILED", "SUCCEEDED"] }
}`,
      },
    ],
  },
} as const satisfies Tool;
