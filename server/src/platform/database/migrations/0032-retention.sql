-- Readings are kept as long as the operator or the owner says; summaries of their hours stay. So the two are apart: `hour_summaries` for ever, and
-- `packed_hours` by months, which are dropped whole.

-- What is known of one channel's hour, also when its readings are no longer kept.
CREATE TABLE hour_summaries (
  channel_id int NOT NULL,
  hour       int NOT NULL,                                -- hours since the epoch
  count      int NOT NULL,
  min        float8 NOT NULL,
  max        float8 NOT NULL,
  sum        float8 NOT NULL,
  PRIMARY KEY (channel_id, hour)
);
INSERT INTO hour_summaries (channel_id, hour, count, min, max, sum) SELECT channel_id, hour, count, min, max, sum FROM packed_hours;

ALTER TABLE packed_hours RENAME TO packed_hours_before;
ALTER INDEX packed_hours_pkey RENAME TO packed_hours_before_pkey;
ALTER TABLE packed_hours_before DROP COLUMN min, DROP COLUMN max, DROP COLUMN sum;
-- Partitions are created when they are needed (server/src/telemetry/history/months.ts).
CREATE TABLE packed_hours (
  channel_id    int NOT NULL,
  hour          int NOT NULL,
  count         int NOT NULL,
  minute_count  smallint[],
  minute_min    float8[],
  minute_max    float8[],
  minute_avg    float8[],
  steps         int[] NOT NULL,
  values        float8[] NOT NULL,
  statuses      smallint[],
  minute_counts int[],
  PRIMARY KEY (channel_id, hour)
) PARTITION BY RANGE (hour);
-- What was packed before this version stays together: to divide it would write it anew, which is hours of standstill and twice the disk where years
-- are packed. It is dropped when its last month goes.
DO $$
DECLARE
  newest int;
  month  timestamp;
BEGIN
  SELECT max(hour) INTO newest FROM packed_hours_before;
  IF newest IS NULL THEN
    DROP TABLE packed_hours_before;
    RETURN;
  END IF;
  month := date_trunc('month', greatest(to_timestamp(newest::float8 * 3600), now()) AT TIME ZONE 'UTC') + interval '1 month';
  EXECUTE format('ALTER TABLE packed_hours ATTACH PARTITION packed_hours_before FOR VALUES FROM (MINVALUE) TO (%s)',
                 extract(epoch FROM month AT TIME ZONE 'UTC')::bigint / 3600);
END $$;

-- Readings before this time are kept as summaries of hours only, and refused when they arrive. It only grows; rows of `packed_hours` before it go.
ALTER TABLE devices ADD COLUMN readings_from timestamptz;
-- How many months the owner keeps readings; null: as long as the plant, or the operator, says.
ALTER TABLE devices ADD COLUMN months_kept int CHECK (months_kept BETWEEN 1 AND 1200);
ALTER TABLE plants ADD COLUMN months_kept int CHECK (months_kept BETWEEN 1 AND 1200);

-- Packed readings of a device by month (UTC), kept up to date by packing, so that what a device uses need not be counted.
CREATE TABLE stored_months (
  device_id int NOT NULL,
  month     int NOT NULL,                                 -- years * 12 + months from 0
  readings  bigint NOT NULL,
  PRIMARY KEY (device_id, month)
);
INSERT INTO stored_months (device_id, month, readings)
SELECT c.device_id, (extract(year FROM t.moment) * 12 + extract(month FROM t.moment) - 1)::int, sum(s.count)
  FROM hour_summaries s JOIN channels c USING (channel_id) CROSS JOIN LATERAL (SELECT to_timestamp(s.hour::float8 * 3600) AT TIME ZONE 'UTC' AS moment) t
 GROUP BY 1, 2;

-- Devices whose readings exceed the storage space of their package, since their people were told.
CREATE TABLE storage_notices (
  device_id    int PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  gigabytes    int NOT NULL,                              -- the storage space that is exceeded
  noticed_time timestamptz NOT NULL
);

-- How full the disk of a node's DATA_DIR was, hour by hour, from which follows when it will be full.
CREATE TABLE disk_samples (
  host        text NOT NULL,
  taken_time  timestamptz NOT NULL,
  free_bytes  bigint NOT NULL,
  PRIMARY KEY (host, taken_time)
);
