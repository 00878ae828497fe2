import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { integration } from '../../resources/integration.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { playbook } from '../../resources/playbook.ts';
import { playbookHooks, ruleHooks } from './actions.ts';
import { policyHooks } from './escalation-policy.ts';
import { integrationHooks } from './integration.ts';
import { scheduleHooks } from './oncall-schedule.ts';
import { webhookHooks } from './outbound-webhook.ts';
import type { RecordHooks } from './record-hooks.ts';

const hooks: Readonly<Record<string, RecordHooks>> = {
  [alertRoutingRule.name]: ruleHooks,
  [escalationPolicy.name]: policyHooks,
  [integration.name]: integrationHooks,
  [oncallSchedule.name]: scheduleHooks,
  [outboundWebhook.name]: webhookHooks,
  [playbook.name]: playbookHooks,
};

const none: RecordHooks = {};

/** What the API does for this record alone. */
export const hooksOf = ({ name }: Pick<Resource, 'name'>): RecordHooks => hooks[name] ?? none;
