import type { Tool } from '../reading/notation.ts';

export const dash0 = {
  slug: 'dash0',
  name: 'Dash0',
  description: 'Sends failed checks with a webhook notification channel.',
  problem: 'each issue of a check rule',
  logo: 'dash0',
  forms: [
    {
      when: ['data.issue.issueIdentifier | data.issue.checkrules | data.issue.dataset'],
      title: ['data.issue.summary', 'data.issue.checkrules[0].name', 'data.issue.description'],
      key: [['data.issue.id'], ['data.issue.issueIdentifier']],
      state: [
        { at: 'type', resolve: /resolved/i, nothing: /test/i },
        { at: 'data.issue.status', trigger: 'critical degraded failed', resolve: 'resolved' },
      ],
      severity: { at: 'data.issue.status', sev1: 'critical failed', sev3: 'degraded' },
      priority: 'data.issue.labels[key=priority].value.stringValue',
      links: {
        Check: 'data.issue.url',
        Rule: 'data.issue.checkrules',
        Runbook: 'data.issue.checkrules[0].annotations.runbook_url',
      },
    },
    { when: ['type=test'], state: [{ at: 'type', else: 'nothing' }] },
  ],
  guide: {
    steps: [
      'Go to Settings > Notification Channels > Create. Choose Webhook, enter the URL {url}, and send a test message.',
      'Assign the channel to the check rules and synthetic checks that should page, or set conditions on their labels in the channel. Resolved checks are sent automatically.',
    ],
  },
} as const satisfies Tool;
