-- Readings in three ages: `batches` (what commits brought), `chunks` (merged, a row a device and hour), `packed_hours`.
-- A reading may be in more than one place when it was sent repeatedly; readers and packing drop equal ones.

-- Readings of one group of neighbouring devices, as one commit brought them. `readings` is coded: see server/src/readings/block.ts.
CREATE TABLE batches (
  device_group smallint NOT NULL,
  batch_id     bigint GENERATED ALWAYS AS IDENTITY,
  received_ts  bigint NOT NULL,
  first_ts     bigint NOT NULL,
  last_ts      bigint NOT NULL,
  count        int NOT NULL,
  device_ids   int[] NOT NULL,
  readings     bytea NOT NULL,
  -- Why it cannot be read; it is then left out of merging and reading.
  damage       text,
  PRIMARY KEY (device_group, batch_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000,
        autovacuum_vacuum_insert_threshold = -1,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_cost_delay = 0,
        toast.autovacuum_vacuum_insert_threshold = -1);
ALTER TABLE batches ALTER readings SET STORAGE EXTERNAL;

-- Readings of one device within one hour, merged from batches. `channel_id` is set, with its extremes, when the row holds one channel only.
CREATE TABLE chunks (
  device_group smallint NOT NULL,
  device_id    int NOT NULL,
  hour         int NOT NULL,                              -- hours since the epoch
  chunk_id     bigint GENERATED ALWAYS AS IDENTITY,
  channel_id   int,
  first_ts     bigint NOT NULL,
  last_ts      bigint NOT NULL,
  count        int NOT NULL,
  min          float8,
  max          float8,
  readings     bytea NOT NULL,
  damage       text,
  PRIMARY KEY (device_group, device_id, hour, chunk_id)
) WITH (autovacuum_vacuum_insert_threshold = -1);
ALTER TABLE chunks ALTER readings SET STORAGE EXTERNAL;
CREATE INDEX chunks_by_hour ON chunks (hour, device_group, device_id);

-- A commit of a device's readings, and each change of what they are judged by, raises its version. Who judged by an older one starts again.
CREATE TABLE device_versions (
  device_id int PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  version   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
INSERT INTO device_versions (device_id) SELECT device_id FROM devices;
CREATE FUNCTION begin_device_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO device_versions (device_id) VALUES (new.device_id);
  RETURN NULL;
END $$;
CREATE TRIGGER begin_versions AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION begin_device_versions();

-- The unpacked readings of the version before, packed as it did itself. Months that may have a data package already are made anew.
INSERT INTO late_months (device_id, month)
SELECT DISTINCT c.device_id, (extract(year FROM t.moment) * 12 + extract(month FROM t.moment) - 1)::int
  FROM (SELECT DISTINCT channel_id, ts / 3600000 AS hour FROM readings WHERE ts < (extract(epoch FROM now()) * 1000)::bigint - 86400000) AS late
  JOIN channels c USING (channel_id)
  CROSS JOIN LATERAL (VALUES (to_timestamp((late.hour - 12) * 3600) AT TIME ZONE 'UTC'), (to_timestamp((late.hour + 15) * 3600) AT TIME ZONE 'UTC')) AS t(moment)
ON CONFLICT (device_id, month) DO UPDATE SET mark = DEFAULT;
SET LOCAL work_mem = '64MB';
WITH moved AS (
  DELETE FROM readings RETURNING channel_id, ts, value, status
), touched AS (
  SELECT DISTINCT channel_id, (ts / 3600000)::int AS hour FROM moved
), merged AS (
  SELECT DISTINCT ON (channel_id, ts, value) channel_id, ts, value, status, (ts / 3600000)::int AS hour FROM (
    SELECT channel_id, ts, value, status FROM moved
    UNION ALL
    SELECT p.channel_id, p.hour::bigint * 3600000 + sum(u.step) OVER (PARTITION BY p.channel_id, p.hour ORDER BY u.place), u.value, coalesce(u.status, 1)
      FROM packed_hours p JOIN touched USING (channel_id, hour)
           CROSS JOIN LATERAL unnest(p.steps, p.values, p.statuses) WITH ORDINALITY AS u(step, value, status, place)
  ) AS every_reading ORDER BY channel_id, ts, value, status
), stepped AS (
  SELECT channel_id, hour, ts, value, status, (ts - coalesce(lag(ts) OVER (PARTITION BY channel_id, hour ORDER BY ts, value), hour::bigint * 3600000))::int AS step FROM merged
), packed AS (
  SELECT channel_id, hour, count(*)::int AS count, min(value) AS min, max(value) AS max, sum(value) AS sum,
         array_agg(step ORDER BY ts, value) AS steps, array_agg(value ORDER BY ts, value) AS values,
         CASE WHEN bool_or(status <> 1) THEN array_agg(status ORDER BY ts, value) END AS statuses
    FROM stepped GROUP BY channel_id, hour
), minutes AS (
  SELECT s.channel_id, s.hour, ((s.ts / 60000) % 60)::int AS minute, count(*)::int AS count, min(s.value) AS min, max(s.value) AS max, avg(s.value) AS avg
    FROM stepped s JOIN packed p ON p.channel_id = s.channel_id AND p.hour = s.hour AND p.count >= 600 GROUP BY 1, 2, 3
), minute_rows AS (
  SELECT p.channel_id, p.hour, array_agg(coalesce(m.count, 0) ORDER BY g.minute) AS minute_counts, array_agg(m.min ORDER BY g.minute) AS minute_min,
         array_agg(m.max ORDER BY g.minute) AS minute_max, array_agg(m.avg ORDER BY g.minute) AS minute_avg
    FROM packed p CROSS JOIN generate_series(0, 59) AS g(minute) LEFT JOIN minutes m ON m.channel_id = p.channel_id AND m.hour = p.hour AND m.minute = g.minute
   WHERE p.count >= 600 GROUP BY 1, 2
)
INSERT INTO packed_hours (channel_id, hour, count, min, max, sum, minute_counts, minute_min, minute_max, minute_avg, steps, values, statuses)
SELECT p.channel_id, p.hour, p.count, p.min, p.max, p.sum, m.minute_counts, m.minute_min, m.minute_max, m.minute_avg, p.steps, p.values, p.statuses
  FROM packed p LEFT JOIN minute_rows m USING (channel_id, hour)
ON CONFLICT (channel_id, hour) DO UPDATE SET count = excluded.count, min = excluded.min, max = excluded.max, sum = excluded.sum,
  minute_count = NULL, minute_counts = excluded.minute_counts, minute_min = excluded.minute_min, minute_max = excluded.minute_max, minute_avg = excluded.minute_avg,
  steps = excluded.steps, values = excluded.values, statuses = excluded.statuses;
DROP TABLE readings;
