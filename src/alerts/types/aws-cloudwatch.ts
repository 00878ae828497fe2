import type { Tool } from '../reading/notation.ts';

export const awsCloudwatch = {
  slug: 'aws-cloudwatch',
  name: 'Amazon CloudWatch',
  description: 'Sends alarms through an SNS topic or an EventBridge rule.',
  problem: 'each alarm of an account and region',
  knownAs: ['Amazon CloudWatch', 'CloudWatch', 'amazon_sns'],
  envelope: 'sns',
  // Amazon SNS sends again on server errors; of 4xx its documents disagree.
  busy: 503,
  forms: [
    {
      when: ['NewStateValue'],
      title: 'AlarmName',
      key: [['AlarmArn'], ['AWSAccountId', 'Region', 'AlarmName']],
      state: [
        { at: 'NewStateValue', trigger: 'ALARM', resolve: 'OK', nothing: 'INSUFFICIENT_DATA' },
      ],
    },
    {
      when: ['detail-type~^CloudWatch Alarm'],
      title: 'detail.alarmName',
      key: [['resources[0]']],
      state: [{ at: 'detail.state.value', trigger: 'ALARM', resolve: 'OK', else: 'nothing' }],
    },
    { title: ['^Subject', 'Message'], key: [['^TopicArn', '^Subject > stem']] },
  ],
  guide: {
    steps: [
      'In Amazon SNS, go to Topics, open the topic, and press Create subscription. Set protocol HTTPS and endpoint {url}. Pager confirms the subscription.',
      'In CloudWatch, go to Alarms, edit each alarm, and go to Configure actions. Add a notification to the topic with the alarm state trigger In alarm, and another one with OK. Without the second one, incidents are not resolved.',
    ],
  },
} as const satisfies Tool;
