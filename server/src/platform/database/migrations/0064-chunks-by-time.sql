-- Readable by 0039-narrow-columns.sql and later.

-- A chart of the last minute, and the first and the last reading of a channel, had to look at all chunks of the device in the hour: a device of two
-- thousand readings a second has thirty thousand at its end.
CREATE INDEX chunks_by_first ON chunks (device_group, device_id, first_ts);
CREATE INDEX chunks_by_last ON chunks (device_group, device_id, last_ts);
