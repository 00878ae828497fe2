// What watches applications: their errors, logs and speed.
import type { JsonObject } from '../../src/alerts/alert.ts';
import { message, messages, type ToolSamples } from './sample.ts';

const appdynamics = (event_type: string, key: string, severity = 'ERROR') => ({
  event_type,
  incident_key: 'app-12/hr-3',
  description: 'Checkout is slow',
  details: {
    event_type_key: key,
    severity,
    application_name: 'Shop',
    health_rule: 'Response time',
    deep_link: 'https://acme.saas.appdynamics.com/#/event=1',
  },
});

const appsignalError = (number: number, words: string) => ({
  exception: {
    number,
    exception: 'TimeoutError',
    message: words,
    site: 'Shop',
    environment: 'production',
    action: 'OrdersController#create',
    url: 'https://appsignal.com/acme/sites/1/exceptions/4',
  },
});
const appsignal = (state: string) => ({
  alert_id: 'al-9',
  alert_url: 'https://appsignal.com/alerts/9',
  site: 'Shop',
  environment: 'production',
  metric_name: 'error_rate',
  trigger_label: 'Error rate above 5 %',
  state,
});

const axiom = (action: string, title: string, value: number) => ({
  action,
  event: {
    monitorID: 'mon-4',
    title,
    value,
    queryStartTime: '2026-11-21T02:55:00Z',
    queryEndTime: '2026-11-21T03:00:00Z',
  },
});

const bugsnag = (type: string, over: JsonObject = {}) => ({
  account: { id: 'a1', name: 'Acme' },
  project: { id: 'p1', name: 'Shop', url: 'https://app.bugsnag.com/acme/shop' },
  trigger: { type, message: 'New error' },
  error: {
    errorId: '5c1f',
    exceptionClass: 'TimeoutError',
    message: 'The database does not answer',
    severity: 'error',
    status: 'open',
    url: 'https://app.bugsnag.com/acme/shop/errors/5c1f',
    ...over,
  },
});

const coralogix = (alert_action: string, severity: string, text: string) => ({
  alert_id: '1f2e',
  alert_action,
  alert_url: 'https://acme.coralogix.com/alerts/1f2e',
  name: 'Too many errors',
  fields: [
    { key: 'severity', value: severity },
    { key: 'text', value: text },
  ],
});

const dash0 = (type: string, status: string) => ({
  type,
  data: {
    issue: {
      id: 'iss-6',
      issueIdentifier: '6',
      summary: 'Checkout is slow',
      status,
      dataset: 'default',
      url: 'https://app.dash0.com/issues/6',
    },
  },
});

const datadog = (ALERT_TRANSITION: string, over: JsonObject = {}) => ({
  ALERT_ID: '31415',
  AGGREG_KEY: 'g1',
  ALERT_TITLE: 'Disk of db-1 is full',
  ALERT_PRIORITY: 'P1',
  ALERT_SCOPE: 'host:db-1',
  ALERT_TRANSITION,
  HOSTNAME: 'db-1',
  LINK: 'https://app.datadoghq.com/event/event?id=1',
  ...over,
});

const dynatrace = (State: string, ProblemSeverity = 'AVAILABILITY') => ({
  PID: '-77_1795230000000V2',
  ProblemID: 'P-26',
  ProblemTitle: 'Shop does not answer',
  ProblemSeverity,
  State,
  ImpactedEntities: [{ type: 'SERVICE', name: 'Shop', entity: 'SERVICE-1' }],
  ProblemURL: 'https://acme.live.dynatrace.com/#problems/1',
});

const elastalert = (status: string, num_hits: number) => ({
  rule_name: 'Too many errors',
  source: 'ElastAlert',
  subject: 'web-1',
  severity: 'critical',
  num_hits,
  status,
  kibana_discover_url: 'https://kibana.example.com/app/discover',
});

const kibana = (actionGroup: string, reason: string, rule = 'r-77', id = 'web-1') => ({
  rule: { id: rule, name: 'Too many errors', url: `https://kibana.example.com/rule/${rule}` },
  alert: { id, uuid: 'u1', actionGroup, actionGroupName: actionGroup },
  severity: 'critical',
  reason,
  date: '2026-11-21T03:00:00Z',
});

