-- The unit that an account was opened for, until and after it is added; asked again for the same unit, the same account is meant.
ALTER TABLE plants ADD COLUMN reserved_device_id int REFERENCES devices;
CREATE INDEX plants_reserved ON plants (reserved_device_id) WHERE reserved_device_id IS NOT NULL;
