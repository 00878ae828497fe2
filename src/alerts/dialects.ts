// Which type reads an event that came by an address of another service: its path names it.

type Dialect = readonly [path: RegExp, slug: string];

const dialects: readonly Dialect[] = [
  [/^\/v2\/(?:change\/)?enqueue$/, 'pagerduty-events-v2'],
  [/^\/generic\/2010-04-15\/create_event\.json$/, 'pagerduty-events-v2'],
  [/^\/v2\/alerts(?:\/|$)/, 'opsgenie-alert-api'],
  [/^\/v1\/json\/alert(?:\/|$)/, 'opsgenie-alert-api'],
  [/^\/api\/v[12]\/alerts$/, 'prometheus'],
  [/^\/integrations\/generic\/20131114\/alert$/, 'victorops'],
  [/^\/api\/v2\/generic\/incoming$/, 'goalert'],
  [/^\/api\/v2\/grafana\/incoming$/, 'grafana'],
  [/^\/api\/v2\/site24x7\/incoming$/, 'site24x7'],
  [/^\/api\/v2\/prometheusalertmanager\/incoming$/, 'prometheus'],
];

const ofGrafanaOncall = /^\/integrations\/v1\/([^/]+)$/;

/** What Grafana OnCall calls its types of integrations, in lower case, and what reads their tool. */
const typesOfGrafanaOncall: ReadonlyMap<string, string> = new Map([
  ['alertmanager', 'prometheus'],
  ['legacy_alertmanager', 'prometheus'],
  ['alertmanager_v2', 'prometheus'],
  ['alertmanagerv2', 'prometheus'],
  ['grafana', 'grafana'],
  ['grafana_alerting', 'grafana'],
  ['legacy_grafana_alerting', 'grafana'],
  ['amazon_sns', 'aws-sns'],
  ['appdynamics', 'appdynamics'],
  ['datadog', 'datadog'],
  ['elastalert', 'elastalert'],
  ['formatted_webhook', 'grafana-oncall'],
  ['jira', 'jira'],
  ['kapacitor', 'kapacitor'],
  ['newrelic', 'newrelic'],
  ['pagerduty', 'pagerduty-webhook-v3'],
  ['pingdom', 'pingdom'],
  ['sentry', 'sentry'],
  ['sentry_platform', 'sentry'],
  ['stackdriver', 'gcp-monitoring'],
  ['uptimerobot', 'uptimerobot'],
  ['zabbix', 'zabbix'],
]);

/** The types of integrations that name no tool. */
const ofNoTool: ReadonlySet<string> = new Set(['webhook', 'grafana-oncall']);

/** The slug of that type, at an integration of that slug; undefined: the integration's own reads it. */
export function dialectOf(path: string, slug: string): string | undefined {
  const [, oncall] = ofGrafanaOncall.exec(path) ?? [];
  if (oncall === undefined) return dialects.find(([form]) => form.test(path))?.[1];
  const named = typesOfGrafanaOncall.get(oncall.toLowerCase());
  // Its other addresses take a tool's own messages, or those that somebody formatted for OnCall.
  return named ?? (ofNoTool.has(slug) ? 'grafana-oncall' : undefined);
}