const graylog = (key: string, priority: number) => ({
  event_definition_id: 'def-3',
  event_definition_title: 'Too many errors',
  event_definition_type: 'aggregation-v1',
  event: { id: 'e1', key, priority, message: `Too many errors: ${key}`, alert: true },
  backlog: [],
});
const graylogStream = (triggered: boolean) => ({
  check_result: {
    result_description: 'Stream had 40 messages',
    triggered_condition: { id: 'cond-1', title: 'Many messages' },
    triggered,
  },
  stream: { id: 'st-1', title: 'Errors of Shop' },
});

const honeybadger = (event: string, resolved: boolean) => ({
  event,
  message: '[Shop] TimeoutError',
  project: { id: 3, name: 'Shop' },
  fault: {
    id: 9001,
    klass: 'TimeoutError',
    message: 'The database does not answer',
    environment: 'production',
    resolved,
    url: 'https://app.honeybadger.io/projects/3/faults/9001',
  },
});
const honeybadgerSite = (event: string, state: string) => ({
  event,
  message: `[Shop] shop.example.com is ${state}`,
  project: { id: 3, name: 'Shop' },
  site: {
    id: 'b2c4',
    name: 'shop.example.com',
    state,
    details_url: 'https://app.honeybadger.io/s',
  },
});

const newrelic = (state: string, priority: string, title = 'Errors of Shop are above 5 %') => ({
  id: 'iss-0a1b',
  issueUrl: 'https://radar-api.service.newrelic.com/accounts/1/issues/0a1b',
  title,
  priority,
  state,
  alertConditionNames: ['Error rate'],
  alertPolicyNames: ['Shop'],
  workflowName: 'Pager',
});

const opensearch = (state: string, severity = '1') => ({
  monitor: { id: 'mon-2', name: 'Errors' },
  trigger: { id: 'tr-5', name: 'Too many', severity },
  state,
  periodStart: '2026-11-21T02:55:00Z',
});
const buckets = (...listed: readonly (readonly [state: string, bucket: string])[]) => ({
  monitor: { id: 'mon-3', name: 'Errors by host' },
  trigger: { id: 'tr-6', name: 'Too many', severity: '2' },
  alerts: listed.map(([state, bucket]) => ({ state, bucket })),
});

const rollbar = (event_name: string, total_occurrences: number) => ({
  event_name,
  data: {
    item: {
      id: 272,
      title: 'TimeoutError: the database does not answer',
      level: 40,
      environment: 'production',
      total_occurrences,
    },
    url: 'https://rollbar.com/acme/shop/items/272',
  },
});

const sentry = (action: string, status: string, level = 'error') => ({
  action,
  installation: { uuid: 'u-1' },
  data: {
    issue: {
      id: '5512',
      shortId: 'SHOP-9',
      title: 'TimeoutError: the database does not answer',
      culprit: 'orders.create',
      level,
      status,
      web_url: 'https://acme.sentry.io/issues/5512/',
    },
  },
});
const sentryMetric = (action: string) => ({
  action,
  data: {
    metric_alert: { id: '61', identifier: '8', alert_rule: { name: 'Error rate of Shop' } },
    web_url: 'https://acme.sentry.io/alerts/8/',
    description_text: '120 events in the last 5 minutes',
  },
});

const splunk = (sid: string, app = 'security', search_name = 'Failed logins') => ({
  sid,
  search_name,
  app,
  owner: 'ada',
  results_link: `https://splunk.example.com/app/${app}/@go?sid=${sid}`,
  result: { host: 'db-1', count: '120', severity: 'high' },
});

const observability = (status: string, words: string, severity = 'Critical') => ({
  incidentId: 'GX1',
  detectorId: 'D1',
  detector: 'Errors',
  detectorUrl: 'https://app.signalfx.com/#/detector/D1',
  rule: 'Too many',
  severity,
  status: status === 'anomalous' ? 'anomalous' : 'ok',
  statusExtended: status,
  messageTitle: words,
});

const wazuh = (level: number, agent: string, rule = '5712') => ({
  timestamp: '2026-11-21T03:00:00.000+0000',
  rule: { id: rule, level, description: 'Many failed logins', groups: ['sshd'] },
  agent: { id: agent === 'db-1' ? '003' : '004', name: agent },
  manager: { name: 'wazuh' },
});

