-- What the request made, from the commit that made it: an answer may be lost, this is not.
alter table idempotent_answers add column made_id pager_id;
