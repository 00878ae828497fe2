import type { Tool } from '../reading/notation.ts';

export const rollbar = {
  slug: 'rollbar',
  name: 'Rollbar',
  description: 'Sends items with a project webhook.',
  problem: 'each item',
  logo: 'rollbar',
  knownAs: ['Rollbar', 'rollbar'],
  forms: [
    {
      when: [
        'event_name | data.item.last_occurrence | data.item.total_occurrences',
        'data.item | data.occurrence | data.deploy | data.message',
      ],
      title: ['data.item.title', 'data.occurrence.body.message.body', 'data.message'],
      key: [['data.item.id'], ['data.item.hash'], ['data.occurrence.item_id']],
      state: [
        {
          at: 'event_name',
          trigger:
            'new_item reactivated_item reopened_item exp_repeat_item item_velocity occurrence',
          resolve: 'resolved_item',
          else: 'nothing',
        },
      ],
      severity: {
        at: ['data.item.level', 'data.item.last_occurrence.level', 'data.occurrence.level'],
        sev1: '50',
        sev2: '40',
        sev3: '30 20 10',
      },
      links: { Item: 'data.url | data.item.url | data.occurrence.url' },
      omit: [
        'data.item.last_occurrence.metadata.access_token',
        'data.occurrence.metadata.access_token',
      ],
    },
  ],
  guide: {
    steps: [
      'In the project, go to Settings > Notifications > Webhook. Enter the URL {url} and press Enable Webhook Integration.',
      'Keep the rules New item, Item reactivated, Item reopened and High occurrence rate, with a filter by level and environment. You do not need Every occurrence.',
      'Keep the rule Item resolved. Without it, incidents are not resolved.',
    ],
  },
} as const satisfies Tool;
