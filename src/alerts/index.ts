import type { HttpRequest, IntegrationType, Json } from './alert.ts';
import type { Tool } from './reading/notation.ts';
import { compiled, integrationTypeOf } from './reading/tool.ts';
import { alertmanager } from './types/alertmanager.ts';
import { apexPing } from './types/apex-ping.ts';
import { appdynamics } from './types/appdynamics.ts';
import { appsignal } from './types/appsignal.ts';
import { awsCloudwatch } from './types/aws-cloudwatch.ts';
import { axiom } from './types/axiom.ts';
import { collectd } from './types/collectd.ts';
import { coralogix } from './types/coralogix.ts';
import { cronitor } from './types/cronitor.ts';
import { dash0 } from './types/dash0.ts';
import { deadMansSnitch } from './types/dead-mans-snitch.ts';
import { email } from './types/email.ts';
import { grafana } from './types/grafana.ts';
import { hetrixtools } from './types/hetrixtools.ts';
import { honeybadger } from './types/honeybadger.ts';
import { hyperping } from './types/hyperping.ts';
import { loki } from './types/loki.ts';
import { mimir } from './types/mimir.ts';
import { netbox } from './types/netbox.ts';
import { opsgenieWebhook } from './types/opsgenie-webhook.ts';
import { pagerdutyWebhookV3 } from './types/pagerduty-webhook-v3.ts';
import { prometheus } from './types/prometheus.ts';
import { pulsetic } from './types/pulsetic.ts';
import { riemann } from './types/riemann.ts';
import { signoz } from './types/signoz.ts';
import { snmptrap } from './types/snmptrap.ts';
import { statusgator } from './types/statusgator.ts';
import { statuspage } from './types/statuspage.ts';
import { thanos } from './types/thanos.ts';
import { thousandeyes } from './types/thousandeyes.ts';
import { uptimeCom } from './types/uptime-com.ts';
import { uptimeKuma } from './types/uptime-kuma.ts';
import { victoriametrics } from './types/victoriametrics.ts';
import { vmwareVrealize } from './types/vmware-vrealize.ts';
import { wazuh } from './types/wazuh.ts';
import { webhook } from './types/webhook.ts';

/** The tools that are written down in the notation of src/alerts/reading. */
const tools: readonly Tool[] = [
  alertmanager,
  apexPing,
  appdynamics,
  appsignal,
  awsCloudwatch,
  axiom,
  collectd,
  coralogix,
  cronitor,
  dash0,
  deadMansSnitch,
  grafana,
  hetrixtools,
  honeybadger,
  hyperping,
  loki,
  mimir,
  netbox,
  opsgenieWebhook,
  pagerdutyWebhookV3,
  pulsetic,
  riemann,
  signoz,
  snmptrap,
  statusgator,
  statuspage,
  thanos,
  thousandeyes,
  uptimeCom,
  uptimeKuma,
  victoriametrics,
  vmwareVrealize,
  wazuh,
];

/** Which tool sends such a body, by the first declaration that fits exactly. */
const recognise = (request: HttpRequest, json: Json): string | undefined =>
  tools.find((tool) => compiled(tool).recognises(request, json))?.name;

/** Every kind of tool that can send alerts, by slug. */
export const integrationTypes: readonly IntegrationType[] = [
  ...[email, prometheus, webhook],
  ...tools.map((tool) => integrationTypeOf(tool, recognise)),
].sort((one, other) => (one.slug < other.slug ? -1 : 1));
