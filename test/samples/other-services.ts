// Code and its delivery, tickets, and what is made for other alerting services.
import type { JsonObject } from '../../src/alerts/alert.ts';
import { message, messages, type ToolSamples } from './sample.ts';

const argocd = (health: string, sync = 'Synced') => ({
  app: 'shop',
  project: 'default',
  health,
  sync,
  phase: 'Succeeded',
  message: '',
  url: 'https://argocd.example.com/applications/shop',
});

const repository = { full_name: 'acme/shop' };
const run = (conclusion: string | null, action = 'completed', workflow = 'Tests') => ({
  action,
  repository,
  sender: { login: 'ada' },
  workflow_run: {
    id: 1,
    workflow_id: workflow === 'Tests' ? 9 : 10,
    name: workflow,
    event: 'push',
    head_branch: 'main',
    head_repository: repository,
    conclusion,
    html_url: 'https://github.com/acme/shop/actions/runs/1',
  },
});
const dependabot = (action: string) => ({
  action,
  repository,
  alert: {
    number: 7,
    dependency: { package: { name: 'left-pad' } },
    security_advisory: { summary: 'left-pad runs code of others', severity: 'critical' },
    html_url: 'https://github.com/acme/shop/security/dependabot/7',
  },
});

const gitlab = (status: string, id: number, ref = 'main') => ({
  object_kind: 'pipeline',
  object_attributes: { id, status, ref, source: 'push', url: 'https://gitlab.example.com/p/1' },
  project: { name: 'shop', path_with_namespace: 'acme/shop' },
});
const gitlabIncident = (action: string) => ({
  object_kind: 'incident',
  object_attributes: {
    id: 99,
    iid: 4,
    type: 'Incident',
    title: 'Shop does not answer',
    action,
    severity: 'critical',
    url: 'https://gitlab.example.com/acme/shop/-/issues/incident/4',
  },
  project: { path_with_namespace: 'acme/shop' },
});

const jira = (webhookEvent: string, category: string, over: JsonObject = {}) => ({
  webhookEvent,
  issue: {
    id: '10042',
    key: 'OPS-7',
    fields: {
      summary: 'Shop does not answer',
      status: { name: category, statusCategory: { key: category } },
      priority: { name: 'Blocker' },
      ...over,
    },
  },
});

const own = (over: JsonObject) => ({
  title: 'Disk of db-1 is full',
  dedup_key: 'disk:db-1',
  severity: 'critical',
  body: { used: '97 %' },
  ...over,
});

const pagerduty = (event_action: string, over: JsonObject = {}) => ({
  routing_key: 'k',
  event_action,
  dedup_key: 'disk:db-1',
  payload: { summary: 'Disk of db-1 is full', source: 'db-1', severity: 'critical', ...over },
});
const v3 = (event_type: string, urgency = 'high') => ({
  event: {
    id: '01E',
    event_type,
    resource_type: 'incident',
    data: {
      id: 'Q1',
      title: 'Disk of db-1 is full',
      urgency,
      html_url: 'https://acme.pagerduty.com/incidents/Q1',
    },
  },
});
const v2Message = (event: string, id: string) => ({
  event,
  incident: { id, title: `Disk of ${id} is full`, urgency: 'low' },
});

const opsgenie = (action: string, over: JsonObject = {}) => ({
  action,
  integrationName: 'Pager',
  integrationType: 'Webhook',
  alert: {
    alertId: 'al-1',
    tinyId: '12',
    alias: 'disk:db-1',
    message: 'Disk of db-1 is full',
    priority: 'P2',
    ...over,
  },
});
const genie = (priority: string, note = '') => ({
  message: 'Disk of db-1 is full',
  alias: 'disk:db-1',
  priority,
  note,
});

const victorops = (message_type: string, words = '97 % used') => ({
  message_type,
  entity_id: 'disk:db-1',
  entity_display_name: 'Disk of db-1 is full',
  state_message: words,
  monitoring_tool: 'script',
});

