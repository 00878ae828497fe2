import type { HttpRequest, Json } from './alert.ts';
import type { IntegrationType } from './integration-type.ts';
import type { Tool } from './reading/notation.ts';
import { compiled, integrationTypeOf } from './reading/tool.ts';
import { alertmanager } from './types/alertmanager.ts';
import { awsCloudwatch } from './types/aws-cloudwatch.ts';
import { azureMonitor } from './types/azure-monitor.ts';
import { betterstack } from './types/betterstack.ts';
import { checkmk } from './types/checkmk.ts';
import { datadog } from './types/datadog.ts';
import { elasticKibana } from './types/elastic-kibana.ts';
import { email } from './types/email.ts';
import { gcpMonitoring } from './types/gcp-monitoring.ts';
import { goalert } from './types/goalert.ts';
import { grafanaOncall } from './types/grafana-oncall.ts';
import { grafana } from './types/grafana.ts';
import { healthchecksIo } from './types/healthchecks-io.ts';
import { icinga2 } from './types/icinga2.ts';
import { nagios } from './types/nagios.ts';
import { netdata } from './types/netdata.ts';
import { newrelic } from './types/newrelic.ts';
import { opensearch } from './types/opensearch.ts';
import { opsgenieAlertApi } from './types/opsgenie-alert-api.ts';
import { pagerdutyEvents } from './types/pagerduty-events-v2.ts';
import { pingdom } from './types/pingdom.ts';
import { prometheus } from './types/prometheus.ts';
import { sentry } from './types/sentry.ts';
import { statuscake } from './types/statuscake.ts';
import { uptimeKuma } from './types/uptime-kuma.ts';
import { uptimerobot } from './types/uptimerobot.ts';
import { victorops } from './types/victorops.ts';
import { webhook } from './types/webhook.ts';
import { zabbix } from './types/zabbix.ts';

/** By slug. */
const tools: readonly Tool[] = [
  alertmanager,
  awsCloudwatch,
  azureMonitor,
  betterstack,
  checkmk,
  datadog,
  elasticKibana,
  email,
  gcpMonitoring,
  goalert,
  grafana,
  grafanaOncall,
  healthchecksIo,
  icinga2,
  nagios,
  netdata,
  newrelic,
  opensearch,
  opsgenieAlertApi,
  pagerdutyEvents,
  pingdom,
  prometheus,
  sentry,
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
