import { answerGitHub } from '../handshakes.ts';
import type { StateRule, Tool } from '../reading/notation.ts';

/** Of what runs: what has not ended, was cancelled or skipped is no alarm. */
const concluded = (at: string): readonly StateRule[] => [
  { at: 'action', nothing: 'requested in_progress queued waiting created rerequested' },
  { at, trigger: 'failure timed_out startup_failure', resolve: 'success', else: 'nothing' },
];

const workflow = 'workflow_run.name | workflow.name | workflow_run.path';
const run = {
  key: [
    ['repository.full_name', 'workflow_run.workflow_id', 'workflow_run.head_branch'],
    ['repository.full_name', 'workflow.name | workflow_run.name'],
    ['workflow_run.workflow_id', 'workflow_run.head_branch'],
  ],
  state: concluded('workflow_run.conclusion'),
  links: { Run: 'workflow_run.html_url' },
} as const;

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
  description: 'Failed workflows, checks, deployments and security alerts by a webhook.',
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
      title: ['{check_run.name} failed', 'check_run.output.title'],
      key: [['repository.full_name', 'check_run.name']],
      state: concluded('check_run.conclusion'),
      links: { Check: 'check_run.html_url' },
    },
    {
      when: ['workflow_job'],
      title: ['{workflow_job.name} failed', 'workflow_job.workflow_name'],
      key: [['repository.full_name', 'workflow_job.name']],
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
      key: [['repository.full_name', 'context']],
      state: [{ at: 'state', trigger: 'failure error', resolve: 'success', else: 'nothing' }],
      links: { Details: 'target_url' },
    },
    {
      // Pushes, pings, stars.
      when: ['repository.full_name | zen | @header.x-github-event', 'sender | zen | hook'],
      state: [{ at: 'zen | sender.login | @header.x-github-event', else: 'nothing' }],
    },
  ],
  guide: {
    steps: [
      'The repository or organization, Settings, Webhooks, Add webhook: payload URL {url}, content type application/json.',
      'Let me select individual events: Workflow runs; as you like also Deployment statuses, Dependabot alerts, Code scanning alerts, Secret scanning alerts. Check runs and Workflow jobs would tell of the same failures again.',
      'A failed run triggers, the next that succeeds on the same branch resolves; cancelled and skipped ones do nothing.',
    ],
  },
} as const satisfies Tool;
