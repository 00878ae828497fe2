import type { HttpRequest, IntegrationType, Json } from './alert.ts';
import type { Tool } from './reading/notation.ts';
import { compiled, integrationTypeOf } from './reading/tool.ts';
import { alertmanager } from './types/alertmanager.ts';
import { awsCloudwatch } from './types/aws-cloudwatch.ts';
import { azureMonitor } from './types/azure-monitor.ts';
import { datadog } from './types/datadog.ts';
import { email } from './types/email.ts';
import { gcpMonitoring } from './types/gcp-monitoring.ts';
import { grafana } from './types/grafana.ts';
import { newrelic } from './types/newrelic.ts';
import { prometheus } from './types/prometheus.ts';
import { sentry } from './types/sentry.ts';
import { uptimeKuma } from './types/uptime-kuma.ts';
import { webhook } from './types/webhook.ts';
import { zabbix } from './types/zabbix.ts';

/** The tools that are written down in the notation of src/alerts/reading. */
const tools: readonly Tool[] = [
  alertmanager,
  awsCloudwatch,
  azureMonitor,
  datadog,
  gcpMonitoring,
  grafana,
  newrelic,
  sentry,
  uptimeKuma,
  zabbix,
];

/** Which tool sends such a body, by the first declaration that fits exactly. */
const recognise = (request: HttpRequest, json: Json): string | undefined =>
  tools.find((tool) => compiled(tool).recognises(request, json))?.name;

/** Every kind of tool that can send alerts, by slug. */
export const integrationTypes: readonly IntegrationType[] = [
  ...[email, prometheus, webhook],
  ...tools.map((tool) => integrationTypeOf(tool, recognise)),
].sort((one, other) => (one.slug < other.slug ? -1 : 1));
