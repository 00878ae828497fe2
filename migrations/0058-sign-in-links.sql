-- A link that signs its person in once. Whoever operates the server makes it, at a terminal.
alter table password_links drop constraint purpose_is_known;
alter table password_links
  add constraint purpose_is_known check (purpose in ('invitation', 'reset', 'sign_in'));
