import type { HttpRequest, Json } from './alert.ts';
import type { IntegrationType } from './integration-type.ts';
import type { Tool } from './reading/notation.ts';
import { compiled, integrationTypeOf } from './reading/tool.ts';
import { alertmanager } from './types/alertmanager.ts';
import { argocd } from './types/argocd.ts';
import { awsCloudwatch } from './types/aws-cloudwatch.ts';
import { awsEventbridge } from './types/aws-eventbridge.ts';
import { awsSns } from './types/aws-sns.ts';
import { bugsnag } from './types/bugsnag.ts';
import { checkly } from './types/checkly.ts';
import { cloudevents } from './types/cloudevents.ts';
import { cloudflare } from './types/cloudflare.ts';
import { dynatrace } from './types/dynatrace.ts';
import { elastalert } from './types/elastalert.ts';
import { email } from './types/email.ts';
import { github } from './types/github.ts';
import { gitlab } from './types/gitlab.ts';
import { goalert } from './types/goalert.ts';
import { grafana } from './types/grafana.ts';
import { grafanaOncall } from './types/grafana-oncall.ts';
import { graylog } from './types/graylog.ts';
import { jira } from './types/jira.ts';
import { kapacitor } from './types/kapacitor.ts';
import { librenms } from './types/librenms.ts';
import { logicmonitor } from './types/logicmonitor.ts';
import { monit } from './types/monit.ts';
import { opsgenieAlertApi } from './types/opsgenie-alert-api.ts';
import { pagerdutyEvents } from './types/pagerduty-events-v2.ts';
import { prometheus } from './types/prometheus.ts';
import { prtg } from './types/prtg.ts';
import { rollbar } from './types/rollbar.ts';
import { site24x7 } from './types/site24x7.ts';
import { slackWebhook } from './types/slack-webhook.ts';
import { splunk } from './types/splunk.ts';
import { splunkObservability } from './types/splunk-observability.ts';
import { uptimeKuma } from './types/uptime-kuma.ts';
import { victorops } from './types/victorops.ts';
import { webhook } from './types/webhook.ts';

/** By slug. */
const tools: readonly Tool[] = [
  alertmanager,
  argocd,
  awsCloudwatch,
  awsEventbridge,
  awsSns,
  bugsnag,
  checkly,
  cloudevents,
  cloudflare,
  dynatrace,
  elastalert,
  email,
  github,
  gitlab,
  goalert,
  grafana,
  grafanaOncall,
  graylog,
  jira,
  kapacitor,
  librenms,
  logicmonitor,
  monit,
  opsgenieAlertApi,
  pagerdutyEvents,
  prometheus,
  prtg,
  rollbar,
  site24x7,
  slackWebhook,
  splunk,
  splunkObservability,
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
