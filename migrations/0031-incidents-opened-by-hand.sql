-- An incident that a person opens has no integration.
alter table incidents
  alter column integration_id drop not null,
  alter column source_integration_id drop not null;
