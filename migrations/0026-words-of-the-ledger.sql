-- The ledger is stored under the terms of the field. Types and details of timeline entries, which the
-- chains of timelines cover, are renamed by the next start, which has the key:
-- src/storage/ledger/rename-entries.ts.
alter table events rename column door to source;
alter table events rename constraint door_is_known to source_is_known;

alter table timeline rename column says to text;
alter table timeline rename column place to sequence;

alter table outbox rename column receiver to recipient_key;
alter table outbox rename column line to ordering_key;
alter table outbox rename column place to sequence;
alter sequence outbox_places rename to outbox_sequence;
alter index outbox_receivers rename to outbox_by_recipient;
alter index outbox_queued rename to outbox_ordered;

alter table attempts rename column attempts_then to attempts_claimed;

alter table failing_webhooks rename column told_at to notified_at;

alter table schedule_watches rename to shift_cursors;
alter table shift_cursors rename column looked_at to advanced_to;
alter table shift_cursors rename constraint schedule_watches_pkey to shift_cursors_pkey;
alter table shift_cursors
  rename constraint schedule_watches_organization_id_oncall_schedule_id_fkey
  to shift_cursors_organization_id_oncall_schedule_id_fkey;
alter index watches_due rename to shift_cursors_due;
alter index one_standing_version rename to one_active_version;

alter table idempotent_answers rename column made_id to created_id;

alter function give_audit_sequence() rename to assign_audit_sequence;
alter trigger audit_log_is_in_order on audit_log rename to audit_sequence_is_assigned;

-- As text: json may hold what jsonb and the operators of json refuse, such as \u0000 and numbers
-- beyond all bounds, and one such document must not stop the migration.
with renamed as (
  select organization_id, id,
    regexp_replace(
      regexp_replace(escalation::text, '"heldMs"\s*:', '"stepRemainingMs":'),
      '"stormToldAt"\s*:', '"stormNotifiedAt":') as document
  from incidents where json_typeof(escalation) = 'object'
)
update incidents i
set escalation = case
  when r.document ~ '"stormNotifiedAt"\s*:' then r.document
  else regexp_replace(r.document, '^\s*\{(?=\s*")', '{"stormNotifiedAt":null,')
end::json
from renamed r
where i.organization_id = r.organization_id and i.id = r.id;
