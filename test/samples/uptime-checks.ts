// Services that check websites, certificates and jobs from outside.
import { message, messages, type ToolSamples } from './sample.ts';

const apexPing = (state: string, value: string) => ({
  alert: { id: 'a7', type: 'latency', stat: 'p95', op: '>', window_duration: '5m' },
  check: { id: 'c12', name: 'Shop', url: 'https://shop.example.com/health' },
  state,
  value,
});

const betterstack = (over: object, event = 'incident_started') => ({
  data: {
    id: '4711',
    type: 'incident',
    attributes: {
      name: 'Shop',
      url: 'https://shop.example.com',
      cause: 'Status 503',
      started_at: '2026-11-21T03:00:00Z',
      acknowledged_at: null,
      resolved_at: null,
      ...over,
    },
  },
  event,
});

const checkly = (alert_type: string, event: string) => ({
  check_id: '0b1c',
  check_name: 'Checkout',
  check_type: 'BROWSER',
  check_result_id: 'r1',
  alert_type,
  event,
  link: 'https://app.checklyhq.com/checks/0b1c',
});

const cronitor = (type: string, environment = 'production') => ({
  id: 'k3x9',
  monitor: 'Nightly backup',
  type,
  environment,
  rule: 'complete ping not received',
  issue_url: 'https://cronitor.io/app/issues/1',
});

const snitch = (type: string, status: string) => ({
  type,
  timestamp: '2026-11-21T03:00:00.000Z',
  data: { snitch: { token: 'c2354d53d2', name: 'Nightly backup', status, notes: 'on db-1' } },
});

const healthcheck = (status: string, name = 'Nightly backup', code = '5f3d') => ({
  code,
  name,
  status,
  now: '2026-11-21T03:00:00+00:00',
  url: 'https://healthchecks.io/checks/5f3d/details/',
});

const hetrix = (monitor_status: string) => ({
  monitor_id: 'f00d',
  monitor_name: 'Shop',
  monitor_target: 'https://shop.example.com',
  monitor_status,
  timestamp: 1795230000,
});
const hetrixUsage = (current_usage: string) => ({
  monitor_id: 'f00d',
  monitor_name: 'Shop',
  resource_usage: { resource_type: 'cpu', current_usage, average_usage: '91%' },
});

const hyperping = (event: string, down: boolean) => ({
  event,
  check: {
    monitorUuid: 'mon_8a1',
    name: 'Shop',
    url: 'https://shop.example.com',
    status: down ? 503 : 200,
    down,
    downtime: down ? 0 : 4,
  },
});

const pingdom = (current_state: string, description: string, id = 5021) => ({
  check_id: id,
  check_name: 'Shop',
  check_type: 'HTTP',
  check_params: { full_url: 'https://shop.example.com/', hostname: 'shop.example.com' },
  current_state,
  previous_state: current_state === 'UP' ? 'DOWN' : 'UP',
  importance_level: 'HIGH',
  description,
});

const pulsetic = (alert_type: string, over: object = {}) => ({
  alert_type,
  monitor: { id: 88, name: 'Shop', url: 'https://shop.example.com' },
  ...over,
});

const site24x7 = (STATUS: string, INCIDENT_REASON: string) => ({
  MONITOR_ID: '299',
  MONITORNAME: 'Shop',
  MONITORURL: 'https://shop.example.com',
  MONITORTYPE: 'URL',
  STATUS,
  INCIDENT_REASON,
});

const statuscake = (Status: string, StatusCode: string) => ({
  TestID: '6401',
  Name: 'Shop',
  URL: 'https://shop.example.com',
  Checkrate: '60',
  Status,
  StatusCode,
});

const statusgator = (status: string) => ({
  status,
  previous_status: status === 'up' ? 'down' : 'up',
  recorded_at: '2026-11-21T03:00:00Z',
  monitor: { id: 'm51', display_name: 'Payments API' },
  service: { id: 's9', name: 'Payments', landing_page_url: 'https://payments.example.com' },
});

const statuspage = (status: string, impact = 'major') => ({
  page: { id: 'p1', status_indicator: impact },
  incident: {
    id: 'inc-9',
    name: 'Payments are delayed',
    status,
    impact,
    shortlink: 'https://stspg.example.com/9',
    incident_updates: [{ body: `Now ${status}`, status }],
  },
});
const component = (new_status: string) => ({
  page: { id: 'p1' },
  component_update: { component_id: 'cmp-3', new_status, old_status: 'operational' },
  component: { id: 'cmp-3', name: 'Checkout', status: new_status },
});

const thousandeyes = (eventType: string, eventId: string, severity = 'CRITICAL') => ({
  eventId,
  eventType,
  alert: {
    alertId: 77120,
    testId: 281,
    testName: 'Shop from Paris',
    ruleId: 5,
    ruleName: 'Loss above 10 %',
    severity,
    permalink: 'https://app.thousandeyes.com/alerts/77120',
  },
});

