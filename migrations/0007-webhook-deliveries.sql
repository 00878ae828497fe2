-- A call of an outbound webhook is a delivery in its log, newest first.
alter table outbox add column delivery_id pager_id;
-- What it says, as it was written for its first try: every later one sends the same bytes.
alter table outbox add column content json;
-- What the other side answered, and how the webhook was called then; its address is encrypted.
alter table attempts add column status integer;
alter table attempts add column called json;
create index outbox_deliveries on outbox (organization_id, receiver, delivery_id)
  where delivery_id is not null;
-- Calls that are there already are told apart by their place, in its order.
update outbox
set delivery_id = lpad(to_hex(extract(epoch from created_at)::bigint), 8, '0')
  || lpad(to_hex(place), 16, '0')
where channel = 'webhook';

-- Webhooks of which no try has succeeded since; a success removes the row.
create table failing_webhooks (
  organization_id pager_id not null,
  outbound_webhook_id pager_id not null,
  failing_since timestamptz not null,
  -- When the team's admins were told.
  told_at timestamptz,
  primary key (organization_id, outbound_webhook_id),
  foreign key (organization_id, outbound_webhook_id) references outbound_webhooks
);
