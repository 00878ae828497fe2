import { alertRoutingRule } from './alert-routing-rule.ts';
import type { Resource } from './declaration/resource.ts';
import { escalationPolicy } from './escalation-policy.ts';
import { integration } from './integration.ts';
import { oncallSchedule } from './oncall-schedule.ts';
import { outboundWebhook } from './outbound-webhook.ts';
import { playbook } from './playbook.ts';
import { service } from './service.ts';

/** All that a team declares, in the order they can be created. */
export const records = [
  service,
  escalationPolicy,
  integration,
  alertRoutingRule,
  outboundWebhook,
  oncallSchedule,
  playbook,
] as const satisfies readonly Resource[];
