-- Readable by 0039-narrow-columns.sql and later.

-- A device may be in the plant before it registers itself: until then no key has added it.
ALTER TABLE provisioned_devices ALTER COLUMN key_id DROP NOT NULL;
