-- Readable by 0039-narrow-columns.sql and later.

-- The newest reading of each minute of a packed hour, so that a dashboard of the past reads sixty places an hour and not thousands of readings. 61 places:
-- up to the hour's start, and up to the end of each of its minutes; offsets in milliseconds from the hour's start, -1 where the minute has none. Null when
-- the hour has few readings. `newest_of` is the count of the readings that they are of: a server of an earlier version, beside this one, writes the count
-- and not these columns.
ALTER TABLE packed_hours ADD COLUMN newest_of int, ADD COLUMN newest_offsets int[], ADD COLUMN newest_values float8[], ADD COLUMN newest_statuses smallint[];
