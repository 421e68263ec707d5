-- Readable by 0039-narrow-columns.sql and later.

-- The newest reading of each minute of a packed hour, so that a dashboard of the past reads one value an hour and not thousands of readings: see
-- server/src/telemetry/packing/newest-of-minutes.ts. Null when the hour has few readings. `newest_of` is the count of the readings that they are of: a
-- server of an earlier version, beside this one, writes the count and not these columns.
ALTER TABLE packed_hours ADD COLUMN newest_of int, ADD COLUMN newest bytea;
