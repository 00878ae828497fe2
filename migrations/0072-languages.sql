-- In which language people get short texts and calls. Null: in that of their organization. A code that a
-- server does not know is read as English.
alter table organizations add column language text not null default 'en';
alter table users add column language text;