const slack = (color: string, title: string, severity: string) => ({
  channel: '#ops',
  attachments: [
    {
      color,
      title,
      title_link: 'https://monitor.example.com/1',
      fields: [{ title: 'Severity', value: severity, short: true }],
    },
  ],
});

export const otherServices: Readonly<Record<string, ToolSamples>> = {
  argocd: {
    source:
      'https://argo-cd.readthedocs.io/en/stable/operator-manual/notifications/services/webhook/',
    sent: [
      message('firing', argocd('Degraded'), ['trigger', 'default | shop', 'shop is Degraded']),
      message('firing again', argocd('Missing'), ['trigger', 'default | shop', 'shop is Missing']),
      message('a failed sync', { ...argocd('Healthy'), phase: 'Failed' }, [
        'trigger',
        'default | shop',
        'Sync of shop failed',
      ]),
      message('resolved', argocd('Healthy'), ['resolve', 'default | shop', 'shop is Healthy']),
      messages('under way', argocd('Progressing'), []),
    ],
  },
  github: {
    source: 'https://docs.github.com/en/webhooks/webhook-events-and-payloads',
    sent: [
      message('firing', run('failure'), [
        'trigger',
        'acme/shop | 9 | acme/shop:main',
        'Tests failed on main',
      ]),
      message('firing again', run('timed_out'), [
        'trigger',
        'acme/shop | 9 | acme/shop:main',
        'Tests failed on main',
      ]),
      message('another workflow', run('failure', 'completed', 'Lint'), [
        'trigger',
        'acme/shop | 10 | acme/shop:main',
        'Lint failed on main',
      ]),
      message('a finding', dependabot('created'), [
        'trigger',
        'acme/shop | 7',
        'left-pad runs code of others',
        'sev1',
      ]),
      message('a finding, resolved', dependabot('fixed'), [
        'resolve',
        'acme/shop | 7',
        'left-pad runs code of others',
        'sev1',
      ]),
      message('resolved', run('success'), [
        'resolve',
        'acme/shop | 9 | acme/shop:main',
        'Tests succeeded on main',
      ]),
      messages('begun', run(null, 'in_progress'), []),
    ],
  },
  gitlab: {
    source: 'https://docs.gitlab.com/user/project/integrations/webhook_events/',
    sent: [
      message('firing', gitlab('failed', 31), [
        'trigger',
        'acme/shop | main',
        'acme/shop pipeline failed on main',
      ]),
      message('firing again', gitlab('failed', 32), [
        'trigger',
        'acme/shop | main',
        'acme/shop pipeline failed on main',
      ]),
      message('on another branch', gitlab('failed', 33, 'next'), [
        'trigger',
        'acme/shop | next',
        'acme/shop pipeline failed on next',
      ]),
      message('an incident', gitlabIncident('open'), [
        'trigger',
        'acme/shop | 4',
        'Shop does not answer',
        'sev1',
      ]),
      message('an incident, resolved', gitlabIncident('close'), [
        'resolve',
        'acme/shop | 4',
        'Shop does not answer',
        'sev1',
      ]),
      message('resolved', gitlab('success', 34), [
        'resolve',
        'acme/shop | main',
        'acme/shop pipeline success on main',
      ]),
      messages('under way', gitlab('running', 35), []),
    ],
  },
  jira: {
    source: 'https://developer.atlassian.com/server/jira/platform/webhooks/',
    sent: [
      message('firing', jira('jira:issue_created', 'new'), [
        'trigger',
        '10042',
        'OPS-7: Shop does not answer',
        'p1',
      ]),
      message('less severe', jira('jira:issue_created', 'new', { priority: { name: 'Major' } }), [
        'trigger',
        '10042',
        'OPS-7: Shop does not answer',
        'p2',
      ]),
      message('resolved', jira('jira:issue_updated', 'done'), [
        'resolve',
        '10042',
        'OPS-7: Shop does not answer',
        'p1',
      ]),
      messages('edited', jira('jira:issue_updated', 'new'), []),
    ],
  },
  webhook: {
    source: 'docs/webhooks, and the guide of the type',
    sent: [
      message('firing', own({}), ['trigger', 'disk:db-1', 'Disk of db-1 is full', 'sev1']),
      message('firing again', own({ body: { used: '99 %' } }), [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message('less severe', own({ severity: 'warning', priority: 'P3' }), [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev3 p3',
      ]),
      messages(
        'several in one body',
        [
          own({ dedup_key: 'disk:db-2', title: 'Disk of db-2 is full' }),
          own({ dedup_key: 'disk:db-3', title: 'Disk of db-3 is full' }),
        ],
        [
          ['trigger', 'disk:db-2', 'Disk of db-2 is full', 'sev1'],
          ['trigger', 'disk:db-3', 'Disk of db-3 is full', 'sev1'],
        ],
      ),
      message('without a key', { title: 'FIRING: web-1 is slow' }, [
        'trigger',
        'web-1 is slow',
        'FIRING: web-1 is slow',
      ]),
      message('acknowledged', own({ status: 'acknowledged' }), [
        'acknowledge',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message('resolved', own({ status: 'resolved' }), [
        'resolve',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev1',
      ]),
    ],
  },
  goalert: {
    source:
      'https://github.com/target/goalert/blob/master/web/src/app/documentation/sections/GenericAPI.md',
    sent: [
      message('firing', { summary: 'Disk of db-1 is full', dedup: 'disk:db-1' }, [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is full',
      ]),
      message('firing again', { summary: 'Disk of db-1 is at 99 %', dedup: 'disk:db-1' }, [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is at 99 %',
      ]),
      message('resolved', { summary: 'Disk of db-1', dedup: 'disk:db-1', action: 'close' }, [
        'resolve',
        'disk:db-1',
        'Disk of db-1',
      ]),
    ],
  },
  'grafana-oncall': {
    source: 'https://grafana.com/docs/oncall/latest/configure/integrations/references/webhook/',
    sent: [
      message(
        'firing',
        {
          alert_uid: 'u-8',
          title: 'Disk of db-1 is full',
          state: 'alerting',
          severity: 'critical',
        },
        ['trigger', 'u-8', 'Disk of db-1 is full', 'sev1'],
      ),
      message(
        'firing again',
        { alert_uid: 'u-8', title: 'Disk of db-1 is full', state: 'alerting', message: '99 %' },
        ['trigger', 'u-8', 'Disk of db-1 is full'],
      ),
      message('resolved', { alert_uid: 'u-8', title: 'Disk of db-1 is full', state: 'ok' }, [
        'resolve',
        'u-8',
        'Disk of db-1 is full',
      ]),
    ],
  },
  'opsgenie-alert-api': {
    source: 'https://docs.opsgenie.com/docs/alert-api',
    sent: [
      message('firing', genie('P1'), ['trigger', 'disk:db-1', 'Disk of db-1 is full', 'sev1 p1'], {
        path: '/v2/alerts',
      }),
      message(
        'less severe',
        genie('P3', 'again'),
        ['trigger', 'disk:db-1', 'Disk of db-1 is full', 'sev3 p3'],
        { path: '/v2/alerts' },
      ),
      message('acknowledged', { user: 'ada' }, ['acknowledge', 'disk:db-1', 'disk:db-1'], {
        path: '/v2/alerts/disk%3Adb-1/acknowledge',
        query: 'identifierType=alias',
      }),
      message('resolved', { source: 'script' }, ['resolve', 'disk:db-1', 'disk:db-1'], {
        path: '/v2/alerts/disk%3Adb-1/close',
        query: 'identifierType=alias',
      }),
      messages('a note', { note: 'seen' }, [], {
        path: '/v2/alerts/disk%3Adb-1/notes',
        query: 'identifierType=alias',
      }),
    ],
  },
  'opsgenie-webhook': {
    source: 'https://support.atlassian.com/opsgenie/docs/integrate-opsgenie-with-webhook/',
    sent: [
      message('firing', opsgenie('Create'), ['trigger', 'disk:db-1', 'Disk of db-1 is full', 'p2']),
      message('more severe', opsgenie('Create', { priority: 'P1' }), [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is full',
        'p1',
      ]),
      message('acknowledged', opsgenie('Acknowledge'), [
        'acknowledge',
        'disk:db-1',
        'Disk of db-1 is full',
        'p2',
      ]),
      message('resolved', opsgenie('Close'), [
        'resolve',
        'disk:db-1',
        'Disk of db-1 is full',
        'p2',
      ]),
      messages('a note', opsgenie('AddNote'), []),
    ],
  },
  'pagerduty-events-v2': {
    source: 'https://developer.pagerduty.com/docs/events-api-v2-overview',
    sent: [
      message('firing', pagerduty('trigger'), [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message('less severe', pagerduty('trigger', { severity: 'warning' }), [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev3',
      ]),
      message('acknowledged', pagerduty('acknowledge'), [
        'acknowledge',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message('resolved', pagerduty('resolve'), [
        'resolve',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev1',
      ]),
    ],
  },
  'pagerduty-webhook-v3': {
    source: 'https://developer.pagerduty.com/docs/webhooks-overview',
    sent: [
      message('firing', v3('incident.triggered'), [
        'trigger',
        'Q1',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message('less severe', v3('incident.reopened', 'low'), [
        'trigger',
        'Q1',
        'Disk of db-1 is full',
        'sev3',
      ]),
      messages(
        'several in one body',
        {
          messages: [v2Message('incident.trigger', 'db-2'), v2Message('incident.resolve', 'db-3')],
        },
        [
          ['trigger', 'db-2', 'Disk of db-2 is full', 'sev3'],
          ['resolve', 'db-3', 'Disk of db-3 is full', 'sev3'],
        ],
      ),
      message('acknowledged', v3('incident.acknowledged'), [
        'acknowledge',
        'Q1',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message('resolved', v3('incident.resolved'), [
        'resolve',
        'Q1',
        'Disk of db-1 is full',
        'sev1',
      ]),
      messages('delegated', v3('incident.delegated'), []),
    ],
  },
  victorops: {
    source: 'https://help.victorops.com/knowledge-base/rest-endpoint-integration-guide/',
    sent: [
      message('firing', victorops('CRITICAL'), [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev1',
      ]),
      message('less severe', victorops('WARNING', '91 % used'), [
        'trigger',
        'disk:db-1',
        'Disk of db-1 is full',
        'sev3',
      ]),
      message('acknowledged', victorops('ACKNOWLEDGEMENT'), [
        'acknowledge',
        'disk:db-1',
        'Disk of db-1 is full',
      ]),
      message('resolved', victorops('RECOVERY', '50 % used'), [
        'resolve',
        'disk:db-1',
        'Disk of db-1 is full',
      ]),
      messages('a note', victorops('INFO'), []),
    ],
  },
  'slack-webhook': {
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
    sent: [
      message('firing', slack('danger', '[FIRING] Disk of db-1', 'critical'), [
        'trigger',
        'Disk of db-1',
        '[FIRING] Disk of db-1',
        'sev1',
      ]),
      message('less severe', slack('warning', '[FIRING] Disk of db-1', 'warning'), [
        'trigger',
        'Disk of db-1',
        '[FIRING] Disk of db-1',
        'sev3',
      ]),
      message('a text', { text: 'ALERT: <https://web-1.example.com|web-1> is slow' }, [
        'trigger',
        'web-1 is slow',
        'ALERT: web-1 is slow',
      ]),
      message('resolved', slack('good', '[RESOLVED] Disk of db-1', 'info'), [
        'resolve',
        'Disk of db-1',
        '[RESOLVED] Disk of db-1',
        'sev3',
      ]),
    ],
  },
};
