import type { PriorityRule, Tool } from '../reading/notation.ts';

const ranked = (at: string): PriorityRule => ({ at, p1: 'blocker', p2: 'major', p5: 'trivial' });

export const jira = {
  slug: 'jira',
  name: 'Jira',
  description:
    'Sends issues with a webhook or an automation rule. A new issue triggers, and an issue that is done resolves.',
  problem: 'each issue',
  logo: 'jira',
  knownAs: ['Jira', 'JIRA', 'JiraServiceDesk', 'jira'],
  forms: [
    {
      when: ['webhookEvent | issue.fields'],
      title: ['{issue.key}: {issue.fields.summary}', 'issue.fields.summary', 'issue.key'],
      key: [['issue.id'], ['issue.key']],
      state: [
        { at: 'webhookEvent', trigger: 'jira:issue_created', resolve: 'jira:issue_deleted' },
        { at: 'issue.fields.status.statusCategory.key', resolve: 'done' },
        { at: 'changelog.items[field=status].toString', resolve: 'done closed resolved' },
        { at: 'changelog.items[field=resolution].to', resolve: /./ },
        { at: 'webhookEvent', else: 'nothing' },
      ],
      priority: ranked('issue.fields.priority'),
    },
    {
      // An automation rule sends the issue alone.
      when: ['key', 'fields.summary'],
      title: '{key}: {fields.summary}',
      key: [['id'], ['key']],
      state: [{ at: 'fields.status.statusCategory.key', resolve: 'done', else: 'trigger' }],
      priority: ranked('fields.priority'),
    },
  ],
  guide: {
    steps: [
      'Go to Settings (the gear) > System > WebHooks > Create a WebHook. Enter the URL {url} and set the status to Enabled.',
      'In JQL, select the issues that should page, such as project = OPS AND priority = Highest.',
      'Under Issue, select created, updated and deleted. An issue triggers when it is created, and resolves when its status is done.',
    ],
    notes: [
      'If you are not a Jira administrator, go to Project settings > Automation. Create one rule for issues that are created and one for issues that become done. In both, add the action Send web request with POST to {url} and the web request body Issue data (Jira format).',
    ],
  },
} as const satisfies Tool;
