-- How many attempts of the notice had been claimed when the outcome of this one was recorded.
alter table attempts add column attempts_then integer;
