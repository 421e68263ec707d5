-- What SQL users read, in Telltale's own database, which they cannot enter: the functions of offered-database.sql ask these over a connection of the
-- reader's. All are functions with bodies of text, because a view would keep a later version from changing the tables below it.
-- Applied as a whole whenever it has changed (prepare.ts).

DROP SCHEMA IF EXISTS sql_access CASCADE;
CREATE SCHEMA sql_access;

-- Numbers in the bytes of a coded block (server/src/readings/columns.ts), little endian.

CREATE FUNCTION sql_access.uint4(bytes bytea, place int) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT get_byte(bytes, place) + (get_byte(bytes, place + 1) << 8) + (get_byte(bytes, place + 2) << 16) + (get_byte(bytes, place + 3)::bigint << 24)
$$;

-- Powers of two are split so that none of them is too small or too large for a number: each product is exact.
CREATE FUNCTION sql_access.double_of(bytes bytea, place int) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  high bigint := sql_access.uint4(bytes, place + 4);
  exponent int := (high >> 20) & 2047;
  fraction bigint := ((high & 1048575) << 32) + sql_access.uint4(bytes, place);
  size float8;
BEGIN
  size := CASE
    WHEN exponent = 2047 THEN CASE WHEN fraction = 0 THEN 'Infinity'::float8 ELSE 'NaN'::float8 END
    WHEN exponent = 0 THEN fraction * power(2::float8, -537) * power(2::float8, -537)
    ELSE (fraction + 4503599627370496) * power(2::float8, -52) * power(2::float8, exponent - 1023)
  END;
  RETURN CASE WHEN high >= 2147483648 THEN -size ELSE size END;
END $$;

CREATE FUNCTION sql_access.single_of(bytes bytea, place int) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  bits bigint := sql_access.uint4(bytes, place);
  exponent int := (bits >> 23) & 255;
  fraction bigint := bits & 8388607;
  size float8;
BEGIN
  size := CASE
    WHEN exponent = 255 THEN CASE WHEN fraction = 0 THEN 'Infinity'::float8 ELSE 'NaN'::float8 END
    WHEN exponent = 0 THEN fraction * power(2::float8, -149)
    ELSE (fraction + 8388608) * power(2::float8, exponent - 150)
  END;
  RETURN CASE WHEN bits >= 2147483648 THEN -size ELSE size END;
END $$;

