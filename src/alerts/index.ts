import type { HttpRequest, Json } from './alert.ts';
import type { IntegrationType } from './integration-type.ts';
import type { Tool } from './reading/notation.ts';
import { compiled, integrationTypeOf } from './reading/tool.ts';
import { alertmanager } from './types/alertmanager.ts';
import { argocd } from './types/argocd.ts';
import { awsCloudwatch } from './types/aws-cloudwatch.ts';
import { awsEventbridge } from './types/aws-eventbridge.ts';
import { awsSns } from './types/aws-sns.ts';
import { azureMonitor } from './types/azure-monitor.ts';
import { betterstack } from './types/betterstack.ts';
import { bugsnag } from './types/bugsnag.ts';
import { checkly } from './types/checkly.ts';
import { checkmk } from './types/checkmk.ts';
import { cloudevents } from './types/cloudevents.ts';
import { cloudflare } from './types/cloudflare.ts';
import { datadog } from './types/datadog.ts';
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
import { icinga2 } from './types/icinga2.ts';
import { jira } from './types/jira.ts';
import { kapacitor } from './types/kapacitor.ts';
import { librenms } from './types/librenms.ts';
import { logicmonitor } from './types/logicmonitor.ts';
import { monit } from './types/monit.ts';
import { nagios } from './types/nagios.ts';
import { netdata } from './types/netdata.ts';
import { newrelic } from './types/newrelic.ts';
import { opensearch } from './types/opensearch.ts';
import { opsgenieAlertApi } from './types/opsgenie-alert-api.ts';
import { pagerdutyEvents } from './types/pagerduty-events-v2.ts';
import { pingdom } from './types/pingdom.ts';
import { prometheus } from './types/prometheus.ts';
import { prtg } from './types/prtg.ts';
import { rollbar } from './types/rollbar.ts';
import { sentry } from './types/sentry.ts';
import { site24x7 } from './types/site24x7.ts';
import { slackWebhook } from './types/slack-webhook.ts';
import { splunk } from './types/splunk.ts';
import { splunkObservability } from './types/splunk-observability.ts';
import { statuscake } from './types/statuscake.ts';
import { uptimeKuma } from './types/uptime-kuma.ts';
import { uptimerobot } from './types/uptimerobot.ts';
import { victorops } from './types/victorops.ts';
import { webhook } from './types/webhook.ts';
import { zabbix } from './types/zabbix.ts';

/** By slug. */
const tools: readonly Tool[] = [
  alertmanager,
  argocd,
  awsCloudwatch,
  awsEventbridge,
  awsSns,
  azureMonitor,
  betterstack,
  bugsnag,
  checkly,
  checkmk,
  cloudevents,
  cloudflare,
  datadog,
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
  icinga2,
  jira,
  kapacitor,
  librenms,
  logicmonitor,
  monit,
  nagios,
  netdata,
  newrelic,
  opensearch,
  opsgenieAlertApi,
  pagerdutyEvents,
  pingdom,
  prometheus,
  prtg,
  rollbar,
  sentry,
  site24x7,
  slackWebhook,
  splunk,
  splunkObservability,
  statuscake,
  uptimeKuma,
  uptimerobot,
  victorops,
  webhook,
  zabbix,
];

/** Which tool sends such a body, by the first declaration that fits exactly. */
const recognise = (request: HttpRequest, json: Json): string | undefined =>
  tools.find((tool) => compiled(tool).recognises(request, json))?.name;

/** Every kind of tool that can send alerts, by slug. */
export const integrationTypes: readonly IntegrationType[] = tools.map((tool) =>
  integrationTypeOf(tool, recognise),
);

const bySlug = new Map(integrationTypes.map((type) => [type.slug, type]));

export const typeOf = (slug: string): IntegrationType | undefined => bySlug.get(slug);
