-- Why what somebody did at a vendor changed nothing, as they were told; null: it changed something.
alter table replies add column unchanged text;