-- Where a column of so many numbers that begins at a place ends.
CREATE FUNCTION sql_access.column_end(bytes bytea, place int, length int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT place + 10 + length * CASE get_byte(bytes, place) WHEN 5 THEN 4 ELSE get_byte(bytes, place) END
$$;

-- So many numbers of a column that begins at a place, from the index `first`.
CREATE FUNCTION sql_access.numbers(bytes bytea, place int, first int, length int) RETURNS float8[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  kind int := get_byte(bytes, place);
  divisor float8 := (ARRAY[1, 10, 100, 1000, 10000])[get_byte(bytes, place + 1) + 1];
  base float8 := sql_access.double_of(bytes, place + 2);
  start int := place + 10 + first * CASE kind WHEN 5 THEN 4 ELSE kind END;
BEGIN
  RETURN CASE kind
    WHEN 0 THEN array_fill(base / divisor, ARRAY[length])
    WHEN 1 THEN ARRAY(SELECT (base + get_byte(bytes, start + i)) / divisor FROM generate_series(0, length - 1) AS i)
    WHEN 2 THEN ARRAY(SELECT (base + get_byte(bytes, start + 2 * i) + (get_byte(bytes, start + 2 * i + 1) << 8)) / divisor
                        FROM generate_series(0, length - 1) AS i)
    WHEN 4 THEN ARRAY(SELECT (base + sql_access.uint4(bytes, start + 4 * i)) / divisor FROM generate_series(0, length - 1) AS i)
    WHEN 5 THEN ARRAY(SELECT sql_access.single_of(bytes, start + 4 * i) FROM generate_series(0, length - 1) AS i)
    WHEN 8 THEN ARRAY(SELECT sql_access.double_of(bytes, start + 8 * i) FROM generate_series(0, length - 1) AS i)
  END;
END $$;

-- A channel's readings in a coded block (server/src/readings/block.ts). None of a block that an older version wrote or that is damaged.
CREATE FUNCTION sql_access.run_of(coded bytea, channel int) RETURNS TABLE (ts bigint, value float8, status smallint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  -- A copy in memory: otherwise every byte that is read would read the whole block from the table.
  bytes bytea := substring(coded FROM 1);
  channels int;
  readings int;
  firsts int := 16;
  steps int;
  vals int;
  ids int;
  counts int;
  stats int;
  index int;
  start int := 0;
  id float8;
  found float8[];
  lengths float8[];
BEGIN
  IF get_byte(bytes, 0) <> 2 THEN RETURN; END IF;
  channels := sql_access.uint4(bytes, 8);
  readings := sql_access.uint4(bytes, 12);
  steps := sql_access.column_end(bytes, firsts, channels);
  vals := sql_access.column_end(bytes, steps, readings - channels);
  ids := sql_access.column_end(bytes, sql_access.column_end(bytes, vals, readings), channels);
  counts := sql_access.column_end(bytes, ids, channels);
  stats := sql_access.column_end(bytes, counts, channels);
  found := sql_access.numbers(bytes, ids, 0, channels);
  IF NOT channel = ANY(found) THEN RETURN; END IF;
  lengths := sql_access.numbers(bytes, counts, 0, channels);
  FOR index IN 1..channels LOOP
    IF found[index] = channel THEN
      RETURN QUERY
        SELECT (sql_access.numbers(bytes, firsts, index - 1, 1))[1]::bigint + coalesce(sum(r.step) OVER (ORDER BY r.n), 0)::bigint, r.val, r.stat::smallint
          -- Each channel before this one has one step less than readings.
          FROM unnest(0::float8 || sql_access.numbers(bytes, steps, start - index + 1, lengths[index]::int - 1),
                      sql_access.numbers(bytes, vals, start, lengths[index]::int),
                      sql_access.numbers(bytes, stats, start, lengths[index]::int)) WITH ORDINALITY AS r(step, val, stat, n);
    END IF;
    start := start + lengths[index]::int;
  END LOOP;
EXCEPTION WHEN array_subscript_error THEN RETURN;
END $$;

-- A channel's readings that are not in packed hours yet, in any order, some perhaps twice. Times are epoch milliseconds, both included. Without blocks that
-- PostgreSQL cannot read any more.
CREATE FUNCTION sql_access.unpacked(channel int, from_ts bigint, to_ts bigint) RETURNS TABLE (ts bigint, value float8, status smallint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  device int;
  coded bytea;
BEGIN
  SELECT device_id INTO device FROM channels WHERE channel_id = channel;
  FOR coded IN
    SELECT c.readings FROM chunks c
     WHERE c.device_group = ((device >> 4) % 64)::int2 AND c.device_id = device AND (c.channel_id IS NULL OR c.channel_id = channel)
       AND c.hour BETWEEN from_ts / 3600000 AND to_ts / 3600000 AND c.first_ts <= to_ts AND c.last_ts >= from_ts AND c.damage IS NULL
    UNION ALL
    SELECT b.readings FROM batches b
     WHERE b.device_group = ((device >> 4) % 64)::int2 AND b.device_ids @> ARRAY[device] AND b.first_ts <= to_ts AND b.last_ts >= from_ts AND b.damage IS NULL
  LOOP
    BEGIN
      RETURN QUERY SELECT r.ts, r.value, r.status FROM sql_access.run_of(coded, channel) AS r WHERE r.ts BETWEEN from_ts AND to_ts;
    EXCEPTION WHEN data_corrupted OR index_corrupted OR io_error THEN NULL;
    END;
  END LOOP;
END $$;

-- A channel's packed readings of some hours, oldest first.
CREATE FUNCTION sql_access.packed(channel int, first_hour int, last_hour int) RETURNS TABLE (hour int, ts bigint, value float8, status smallint)
LANGUAGE sql STABLE AS $$
  SELECT p.hour, p.hour::bigint * 3600000 + sum(r.step) OVER (PARTITION BY p.hour ORDER BY r.n), r.value, coalesce(r.status, 1)::smallint
    FROM packed_hours p CROSS JOIN LATERAL unnest(p.steps, p.values, p.statuses) WITH ORDINALITY AS r(step, value, status, n)
   WHERE p.channel_id = channel AND p.hour BETWEEN first_hour AND last_hour
$$;

-- The plant of a SQL user. Raises an error when it has been removed.
CREATE FUNCTION sql_access.plant_of(sql_user text) RETURNS int LANGUAGE plpgsql STABLE AS $$
DECLARE
  plant int;
BEGIN
  SELECT plant_id INTO plant FROM sql_users WHERE role_name = sql_user;
  IF plant IS NULL THEN RAISE insufficient_privilege USING MESSAGE = format('SQL user %s was removed', sql_user); END IF;
  RETURN plant;
END $$;

-- Raises an error unless the channel is one of the SQL user's plant.
CREATE FUNCTION sql_access.check_channel(sql_user text, channel int) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM FROM channels c JOIN devices d USING (device_id) WHERE c.channel_id = channel AND d.plant_id = sql_access.plant_of(sql_user);
  IF NOT FOUND THEN
    RAISE insufficient_privilege USING MESSAGE = format('Your plant has no channel %s', coalesce(channel::text, 'NULL')), HINT = 'The view "channels" lists them.';
  END IF;
END $$;

-- What offered-database.sql asks. `sql_user` is the role of the session, epoch milliseconds are both included.

CREATE FUNCTION sql_access.devices(sql_user text)
RETURNS TABLE (device_id int, unit_id text, serial text, part_number text, name text, master_id int, is_online boolean, is_disabled boolean, first_seen timestamptz, last_seen timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.device_id, d.device_sn_id, own.serial, d.device_sn, d.device_name, d.parent_device_id, d.is_online, d.is_disabled, d.first_seen_time, d.last_seen_time
    FROM devices d LEFT JOIN provisioned_devices own USING (device_id, plant_id) WHERE d.plant_id = sql_access.plant_of(sql_user)
$$;

CREATE FUNCTION sql_access.channels(sql_user text)
RETURNS TABLE (channel_id int, device_id int, device text, code text, name text, group_name text, unit text, is_enabled boolean, last_ts bigint, last_value float8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.channel_id, c.device_id, d.device_name, c.channel_cn, c.channel_name, c.group_name, p.settings ->> 'unit', c.channel_switch, l.ts,
         CASE WHEN l.status < 2 THEN l.value END
    FROM devices d JOIN channels c USING (device_id) LEFT JOIN latest l USING (channel_id)
         LEFT JOIN settings_periods p ON p.channel_id = c.channel_id AND p.end_time IS NULL
   WHERE d.plant_id = sql_access.plant_of(sql_user)
$$;

CREATE FUNCTION sql_access.alerts(sql_user text, from_ts bigint, to_ts bigint)
RETURNS TABLE (alert_id int, device_id int, channel_id int, name text, priority int, value float8, unit text, threshold float8, peak float8,
               raised timestamptz, cleared timestamptz, confirmed timestamptz, was_silenced boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  -- An alert of a channel's own limits has no rule with a name.
  SELECT a.alert_id, a.device_id, a.channel_id,
         coalesce(nullif(a.alarm_name, ''), nullif(a.msg, ''), concat_ws(' ', c.channel_name, (ARRAY['High', 'Low', 'System', 'DI', 'Counting', 'DO'])[a.alarm_type])),
         a.priority, a.value, a.value_unit, a.threshold, a.peak, a.created_time, a.cleared_time, a.accept_time, a.was_silent
    FROM alerts a LEFT JOIN channels c USING (channel_id)
   WHERE a.plant_id = sql_access.plant_of(sql_user) AND a.created_time BETWEEN to_timestamp(from_ts / 1000.0) AND to_timestamp(to_ts / 1000.0)
$$;

CREATE FUNCTION sql_access.readings(sql_user text, channel int, from_ts bigint, to_ts bigint) RETURNS TABLE (ts bigint, value float8, status smallint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM sql_access.check_channel(sql_user, channel);
  -- Equal readings once, with the gravest status: one that was sent again may be packed and unpacked, and is not judged again.
  RETURN QUERY
    SELECT DISTINCT ON (r.ts, r.value) r.ts, r.value, r.status
      FROM (SELECT p.ts, p.value, p.status FROM sql_access.packed(channel, (from_ts / 3600000)::int, (to_ts / 3600000)::int) AS p
            UNION ALL SELECT u.ts, u.value, u.status FROM sql_access.unpacked(channel, from_ts, to_ts) AS u) AS r
     WHERE r.ts BETWEEN from_ts AND to_ts ORDER BY r.ts, r.value, r.status;
END $$;

-- A line of at most so many points, 1 or more, from the summaries of hours or minutes, or from the readings, whichever the distance of two points needs. Hours at
-- the ends of the range and hours with unpacked readings are read reading by reading. A summary counts at its middle. Of hours whose readings are no longer
-- kept there is only their summary, at any distance, and whole where the range cuts them: which readings lay in the range is not known.
CREATE FUNCTION sql_access.chart(sql_user text, channel int, from_ts bigint, to_ts bigint, points int)
RETURNS TABLE (ts bigint, min float8, max float8, avg float8, count bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  hour_length constant bigint := 3600000;
  distance float8 := greatest(1, (to_ts - from_ts)::float8 / greatest(points, 1));
  -- What summaries of hours or minutes are put together from begins and ends at full ones.
  whole bigint := CASE WHEN distance >= hour_length THEN hour_length WHEN distance >= 60000 THEN 60000 ELSE 1 END;
  width float8 := CASE WHEN whole = 1 THEN distance ELSE ceil(distance / whole) * whole END;
  origin bigint := from_ts / whole * whole;
  most int := greatest(points, 1) - (whole = 1)::int;
  first_hour int := from_ts / hour_length;
  last_hour int := to_ts / hour_length;
  hot_ts bigint[];
  hot_values float8[];
  -- Packed hours that are read reading by reading, though their summaries would do for the distance.
  single_hours int[];
BEGIN
  PERFORM sql_access.check_channel(sql_user, channel);
  IF points IS NULL OR points < 1 THEN
    RAISE invalid_parameter_value USING MESSAGE = format('A chart of %s points is none: give 1 or more', coalesce(points::text, 'NULL'));
  END IF;
  SELECT array_agg(u.ts), array_agg(u.value) INTO hot_ts, hot_values FROM sql_access.unpacked(channel, from_ts, to_ts) AS u;
  single_hours := ARRAY(SELECT DISTINCT t / hour_length FROM unnest(hot_ts) AS t);
  IF from_ts > first_hour * hour_length THEN single_hours := single_hours || first_hour; END IF;
  IF to_ts < (last_hour + 1) * hour_length - 1 THEN single_hours := single_hours || last_hour; END IF;
  single_hours := ARRAY(SELECT p.hour FROM packed_hours p
                         WHERE p.channel_id = channel AND p.hour = ANY (single_hours) AND p.hour BETWEEN first_hour AND last_hour);
  RETURN QUERY
    WITH pieces AS (
      SELECT s.hour * hour_length + hour_length / 2 AS at, s.min AS low, s.max AS high, s.sum AS total, s.count::bigint AS number
        FROM hour_summaries s
       WHERE distance >= hour_length AND s.channel_id = channel AND s.hour BETWEEN first_hour AND last_hour AND s.hour <> ALL (single_hours)
      UNION ALL
      SELECT s.hour * hour_length + coalesce((m.n - 1) * 60000 + 30000, hour_length / 2), coalesce(m.low, s.min), coalesce(m.high, s.max),
             coalesce(m.mean * m.number, s.sum), coalesce(m.number, s.count)
        FROM hour_summaries s
             LEFT JOIN packed_hours p ON p.channel_id = channel AND p.hour = s.hour AND p.hour BETWEEN first_hour AND last_hour
             LEFT JOIN LATERAL unnest(coalesce(p.minute_counts, p.minute_count::int[]), p.minute_min, p.minute_max, p.minute_avg)
                       WITH ORDINALITY AS m(number, low, high, mean, n) ON m.number > 0
       WHERE distance < hour_length AND s.channel_id = channel AND s.hour BETWEEN first_hour AND last_hour
         AND s.hour <> ALL (single_hours) AND (p.hour IS NULL OR (distance >= 60000 AND p.minute_min IS NOT NULL))
      UNION ALL
      SELECT r.ts, r.value, r.value, r.value, 1
        FROM (SELECT p.ts, p.value FROM packed_hours k CROSS JOIN LATERAL sql_access.packed(channel, k.hour, k.hour) AS p
               WHERE k.channel_id = channel AND k.hour BETWEEN first_hour AND last_hour
                 AND (distance < 60000 OR k.hour = ANY (single_hours) OR (distance < hour_length AND k.minute_min IS NULL))
              UNION SELECT * FROM unnest(hot_ts, hot_values)) AS r
       WHERE r.ts BETWEEN from_ts AND to_ts
    )
    SELECT origin + (least(floor((least(greatest(p.at, from_ts), to_ts) - origin) / width), most) * width)::bigint AS bucket,
           min(p.low), max(p.high), sum(p.total) / sum(p.number), sum(p.number)::bigint
      FROM pieces p GROUP BY bucket ORDER BY bucket;
END $$;

-- For the one role that asks: the functions' names are of no use to any other.
GRANT USAGE ON SCHEMA sql_access TO telltale_sql_reader;
