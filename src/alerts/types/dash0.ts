import type { Tool } from '../reading/notation.ts';

export const dash0 = {
  slug: 'dash0',
  name: 'Dash0',
  description: 'Failed checks through a webhook notification channel.',
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
      'Settings, Notification Channels, Create: Webhook, URL {url}. Send a test message.',
      'Assign the channel to the check rules and synthetic checks that are to page, or give the channel conditions on their labels. Resolved checks are sent automatically.',
    ],
  },
} as const satisfies Tool;
