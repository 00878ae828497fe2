import { alertRoutingRule } from './alert-routing-rule.ts';
import type { Resource } from './declaration/resource.ts';
import { escalationPolicy } from './escalation-policy.ts';
import { integration } from './integration.ts';
import { oncallSchedule } from './oncall-schedule.ts';
import { outboundWebhook } from './outbound-webhook.ts';
import { playbook } from './playbook.ts';
import { service } from './service.ts';

/** The six records that a team declares, in the order they can be created. */
export const resources = [
  service,
  escalationPolicy,
  integration,
  alertRoutingRule,
  outboundWebhook,
  oncallSchedule,
] as const satisfies readonly Resource[];

/** All that a team keeps: the six records that Terraform declares too, and its playbooks. */
export const records = [...resources, playbook] as const satisfies readonly Resource[];
