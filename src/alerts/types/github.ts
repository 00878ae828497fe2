import { answerGitHub } from '../handshakes.ts';
import type { StateRule, Tool } from '../reading/notation.ts';

/** Of what runs: what has not ended, was cancelled or skipped is no alarm. */
const concluded = (at: string): readonly StateRule[] => [
  { at: 'action', nothing: 'requested in_progress queued waiting created rerequested' },
  { at, trigger: 'failure timed_out startup_failure', resolve: 'success', else: 'nothing' },
];

const workflow = 'workflow_run.name | workflow.name | workflow_run.path';

/**
 * A branch of another repository may be called main too, and a pull request from there, or one that
 * merges main into another branch, says nothing of main.
 */
const head = '{workflow_run.head_repository.full_name}:{workflow_run.head_branch}';
const ofPullRequest = 'workflow_run.event > take /^pull_request/';
const workflowKeys = [
  ['repository.full_name', 'workflow_run.workflow_id', 'workflow_run.head_branch'],
  ['repository.full_name', 'workflow.name | workflow_run.name'],
  ['workflow_run.workflow_id', 'workflow_run.head_branch'],
] as const;
const run = {
  key: [
    ['repository.full_name', 'workflow_run.workflow_id', head, ofPullRequest],
    ['repository.full_name', 'workflow_run.workflow_id', head],
    ['repository.full_name', 'workflow_run.workflow_id', 'workflow_run.head_branch', ofPullRequest],
    ...workflowKeys,
  ],
  was: workflowKeys,
  state: concluded('workflow_run.conclusion'),
  links: { Run: 'workflow_run.html_url' },
} as const;

const app = 'check_run.app.slug | check_run.app.id';

/** Numbers of findings are counted per kind. */
const finding = {
  state: [
    {
      at: 'action',
      trigger:
        'created reopened reopened_by_user reintroduced auto_reopened appeared_in_branch publicly_leaked',
      resolve: 'fixed resolved dismissed auto_dismissed closed_by_user revoked',
      else: 'nothing',
    },
  ],
  links: { Alert: 'alert.html_url' },
} as const;

export const github = {
  slug: 'github',
  name: 'GitHub',
  description:
    'Sends failed workflows, checks and deployments, and security alerts, with a webhook.',
  problem:
    'each workflow, check or job on each branch of the repository itself, each deployment environment, and each finding',
  logo: 'github',
  knownAs: ['GitHub', 'GitHub Actions', 'github'],
  headers: ['x-github-event'],
  handshake: answerGitHub,
  forms: [
    {
      when: ['workflow_run', 'workflow_run.conclusion=success'],
      title: `{${workflow}} succeeded on {workflow_run.head_branch}`,
      ...run,
    },
    {
      when: ['workflow_run'],
      title: [`{${workflow}} failed on {workflow_run.head_branch}`, workflow],
      ...run,
    },
    {
      when: ['check_run'],
      title: [
        '{check_run.name} failed on {check_run.check_suite.head_branch}',
        '{check_run.name} failed',
        'check_run.output.title',
      ],
      // Of a fork no branch is named: its commit tells it from ours.
      key: [
        ['repository.full_name', 'check_run.name', app, 'check_run.check_suite.head_branch'],
        ['repository.full_name', 'check_run.name', 'check_run.check_suite.head_branch'],
        ['repository.full_name', 'check_run.name', 'check_run.head_sha'],
        ['repository.full_name', 'check_run.name'],
      ],
      was: [['repository.full_name', 'check_run.name']],
      state: concluded('check_run.conclusion'),
      links: { Check: 'check_run.html_url' },
    },
    {
      when: ['check_suite'],
      title: [
        'Check suite of {check_suite.app.name} failed on {check_suite.head_branch}',
        'Check suite failed on {check_suite.head_branch}',
        'Check suite failed',
      ],
      key: [
        ['{repository.full_name} suites', 'check_suite.app.slug', 'check_suite.head_branch'],
        ['{repository.full_name} suites', 'check_suite.head_branch'],
        ['{repository.full_name} suites', 'check_suite.head_sha'],
        ['{repository.full_name} suites'],
      ],
      state: concluded('check_suite.conclusion'),
      note: 'a check suite: its workflow run or check runs report the same, if they are sent too',
    },
    {
      when: ['workflow_job'],
      title: [
        '{workflow_job.workflow_name}: {workflow_job.name} failed on {workflow_job.head_branch}',
        '{workflow_job.name} failed',
        'workflow_job.workflow_name',
      ],
      key: [
        [
          'repository.full_name',
          'workflow_job.workflow_name',
          'workflow_job.name',
          'workflow_job.head_branch',
        ],
        ['repository.full_name', 'workflow_job.name', 'workflow_job.head_branch'],
        ['repository.full_name', 'workflow_job.workflow_name', 'workflow_job.name'],
        ['repository.full_name', 'workflow_job.name'],
      ],
      was: [['repository.full_name', 'workflow_job.name']],
      state: concluded('workflow_job.conclusion'),
      links: { Job: 'workflow_job.html_url' },
    },
    {
      when: ['deployment_status'],
      title: [
        '{repository.full_name}: deployment to {deployment.environment} {deployment_status.state}',
        'Deployment {deployment_status.state}',
      ],
      key: [['repository.full_name', 'deployment.environment | deployment_status.environment']],
      state: [
        {
          at: 'deployment_status.state',
          trigger: 'failure error',
          resolve: 'success',
          else: 'nothing',
        },
      ],
      links: { Log: 'deployment_status.log_url | deployment_status.target_url' },
    },
    {
      when: ['alert.security_advisory | alert.dependency'],
      title: ['alert.security_advisory.summary', 'Dependabot alert in {repository.full_name}'],
      key: [['repository.full_name', 'alert.number']],
      severity: 'alert.security_advisory.severity | alert.security_vulnerability.severity',
      ...finding,
    },
    {
      when: ['alert.secret_type'],
      title: ['Secret in {repository.full_name}: {alert.secret_type_display_name}'],
      key: [['repository.full_name', 'secret {alert.number}']],
      omit: ['alert.secret'],
      ...finding,
    },
    {
      when: ['alert.rule'],
      title: ['alert.rule.description', 'alert.rule.name', 'alert.rule.id'],
      key: [['repository.full_name', 'code {alert.number}']],
      severity: ['alert.rule.security_severity_level', 'alert.rule.severity'],
      ...finding,
    },
    {
      when: ['context', 'sha', 'state'],
      title: ['{repository.full_name}: {context}', 'context'],
      key: [
        ['repository.full_name', 'context', 'branches[0].name'],
        ['repository.full_name', 'context'],
      ],
      was: [['repository.full_name', 'context']],
      state: [{ at: 'state', trigger: 'failure error', resolve: 'success', else: 'nothing' }],
      links: { Details: 'target_url' },
    },
    {
      // Pushes, pings, stars.
      when: ['repository.full_name | zen | @header.x-github-event', 'sender | zen | hook'],
      state: [{ at: 'zen | @header.x-github-event | action | sender.login', else: 'nothing' }],
    },
  ],
  guide: {
    steps: [
      'In the repository or organization, go to Settings > Webhooks > Add webhook. Enter the payload URL {url} and choose the content type application/json.',
      'Choose Let me select individual events, and select Workflow runs. Deployment statuses, Dependabot alerts, Code scanning alerts and Secret scanning alerts are optional. Check runs and Workflow jobs report the same failures again.',
    ],
    notes: [
      'A failed run triggers, and the next successful run on the same branch resolves. Cancelled and skipped runs have no effect.',
    ],
  },
} as const satisfies Tool;
