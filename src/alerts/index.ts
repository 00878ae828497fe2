import type { HttpRequest, Json } from './alert.ts';
import type { IntegrationType } from './integration-type.ts';
import type { Tool } from './reading/notation.ts';
import type { Recognised } from './reading/reader.ts';
import { compiled, integrationTypeOf } from './reading/tool.ts';
import { alertmanager } from './types/alertmanager.ts';
import { apexPing } from './types/apex-ping.ts';
import { appdynamics } from './types/appdynamics.ts';
import { appsignal } from './types/appsignal.ts';
import { argocd } from './types/argocd.ts';
import { awsCloudwatch } from './types/aws-cloudwatch.ts';
import { awsEventbridge } from './types/aws-eventbridge.ts';
import { awsSns } from './types/aws-sns.ts';
import { axiom } from './types/axiom.ts';
import { azureMonitor } from './types/azure-monitor.ts';
import { betterstack } from './types/betterstack.ts';
import { bugsnag } from './types/bugsnag.ts';
import { checkly } from './types/checkly.ts';
import { checkmk } from './types/checkmk.ts';
import { cloudevents } from './types/cloudevents.ts';
import { cloudflare } from './types/cloudflare.ts';
import { collectd } from './types/collectd.ts';
import { coralogix } from './types/coralogix.ts';
import { cronitor } from './types/cronitor.ts';
import { dash0 } from './types/dash0.ts';
import { datadog } from './types/datadog.ts';
import { deadMansSnitch } from './types/dead-mans-snitch.ts';
import { dynatrace } from './types/dynatrace.ts';
import { elastalert } from './types/elastalert.ts';
import { elasticKibana } from './types/elastic-kibana.ts';
import { email } from './types/email.ts';
import { gcpMonitoring } from './types/gcp-monitoring.ts';
import { github } from './types/github.ts';
import { gitlab } from './types/gitlab.ts';
import { goalert } from './types/goalert.ts';
import { grafana } from './types/grafana.ts';
import { grafanaOncall } from './types/grafana-oncall.ts';
import { graylog } from './types/graylog.ts';
import { healthchecksIo } from './types/healthchecks-io.ts';
import { hetrixtools } from './types/hetrixtools.ts';
import { honeybadger } from './types/honeybadger.ts';
import { hyperping } from './types/hyperping.ts';
import { icinga2 } from './types/icinga2.ts';
import { jira } from './types/jira.ts';
import { kapacitor } from './types/kapacitor.ts';
import { librenms } from './types/librenms.ts';
import { logicmonitor } from './types/logicmonitor.ts';
import { loki } from './types/loki.ts';
import { mimir } from './types/mimir.ts';
import { monit } from './types/monit.ts';
import { nagios } from './types/nagios.ts';
import { netbox } from './types/netbox.ts';
import { netdata } from './types/netdata.ts';
import { newrelic } from './types/newrelic.ts';
import { opensearch } from './types/opensearch.ts';
import { opsgenieAlertApi } from './types/opsgenie-alert-api.ts';
import { opsgenieWebhook } from './types/opsgenie-webhook.ts';
import { pagerdutyEvents } from './types/pagerduty-events-v2.ts';
import { pagerdutyWebhookV3 } from './types/pagerduty-webhook-v3.ts';
import { pingdom } from './types/pingdom.ts';
import { prometheus } from './types/prometheus.ts';
import { prtg } from './types/prtg.ts';
import { pulsetic } from './types/pulsetic.ts';
import { riemann } from './types/riemann.ts';
import { rollbar } from './types/rollbar.ts';
import { sentry } from './types/sentry.ts';
import { signoz } from './types/signoz.ts';
import { site24x7 } from './types/site24x7.ts';
import { slackWebhook } from './types/slack-webhook.ts';
import { snmptrap } from './types/snmptrap.ts';
import { splunk } from './types/splunk.ts';
import { splunkObservability } from './types/splunk-observability.ts';
import { statuscake } from './types/statuscake.ts';
import { statusgator } from './types/statusgator.ts';
import { statuspage } from './types/statuspage.ts';
import { thanos } from './types/thanos.ts';
import { thousandeyes } from './types/thousandeyes.ts';
import { uptimeCom } from './types/uptime-com.ts';
import { uptimeKuma } from './types/uptime-kuma.ts';
import { uptimerobot } from './types/uptimerobot.ts';
import { victoriametrics } from './types/victoriametrics.ts';
import { victorops } from './types/victorops.ts';
import { vmwareVrealize } from './types/vmware-vrealize.ts';
import { wazuh } from './types/wazuh.ts';
import { webhook } from './types/webhook.ts';
import { zabbix } from './types/zabbix.ts';

/** In the order of their slugs. */
export const tools: readonly Tool[] = [
  alertmanager,
  apexPing,
  appdynamics,
  appsignal,
  argocd,
  awsCloudwatch,
  awsEventbridge,
  awsSns,
  axiom,
  azureMonitor,
  betterstack,
  bugsnag,
  checkly,
  checkmk,
  cloudevents,
  cloudflare,
  collectd,
  coralogix,
  cronitor,
  dash0,
  datadog,
  deadMansSnitch,
  dynatrace,
  elastalert,
  elasticKibana,
  email,
  gcpMonitoring,
  github,
  gitlab,
  goalert,
  grafana,
  grafanaOncall,
  graylog,
  healthchecksIo,
  hetrixtools,
  honeybadger,
  hyperping,
  icinga2,
  jira,
  kapacitor,
  librenms,
  logicmonitor,
  loki,
  mimir,
  monit,
  nagios,
  netbox,
  netdata,
  newrelic,
  opensearch,
  opsgenieAlertApi,
  opsgenieWebhook,
  pagerdutyEvents,
  pagerdutyWebhookV3,
  pingdom,
  prometheus,
  prtg,
  pulsetic,
  riemann,
  rollbar,
  sentry,
  signoz,
  site24x7,
  slackWebhook,
  snmptrap,
  splunk,
  splunkObservability,
  statuscake,
  statusgator,
  statuspage,
  thanos,
  thousandeyes,
  uptimeCom,
  uptimeKuma,
  uptimerobot,
  victoriametrics,
  victorops,
  vmwareVrealize,
  wazuh,
  webhook,
  zabbix,
];

/** Which tool sends such a body, by the first declaration that fits exactly. */
function recognise(request: HttpRequest, json: Json): Recognised | undefined {
  const tool = tools.find((one) => compiled(one).recognises(request, json));
  if (tool === undefined) return undefined;
  const { read } = compiled(tool);
  return { name: tool.name, read: (sent, about) => read(sent, about, () => undefined) };
}

/** Every kind of tool that can send alerts, in the same order. */
export const integrationTypes: readonly IntegrationType[] = tools.map((tool) =>
  integrationTypeOf(tool, recognise, awsSns),
);

const bySlug = new Map(integrationTypes.map((type) => [type.slug, type]));

export const typeOf = (slug: string): IntegrationType | undefined => bySlug.get(slug);
