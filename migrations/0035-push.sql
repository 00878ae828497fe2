-- Browsers that take pushes. Whoever has a subscription can send to the device, so it is sealed; the
-- address is what is shown of it.
alter table contacts add column subscription_encrypted text;

-- Why a contact that was verified is so no more, such as a device that takes no pushes any more.
alter table contacts
  add column state text,
  add column state_reason text,
  add column state_at timestamptz;
