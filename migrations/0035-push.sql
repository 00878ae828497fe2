-- Browsers that take pushes. Whoever has a subscription can send to the device, so it is sealed; the
-- address is what is shown of it.
alter table contacts add column subscription_encrypted text;

-- Why a contact that was verified is so no more, such as a device that takes no pushes any more.
alter table contacts
  add column state text,
  add column state_reason text,
  add column state_at timestamptz;

-- A server of 0.1.0 takes any text for the address, and would store a subscription readable.
alter table contacts add constraint contacts_subscription_sealed
  check (channel <> 'push-notification' or address not like 'web:%') not valid;
