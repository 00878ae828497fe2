import type { Resource } from '../../resources/declaration/resource.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { integration } from '../../resources/integration.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { playbook } from '../../resources/playbook.ts';
import { scheduleHooks } from '../oncall/revisions.ts';
import { webhookHooks } from '../webhooks/secrets.ts';
import { integrationHooks } from './integration-token.ts';
import { playbookHooks } from './playbook-runs.ts';
import { policyHooks } from './policy-replacement.ts';
import type { RecordHooks } from './record-hooks.ts';

const hooks: Readonly<Record<string, RecordHooks>> = {
  [escalationPolicy.name]: policyHooks,
  [integration.name]: integrationHooks,
  [oncallSchedule.name]: scheduleHooks,
  [outboundWebhook.name]: webhookHooks,
  [playbook.name]: playbookHooks,
};

const none: RecordHooks = {};

/** What storing this record entails beyond its row. */
export const hooksOf = ({ name }: Pick<Resource, 'name'>): RecordHooks => hooks[name] ?? none;
