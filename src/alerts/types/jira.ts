import type { PriorityRule, Tool } from '../reading/notation.ts';

const ranked = (at: string): PriorityRule => ({ at, p1: 'blocker', p2: 'major', p5: 'trivial' });

export const jira = {
  slug: 'jira',
  name: 'Jira',
  description:
    'Issues by a webhook or an automation rule: created they trigger, done they resolve.',
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
      'Settings (the gear), System, WebHooks, Create a WebHook: URL {url}, status Enabled.',
      'JQL: the issues that are to page, such as project = OPS AND priority = Highest.',
      'Issue: tick created, updated and deleted. An issue triggers when it is created, and resolves when its status is done.',
      'Without the rights of an administrator of Jira: Project settings, Automation: one rule for issues that are created, one for issues that become done. Both have the action Send web request: POST to {url}, Web request body Issue data (Jira format).',
    ],
  },
} as const satisfies Tool;