const uptimeCom = (event: string, is_up: boolean) => ({
  event,
  data: {
    service: { id: 311, name: 'Shop', display_name: 'Shop' },
    account: { id: 1, name: 'Acme' },
    alert: { is_up, state: is_up ? 'OK' : 'CRITICAL', short_output: is_up ? 'Fine' : 'Timeout' },
    links: { alert_details: 'https://uptime.com/alerts/1' },
  },
});

const kuma = (status: number, msg: string, id = 12) => ({
  heartbeat: { monitorID: id, status, msg, time: '2026-11-21 03:00:00' },
  monitor: { id, name: id === 12 ? 'Shop' : 'Wiki', url: 'https://shop.example.com' },
  msg: `[Shop] ${msg}`,
});

const robot = (alertType: string, alertTypeFriendlyName: string, over: object = {}) => ({
  monitorID: '79001',
  monitorURL: 'https://shop.example.com',
  monitorFriendlyName: 'Shop',
  alertType,
  alertTypeFriendlyName,
  alertDetails: 'HTTP 503',
  ...over,
});

export const uptimeChecks: Readonly<Record<string, ToolSamples>> = {
  'apex-ping': {
    source: 'https://apex.sh/docs/ping/alerting/#webhooks',
    sent: [
      message('firing', apexPing('triggered', '900ms'), [
        'trigger',
        'a7 | c12',
        'Shop: latency p95 900ms',
      ]),
      message('firing again', apexPing('triggered', '1.2s'), [
        'trigger',
        'a7 | c12',
        'Shop: latency p95 1.2s',
      ]),
      message('resolved', apexPing('resolved', '80ms'), [
        'resolve',
        'a7 | c12',
        'Shop: latency p95 80ms',
      ]),
    ],
  },
  betterstack: {
    source: 'https://betterstack.com/docs/uptime/webhooks/',
    sent: [
      message('firing', betterstack({}), ['trigger', '4711', 'Shop: Status 503']),
      message('firing again', betterstack({ cause: 'Timeout' }), [
        'trigger',
        '4711',
        'Shop: Timeout',
      ]),
      message(
        'acknowledged',
        betterstack({ acknowledged_at: '2026-11-21T03:02:00Z' }, 'incident_acknowledged'),
        ['acknowledge', '4711', 'Shop: Status 503'],
      ),
      message(
        'resolved',
        betterstack({ resolved_at: '2026-11-21T03:09:00Z' }, 'incident_resolved'),
        ['resolve', '4711', 'Shop: Status 503'],
      ),
      messages('a comment', betterstack({}, 'incident_comment_added'), []),
    ],
  },
  checkly: {
    source: 'https://www.checklyhq.com/docs/alerting-and-retries/webhooks/',
    sent: [
      message('firing', checkly('ALERT_FAILURE', 'Checkout has failed'), [
        'trigger',
        '0b1c',
        'Checkout',
        'sev1',
      ]),
      message('firing again', checkly('ALERT_FAILURE_REMAIN', 'Checkout is still failing'), [
        'trigger',
        '0b1c',
        'Checkout',
        'sev1',
      ]),
      message('degraded', checkly('ALERT_DEGRADED', 'Checkout has degraded'), [
        'trigger',
        '0b1c',
        'Checkout',
        'sev3',
      ]),
      message('resolved', checkly('ALERT_RECOVERY', 'Checkout has recovered'), [
        'resolve',
        '0b1c',
        'Checkout',
      ]),
    ],
  },
  cronitor: {
    source: 'https://cronitor.io/docs/webhooks',
    sent: [
      message('firing', cronitor('Alert'), ['trigger', 'k3x9 | production', 'Nightly backup']),
      message('firing again', { ...cronitor('Alert'), rule: 'still failing' }, [
        'trigger',
        'k3x9 | production',
        'Nightly backup',
      ]),
      message('in another environment', cronitor('Alert', 'staging'), [
        'trigger',
        'k3x9 | staging',
        'Nightly backup',
      ]),
      message('resolved', cronitor('Recovery'), ['resolve', 'k3x9 | production', 'Nightly backup']),
    ],
  },
  'dead-mans-snitch': {
    source: 'https://deadmanssnitch.com/docs/integrations/webhooks',
    sent: [
      message('firing', snitch('snitch.missing', 'missing'), [
        'trigger',
        'c2354d53d2',
        'Nightly backup',
      ]),
      message('firing again', snitch('snitch.errored', 'errored'), [
        'trigger',
        'c2354d53d2',
        'Nightly backup',
      ]),
      message('resolved', snitch('snitch.reporting', 'healthy'), [
        'resolve',
        'c2354d53d2',
        'Nightly backup',
      ]),
    ],
  },
  'healthchecks-io': {
    source: 'https://healthchecks.io/docs/configuring_notifications/',
    sent: [
      message('firing', healthcheck('down'), ['trigger', '5f3d', 'Nightly backup is down']),
      message('firing again', { ...healthcheck('down'), now: '2026-11-21T04:00:00+00:00' }, [
        'trigger',
        '5f3d',
        'Nightly backup is down',
      ]),
      message('another check', healthcheck('down', 'Invoices', '81ab'), [
        'trigger',
        '81ab',
        'Invoices is down',
      ]),
      message('resolved', healthcheck('up'), ['resolve', '5f3d', 'Nightly backup is up']),
      messages('a test', healthcheck('down', 'TEST'), []),
    ],
  },
  hetrixtools: {
    source: 'https://docs.hetrixtools.com/webhook-notifications/',
    sent: [
      message('firing', hetrix('offline'), ['trigger', 'f00d', 'Shop is offline']),
      message('firing again', { ...hetrix('offline'), timestamp: 1795230600 }, [
        'trigger',
        'f00d',
        'Shop is offline',
      ]),
      message('resource usage', hetrixUsage('97%'), ['trigger', 'f00d | cpu', 'Shop: cpu 97%']),
      message('resolved', hetrix('online'), ['resolve', 'f00d', 'Shop is online']),
    ],
  },
  hyperping: {
    source: 'https://hyperping.com/docs/integrations/webhooks',
    sent: [
      message('firing', hyperping('check.down', true), ['trigger', 'mon_8a1', 'Shop is down']),
      message('firing again', { ...hyperping('check.down', true), pings: [] }, [
        'trigger',
        'mon_8a1',
        'Shop is down',
      ]),
      message('resolved', hyperping('check.up', false), ['resolve', 'mon_8a1', 'Shop is up']),
    ],
  },
  pingdom: {
    source:
      'https://documentation.solarwinds.com/en/success_center/pingdom/content/topics/webhooks.htm',
    sent: [
      message('firing', pingdom('DOWN', 'Timeout'), ['trigger', '5021', 'Shop: Timeout', 'sev2']),
      message('firing again', pingdom('DOWN', 'HTTP 503'), [
        'trigger',
        '5021',
        'Shop: HTTP 503',
        'sev2',
      ]),
      message('resolved', pingdom('UP', 'OK'), ['resolve', '5021', 'Shop: OK', 'sev2']),
    ],
  },
  pulsetic: {
    source: 'https://pulsetic.com/docs/webhooks/',
    sent: [
      message('firing', pulsetic('monitor_offline'), ['trigger', '88', 'Shop offline']),
      message('firing again', pulsetic('monitor_offline', { response_code: 503 }), [
        'trigger',
        '88',
        'Shop offline',
      ]),
      message('a certificate', pulsetic('certificate_expires_soon', { days_left: 7 }), [
        'trigger',
        '88 | certificate_expires_soon',
        'Shop certificate expires in 7 days',
      ]),
      message('resolved', pulsetic('monitor_online'), ['resolve', '88', 'Shop online']),
    ],
  },
  site24x7: {
    source: 'https://www.site24x7.com/help/admin/third-party-integrations/webhooks.html',
    sent: [
      message('firing', site24x7('DOWN', 'Timeout'), ['trigger', '299', 'Shop: Timeout', 'sev1']),
      message('firing again', site24x7('DOWN', 'HTTP 503'), [
        'trigger',
        '299',
        'Shop: HTTP 503',
        'sev1',
      ]),
      message('less severe', site24x7('TROUBLE', 'Slow'), ['trigger', '299', 'Shop: Slow', 'sev3']),
      message(
        'another monitor',
        { ...site24x7('DOWN', 'Timeout'), MONITOR_ID: '300', MONITORNAME: 'Wiki' },
        ['trigger', '300', 'Wiki: Timeout', 'sev1'],
      ),
      message('resolved', site24x7('UP', 'Fine'), ['resolve', '299', 'Shop: Fine']),
    ],
  },
  statuscake: {
    source: 'https://www.statuscake.com/kb/knowledge-base/how-to-use-the-web-hook-url/',
    sent: [
      message('firing', statuscake('Down', '503'), ['trigger', '6401', 'Shop is Down']),
      message('firing again', statuscake('Down', '0'), ['trigger', '6401', 'Shop is Down']),
      message(
        'another test',
        {
          ...statuscake('Down', '503'),
          TestID: '6402',
          Name: 'Wiki',
          URL: 'https://wiki.example.com',
        },
        ['trigger', '6402', 'Wiki is Down'],
      ),
      message('resolved', statuscake('Up', '200'), ['resolve', '6401', 'Shop is Up']),
    ],
  },
  statusgator: {
    source: 'https://statusgator.com/help/article/webhooks',
    sent: [
      message('firing', statusgator('down'), ['trigger', 'm51', 'Payments API is down', 'sev1']),
      message('less severe', statusgator('warn'), [
        'trigger',
        'm51',
        'Payments API warning',
        'sev3',
      ]),
      message('resolved', statusgator('up'), ['resolve', 'm51', 'Payments API is up']),
    ],
  },
  statuspage: {
    source: 'https://support.atlassian.com/statuspage/docs/enable-webhook-notifications/',
    sent: [
      message('firing', statuspage('investigating'), [
        'trigger',
        'inc-9',
        'Payments are delayed',
        'sev2',
      ]),
      message('firing again', statuspage('identified'), [
        'trigger',
        'inc-9',
        'Payments are delayed',
        'sev2',
      ]),
      message('resolved', statuspage('resolved'), [
        'resolve',
        'inc-9',
        'Payments are delayed',
        'sev2',
      ]),
      message('a component fails', component('major_outage'), [
        'trigger',
        'cmp-3',
        'Checkout: major_outage',
        'sev1',
      ]),
      message('a component works', component('operational'), [
        'resolve',
        'cmp-3',
        'Checkout: operational',
      ]),
    ],
  },
  thousandeyes: {
    source:
      'https://docs.thousandeyes.com/product-documentation/integration-guides/custom-built-integrations/custom-webhooks',
    sent: [
      message('firing', thousandeyes('ALERT_NOTIFICATION_TRIGGER', 'e1'), [
        'trigger',
        '77120',
        'Shop from Paris: Loss above 10 %',
        'sev1',
      ]),
      message('less severe', thousandeyes('ALERT_NOTIFICATION_TRIGGER', 'e2', 'MAJOR'), [
        'trigger',
        '77120',
        'Shop from Paris: Loss above 10 %',
        'sev2',
      ]),
      message('resolved', thousandeyes('ALERT_NOTIFICATION_CLEAR', 'e3', 'INFO'), [
        'resolve',
        '77120',
        'Shop from Paris: Loss above 10 %',
        'sev3',
      ]),
    ],
  },
  'uptime-com': {
    source: 'https://support.uptime.com/hc/en-us/articles/115002560349-Webhooks',
    sent: [
      message('firing', uptimeCom('alert_raised', false), [
        'trigger',
        '311',
        'Shop: Timeout',
        'sev1',
      ]),
      message('firing again', { ...uptimeCom('alert_raised', false), locations: ['US'] }, [
        'trigger',
        '311',
        'Shop: Timeout',
        'sev1',
      ]),
      message(
        'another service',
        {
          event: 'alert_raised',
          data: {
            service: { id: 312, name: 'Wiki', display_name: 'Wiki' },
            account: { id: 1, name: 'Acme' },
            alert: { is_up: false, state: 'CRITICAL', short_output: 'Refused' },
            links: { alert_details: 'https://uptime.com/alerts/2' },
          },
        },
        ['trigger', '312', 'Wiki: Refused', 'sev1'],
      ),
      message('resolved', uptimeCom('alert_cleared', true), ['resolve', '311', 'Shop: Fine']),
    ],
  },
  'uptime-kuma': {
    source: 'https://github.com/louislam/uptime-kuma/wiki/Notification-Methods',
    sent: [
      message('firing', kuma(0, 'Timeout'), ['trigger', '12', 'Shop: Timeout']),
      message('firing again', kuma(0, 'HTTP 503'), ['trigger', '12', 'Shop: HTTP 503']),
      message('another monitor', kuma(0, 'Timeout', 13), ['trigger', '13', 'Wiki: Timeout']),
      message('resolved', kuma(1, '200 - OK'), ['resolve', '12', 'Shop: 200 - OK']),
      messages('a test', { heartbeat: null, monitor: null, msg: 'Shop Testing' }, []),
    ],
  },
  uptimerobot: {
    source: 'https://uptimerobot.com/help/web-hook-alert-contacts/',
    sent: [
      message('firing', robot('1', 'Down'), ['trigger', '79001', 'Shop is Down']),
      message('firing again', robot('1', 'Down', { alertDetails: 'Timeout' }), [
        'trigger',
        '79001',
        'Shop is Down',
      ]),
      message(
        'a certificate',
        robot('3', 'SSL expiry', {
          monitorID: '79002',
          monitorURL: 'https://wiki.example.com',
          monitorFriendlyName: 'Wiki',
          alertDetails: 'in 7 days',
        }),
        ['trigger', '79002 | 3', 'Wiki: in 7 days', 'sev3'],
      ),
      message('resolved', robot('2', 'Up'), ['resolve', '79001', 'Shop is Up']),
    ],
  },
};
