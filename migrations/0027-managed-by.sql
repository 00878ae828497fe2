-- Which tool says that it manages a record, and in which of its workspaces. Nobody has said so far.
alter table services add column managed_by json;
alter table escalation_policies add column managed_by json;
alter table integrations add column managed_by json;
alter table alert_routing_rules add column managed_by json;
alter table outbound_webhooks add column managed_by json;
alter table oncall_schedules add column managed_by json;
alter table playbooks add column managed_by json;
