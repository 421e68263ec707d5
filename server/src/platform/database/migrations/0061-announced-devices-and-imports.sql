-- Readable by 0039-narrow-columns.sql and later.

-- Who announced a device that is expected to register itself, and the name of the API key by which; null and empty where that was not recorded.
ALTER TABLE provisioned_devices ADD COLUMN announced_by int REFERENCES accounts;
ALTER TABLE provisioned_devices ADD COLUMN announced_key text NOT NULL DEFAULT '';

-- When the newest portion of an import was stored; null before the first. An import that has not moved for 30 days is removed.
ALTER TABLE imports ADD COLUMN stored_time timestamptz;
