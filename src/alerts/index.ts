import type { HttpRequest, Json } from './alert.ts';
import type { IntegrationType } from './integration-type.ts';
import type { Tool } from './reading/notation.ts';
import { compiled, integrationTypeOf } from './reading/tool.ts';
import { alertmanager } from './types/alertmanager.ts';
import { awsCloudwatch } from './types/aws-cloudwatch.ts';
import { email } from './types/email.ts';
import { goalert } from './types/goalert.ts';
import { grafana } from './types/grafana.ts';
import { grafanaOncall } from './types/grafana-oncall.ts';
import { opsgenieAlertApi } from './types/opsgenie-alert-api.ts';
import { pagerdutyEvents } from './types/pagerduty-events-v2.ts';
import { prometheus } from './types/prometheus.ts';
import { uptimeKuma } from './types/uptime-kuma.ts';
import { victorops } from './types/victorops.ts';
import { webhook } from './types/webhook.ts';

/** By slug. */
export const tools: readonly Tool[] = [
  alertmanager,
  awsCloudwatch,
  email,
  goalert,
  grafana,
  grafanaOncall,
  opsgenieAlertApi,
  pagerdutyEvents,
  prometheus,
  uptimeKuma,
  victorops,
  webhook,
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
