-- Whether somebody chose the time zone of the organization. The first start cannot know it, and a
-- choice of UTC looks like none. The release before leaves this as it is.
alter table organizations add column timezone_chosen boolean not null default false;
update organizations set timezone_chosen = true where timezone <> 'Etc/UTC';