export const applications: Readonly<Record<string, ToolSamples>> = {
  appdynamics: {
    source:
      'https://docs.appdynamics.com/appd/24.x/latest/en/appdynamics-essentials/alert-and-respond/actions/http-request-actions-and-templates',
    sent: [
      message('firing', appdynamics('trigger', 'POLICY_OPEN_CRITICAL'), [
        'trigger',
        'app-12/hr-3',
        'Checkout is slow',
        'sev1',
      ]),
      message('less severe', appdynamics('trigger', 'POLICY_DOWNGRADED', 'WARN'), [
        'trigger',
        'app-12/hr-3',
        'Checkout is slow',
        'sev3',
      ]),
      message('resolved', appdynamics('resolve', 'POLICY_CLOSE_CRITICAL', 'INFO'), [
        'resolve',
        'app-12/hr-3',
        'Checkout is slow',
        'sev3',
      ]),
    ],
  },
  appsignal: {
    source: 'https://docs.appsignal.com/application/integrations/webhooks.html',
    sent: [
      message('firing', appsignal('open'), ['trigger', 'al-9', 'Error rate above 5 % of Shop']),
      message('firing again', { ...appsignal('open'), last_value: 7 }, [
        'trigger',
        'al-9',
        'Error rate above 5 % of Shop',
      ]),
      message('resolved', appsignal('closed'), ['resolve', 'al-9', 'Error rate above 5 % of Shop']),
      message('an error', appsignalError(4, 'No answer'), [
        'trigger',
        'Shop | production | 4',
        'TimeoutError: No answer',
      ]),
      messages('too early to say', appsignal('warmup'), []),
    ],
  },
  axiom: {
    source: 'https://axiom.co/docs/monitor-data/custom-webhook-notifier',
    sent: [
      message('firing', axiom('Open', 'Triggered: Errors of Shop', 40), [
        'trigger',
        'mon-4',
        'Errors of Shop',
      ]),
      message('firing again', axiom('Open', 'Triggered: Errors of Shop', 55), [
        'trigger',
        'mon-4',
        'Errors of Shop',
      ]),
      message('resolved', axiom('Closed', 'Resolved: Errors of Shop', 0), [
        'resolve',
        'mon-4',
        'Errors of Shop',
      ]),
    ],
  },
  bugsnag: {
    source: 'https://docs.bugsnag.com/product/integrations/data-forwarding/webhook/',
    sent: [
      message('firing', bugsnag('firstException'), [
        'trigger',
        '5c1f',
        'TimeoutError: The database does not answer',
        'sev2',
      ]),
      message('less severe', bugsnag('powerTen', { severity: 'warning' }), [
        'trigger',
        '5c1f',
        'TimeoutError: The database does not answer',
        'sev3',
      ]),
      message('resolved', bugsnag('errorStateManualChange', { status: 'fixed' }), [
        'resolve',
        '5c1f',
        'TimeoutError: The database does not answer',
        'sev2',
      ]),
      messages('a comment', bugsnag('comment'), []),
    ],
  },
  coralogix: {
    source:
      'https://coralogix.com/docs/user-guides/alerting/outbound-webhooks/generic-outbound-webhooks-alert-webhooks/',
    sent: [
      message('firing', coralogix('trigger', 'Critical', '40 errors'), [
        'trigger',
        '1f2e',
        'Too many errors',
        'sev1',
      ]),
      message('less severe', coralogix('trigger', 'Warning', '12 errors'), [
        'trigger',
        '1f2e',
        'Too many errors',
        'sev3',
      ]),
      message(
        'another alert',
        {
          ...coralogix('trigger', 'Critical', 'no logs'),
          alert_id: '1f2f',
          alert_url: 'https://acme.coralogix.com/alerts/1f2f',
          name: 'No logs of Wiki',
        },
        ['trigger', '1f2f', 'No logs of Wiki', 'sev1'],
      ),
      message('resolved', coralogix('resolve', 'Info', 'no errors'), [
        'resolve',
        '1f2e',
        'Too many errors',
        'sev3',
      ]),
    ],
  },
  dash0: {
    source: 'https://www.dash0.com/documentation/dash0/alerting/notification-channels',
    sent: [
      message('firing', dash0('alert.ongoing', 'critical'), [
        'trigger',
        'iss-6',
        'Checkout is slow',
        'sev1',
      ]),
      message('less severe', dash0('alert.ongoing', 'degraded'), [
        'trigger',
        'iss-6',
        'Checkout is slow',
        'sev3',
      ]),
      message('resolved', dash0('alert.resolved', 'resolved'), [
        'resolve',
        'iss-6',
        'Checkout is slow',
      ]),
      messages('a test', { type: 'test' }, []),
    ],
  },
  datadog: {
    source: 'https://docs.datadoghq.com/integrations/webhooks/#variables',
    sent: [
      message('firing', datadog('Triggered'), [
        'trigger',
        '31415 | g1',
        'Disk of db-1 is full',
        'sev1 p1',
      ]),
      message('firing again', datadog('Re-Triggered'), [
        'trigger',
        '31415 | g1',
        'Disk of db-1 is full',
        'sev1 p1',
      ]),
      message('less severe', datadog('Warn', { ALERT_PRIORITY: 'P3' }), [
        'trigger',
        '31415 | g1',
        'Disk of db-1 is full',
        'sev3 p3',
      ]),
      message(
        'another group',
        datadog('Triggered', {
          AGGREG_KEY: 'g2',
          ALERT_TITLE: 'Disk of db-2 is full',
          ALERT_SCOPE: 'host:db-2',
          HOSTNAME: 'db-2',
        }),
        ['trigger', '31415 | g2', 'Disk of db-2 is full', 'sev1 p1'],
      ),
      message('resolved', datadog('Recovered'), [
        'resolve',
        '31415 | g1',
        'Disk of db-1 is full',
        'sev1 p1',
      ]),
    ],
  },
  dynatrace: {
    source:
      'https://docs.dynatrace.com/docs/analyze-explore-automate/notifications-and-alerting/problem-notifications/webhook-integration',
    sent: [
      message('firing', dynatrace('OPEN'), [
        'trigger',
        '-77_1795230000000V2',
        'Shop does not answer',
        'sev1',
      ]),
      message('firing again', dynatrace('MERGED', 'ERROR'), [
        'trigger',
        '-77_1795230000000V2',
        'Shop does not answer',
        'sev2',
      ]),
      message('resolved', dynatrace('RESOLVED'), [
        'resolve',
        '-77_1795230000000V2',
        'Shop does not answer',
        'sev1',
      ]),
    ],
  },
  elastalert: {
    source: 'https://elastalert2.readthedocs.io/en/latest/alerts.html#http-post-2',
    sent: [
      message('firing', elastalert('firing', 40), [
        'trigger',
        'Too many errors | web-1',
        'Too many errors: web-1',
        'sev1',
      ]),
      message('firing again', elastalert('firing', 55), [
        'trigger',
        'Too many errors | web-1',
        'Too many errors: web-1',
        'sev1',
      ]),
      message('resolved', elastalert('resolved', 0), [
        'resolve',
        'Too many errors | web-1',
        'Too many errors: web-1',
        'sev1',
      ]),
    ],
  },
  'elastic-kibana': {
    source: 'https://www.elastic.co/docs/explore-analyze/alerts-cases/alerts/rule-action-variables',
    sent: [
      message('firing', kibana('threshold met', '40 errors of web-1'), [
        'trigger',
        'r-77 | web-1',
        'Too many errors: 40 errors of web-1',
        'sev1',
      ]),
      message('firing again', kibana('threshold met', '55 errors of web-1'), [
        'trigger',
        'r-77 | web-1',
        'Too many errors: 55 errors of web-1',
        'sev1',
      ]),
      message('another alert', kibana('threshold met', '40 errors of web-2', 'r-78', 'web-2'), [
        'trigger',
        'r-78 | web-2',
        'Too many errors: 40 errors of web-2',
        'sev1',
      ]),
      message('resolved', kibana('recovered', 'no errors of web-1'), [
        'resolve',
        'r-77 | web-1',
        'Too many errors: no errors of web-1',
        'sev1',
      ]),
    ],
  },
  graylog: {
    source: 'https://go2docs.graylog.org/current/interacting_with_your_log_data/notifications.html',
    sent: [
      message('firing', graylog('web-1', 4), [
        'trigger',
        'def-3 | web-1',
        'Too many errors: web-1',
        'sev1',
      ]),
      message('less severe', graylog('web-1', 2), [
        'trigger',
        'def-3 | web-1',
        'Too many errors: web-1',
        'sev3',
      ]),
      message('another group', graylog('web-2', 4), [
        'trigger',
        'def-3 | web-2',
        'Too many errors: web-2',
        'sev1',
      ]),
      message('a stream', graylogStream(true), [
        'trigger',
        'st-1 | cond-1',
        'Stream had 40 messages',
      ]),
      message('a stream, resolved', graylogStream(false), [
        'resolve',
        'st-1 | cond-1',
        'Stream had 40 messages',
      ]),
    ],
  },
  honeybadger: {
    source: 'https://docs.honeybadger.io/guides/integrations/webhook/',
    sent: [
      message('firing', honeybadger('occurred', false), [
        'trigger',
        '9001',
        'TimeoutError: The database does not answer',
      ]),
      message('firing again', honeybadger('rate_exceeded', false), [
        'trigger',
        '9001',
        'TimeoutError: The database does not answer',
      ]),
      message('resolved', honeybadger('resolved', true), [
        'resolve',
        '9001',
        'TimeoutError: The database does not answer',
      ]),
      message('a site', honeybadgerSite('down', 'down'), [
        'trigger',
        'b2c4',
        '[Shop] shop.example.com is down',
      ]),
      message('a site, resolved', honeybadgerSite('up', 'up'), [
        'resolve',
        'b2c4',
        '[Shop] shop.example.com is up',
      ]),
      messages('a deploy', honeybadger('deployed', false), []),
    ],
  },
  newrelic: {
    source: 'https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/#webhook',
    sent: [
      message('firing', newrelic('ACTIVATED', 'CRITICAL'), [
        'trigger',
        'iss-0a1b',
        'Errors of Shop are above 5 %',
        'sev1',
      ]),
      message('firing again', newrelic('CREATED', 'HIGH'), [
        'trigger',
        'iss-0a1b',
        'Errors of Shop are above 5 %',
        'sev2',
      ]),
      message('acknowledged', newrelic('ACKNOWLEDGED', 'CRITICAL'), [
        'acknowledge',
        'iss-0a1b',
        'Errors of Shop are above 5 %',
        'sev1',
      ]),
      message(
        'another issue',
        {
          ...newrelic('ACTIVATED', 'CRITICAL', 'Wiki does not answer'),
          id: 'iss-0a2c',
          issueUrl: 'https://radar-api.service.newrelic.com/accounts/1/issues/0a2c',
          alertConditionNames: ['Availability'],
          alertPolicyNames: ['Wiki'],
        },
        ['trigger', 'iss-0a2c', 'Wiki does not answer', 'sev1'],
      ),
      message('resolved', newrelic('CLOSED', 'CRITICAL'), [
        'resolve',
        'iss-0a1b',
        'Errors of Shop are above 5 %',
        'sev1',
      ]),
    ],
  },
  opensearch: {
    source: 'https://docs.opensearch.org/latest/observing-your-data/alerting/actions/',
    sent: [
      message('firing', opensearch('ACTIVE'), [
        'trigger',
        'mon-2 | tr-5',
        'Errors: Too many',
        'sev1',
      ]),
      message('less severe', opensearch('ACTIVE', '3'), [
        'trigger',
        'mon-2 | tr-5',
        'Errors: Too many',
        'sev3',
      ]),
      messages('several in one body', buckets(['ACTIVE', 'web-1'], ['ACTIVE', 'web-2']), [
        ['trigger', 'mon-3 | tr-6 | web-1', 'Errors by host: Too many: web-1', 'sev2'],
        ['trigger', 'mon-3 | tr-6 | web-2', 'Errors by host: Too many: web-2', 'sev2'],
      ]),
      messages('one of several ends', buckets(['COMPLETED', 'web-1'], ['ACTIVE', 'web-3']), [
        ['resolve', 'mon-3 | tr-6 | web-1', 'Errors by host: Too many: web-1', 'sev2'],
        ['trigger', 'mon-3 | tr-6 | web-3', 'Errors by host: Too many: web-3', 'sev2'],
      ]),
      message('acknowledged', opensearch('ACKNOWLEDGED'), [
        'acknowledge',
        'mon-2 | tr-5',
        'Errors: Too many',
        'sev1',
      ]),
      message('resolved', opensearch('COMPLETED'), [
        'resolve',
        'mon-2 | tr-5',
        'Errors: Too many',
        'sev1',
      ]),
    ],
  },
  rollbar: {
    source: 'https://docs.rollbar.com/docs/webhooks',
    sent: [
      message('firing', rollbar('new_item', 1), [
        'trigger',
        '272',
        'TimeoutError: the database does not answer',
        'sev2',
      ]),
      message('firing again', rollbar('exp_repeat_item', 100), [
        'trigger',
        '272',
        'TimeoutError: the database does not answer',
        'sev2',
      ]),
      message('resolved', rollbar('resolved_item', 100), [
        'resolve',
        '272',
        'TimeoutError: the database does not answer',
        'sev2',
      ]),
      messages('a deploy', { event_name: 'deploy', data: { deploy: { id: 1 } } }, []),
    ],
  },
  sentry: {
    source: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
    sent: [
      message('firing', sentry('created', 'unresolved'), [
        'trigger',
        '5512',
        'TimeoutError: the database does not answer',
        'sev2',
      ]),
      message('more severe', sentry('unresolved', 'unresolved', 'fatal'), [
        'trigger',
        '5512',
        'TimeoutError: the database does not answer',
        'sev1',
      ]),
      message('a metric', sentryMetric('critical'), [
        'trigger',
        '61',
        'Error rate of Shop',
        'sev1',
      ]),
      message('a metric, resolved', sentryMetric('resolved'), [
        'resolve',
        '61',
        'Error rate of Shop',
      ]),
      message('resolved', sentry('resolved', 'resolved'), [
        'resolve',
        '5512',
        'TimeoutError: the database does not answer',
        'sev2',
      ]),
      messages('assigned', sentry('assigned', 'unresolved'), []),
    ],
  },
  splunk: {
    source: 'https://docs.splunk.com/Documentation/Splunk/latest/Alert/Webhooks',
    sent: [
      message('firing', splunk('s1'), [
        'trigger',
        'security | ada | Failed logins | db-1',
        'db-1: Failed logins',
        'sev2',
      ]),
      message('firing again', splunk('s2'), [
        'trigger',
        'security | ada | Failed logins | db-1',
        'db-1: Failed logins',
        'sev2',
      ]),
      message('another search', splunk('s3', 'network', 'Dropped packets'), [
        'trigger',
        'network | ada | Dropped packets | db-1',
        'db-1: Dropped packets',
        'sev2',
      ]),
    ],
  },
  'splunk-observability': {
    source: 'https://docs.splunk.com/observability/en/admin/notif-services/webhook.html',
    sent: [
      message('firing', observability('anomalous', 'Critical Alert: Too many (Errors)'), [
        'trigger',
        'GX1',
        'Too many (Errors)',
        'sev1',
      ]),
      message(
        'less severe',
        observability('anomalous', 'Minor Alert: Too many (Errors)', 'Minor'),
        ['trigger', 'GX1', 'Too many (Errors)', 'sev3'],
      ),
      message('resolved', observability('ok', 'Back to normal: Too many (Errors)'), [
        'resolve',
        'GX1',
        'Too many (Errors)',
        'sev1',
      ]),
    ],
  },
  wazuh: {
    source:
      'https://documentation.wazuh.com/current/user-manual/manager/integration-with-external-apis.html',
    sent: [
      message('firing', wazuh(12, 'db-1'), [
        'trigger',
        '5712 | 003',
        'Many failed logins on db-1',
        'sev1',
      ]),
      message('less severe', wazuh(8, 'db-1'), [
        'trigger',
        '5712 | 003',
        'Many failed logins on db-1',
        'sev2',
      ]),
      message('another rule', wazuh(12, 'db-2', '5720'), [
        'trigger',
        '5720 | 004',
        'Many failed logins on db-2',
        'sev1',
      ]),
    ],
  },
};
