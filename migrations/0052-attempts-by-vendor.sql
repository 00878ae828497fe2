-- Whether a call or SMS that a vendor lists is known to be an attempt of another notice.
create index attempts_by_vendor on attempts (vendor_id) where vendor_id is not null;
