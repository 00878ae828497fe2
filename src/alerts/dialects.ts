// Which type reads an event that came by an address of another service: its path names it.

type Dialect = readonly [path: RegExp, slug: string];

const dialects: readonly Dialect[] = [
  [/^\/v2\/(?:change\/)?enqueue$/, 'pagerduty-events-v2'],
  [/^\/generic\/2010-04-15\/create_event\.json$/, 'pagerduty-events-v2'],
  [/^\/v2\/alerts(?:\/|$)/, 'opsgenie-alert-api'],
  [/^\/api\/v[12]\/alerts$/, 'prometheus'],
  [/^\/integrations\/generic\/20131114\/alert$/, 'victorops'],
  [/^\/api\/v2\/generic\/incoming$/, 'goalert'],
  [/^\/api\/v2\/grafana\/incoming$/, 'grafana'],
  [/^\/api\/v2\/site24x7\/incoming$/, 'site24x7'],
  [/^\/api\/v2\/prometheusalertmanager\/incoming$/, 'prometheus'],
  [/^\/integrations\/v1\/(?:alertmanager|legacy_alertmanager)$/, 'prometheus'],
  [/^\/integrations\/v1\/(?:legacy_)?grafana(?:_alerting)?$/, 'grafana'],
  [/^\/integrations\/v1\/kapacitor$/, 'kapacitor'],
  [/^\/integrations\/v1\/elastalert$/, 'elastalert'],
  [/^\/integrations\/v1\/pagerduty$/, 'pagerduty-webhook-v3'],
  [/^\/integrations\/v1\/[^/]+$/, 'grafana-oncall'],
];

/** The slug of that type; undefined: the type of the integration reads it. */
export const dialectOf = (path: string): string | undefined =>
  dialects.find(([form]) => form.test(path))?.[1];
