-- The database that SQL users enter: views and functions in the schema "telltale". They ask Telltale's own database over a connection that only their
-- owner may use. It is a database of its own because locks and notices, which PostgreSQL denies nobody, end at a database's border.
-- Applied as a whole, by a superuser, whenever it has changed (prepare.ts).

DROP SCHEMA IF EXISTS telltale CASCADE;
CREATE SCHEMA telltale AUTHORIZATION telltale_sql_owner;
GRANT USAGE ON SCHEMA telltale TO PUBLIC;
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- PostgreSQL lets everybody call these. Locks fill a table that all databases share, so that the server's own statements would fail; large objects,
-- messages in the log of changes and snapshots fill the disk, and temp_file_limit does not count them.
DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
              AND (proname ~ '^(pg_(try_)?advisory_|lo_)' OR proname IN ('loread', 'lowrite', 'pg_export_snapshot', 'pg_logical_emit_message'))
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
  END LOOP;
END $$;

DROP SCHEMA IF EXISTS private CASCADE;
CREATE SCHEMA private;
GRANT USAGE, CREATE ON SCHEMA private TO telltale_sql_owner;
CREATE EXTENSION dblink SCHEMA private;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA private FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA private TO telltale_sql_owner;
CREATE SERVER own FOREIGN DATA WRAPPER dblink_fdw OPTIONS (host {{host}}, port {{port}}, dbname {{database}});
GRANT USAGE ON FOREIGN SERVER own TO telltale_sql_owner;
CREATE USER MAPPING FOR telltale_sql_owner SERVER own OPTIONS (user {{user}}, password {{password}});

SET ROLE telltale_sql_owner;

-- Name of the session's connection to Telltale's own database.
CREATE FUNCTION private.own() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF NOT 'own' = ANY (coalesce(private.dblink_get_connections(), '{}')) THEN PERFORM private.dblink_connect('own', 'own'); END IF;
  RETURN 'own';
END $$;

-- Epoch milliseconds, within what Telltale's functions take.
CREATE FUNCTION private.milliseconds(moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT least(greatest(extract(epoch FROM moment) * 1000, 0), 253402300799999)::bigint
$$;

CREATE FUNCTION private.devices()
RETURNS TABLE (device_id int, unit_id text, serial text, part_number text, name text, master_id int, is_online boolean, is_disabled boolean, first_seen timestamptz, last_seen timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT * FROM private.dblink(private.own(), format('SELECT * FROM sql_access.devices(%L)', session_user))
    AS t(device_id int, unit_id text, serial text, part_number text, name text, master_id int, is_online boolean, is_disabled boolean, first_seen timestamptz, last_seen timestamptz)
$$;

CREATE VIEW telltale.devices AS SELECT * FROM private.devices();

CREATE FUNCTION private.channels()
RETURNS TABLE (channel_id int, device_id int, device text, code text, name text, group_name text, unit text, is_enabled boolean, last_time timestamptz, last_value float8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT channel_id, device_id, device, code, name, group_name, unit, is_enabled, to_timestamp(last_ts / 1000.0), last_value
    FROM private.dblink(private.own(), format('SELECT * FROM sql_access.channels(%L)', session_user))
      AS t(channel_id int, device_id int, device text, code text, name text, group_name text, unit text, is_enabled boolean, last_ts bigint, last_value float8)
$$;

CREATE VIEW telltale.channels AS SELECT * FROM private.channels();

CREATE FUNCTION telltale.telltale_alerts("from" timestamptz, "to" timestamptz)
RETURNS TABLE (alert_id int, device_id int, channel_id int, name text, priority int, value float8, unit text, threshold float8, peak float8,
               raised timestamptz, cleared timestamptz, confirmed timestamptz, was_silenced boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT * FROM private.dblink(private.own(), format('SELECT * FROM sql_access.alerts(%L, %L, %L)', session_user,
                                                     private.milliseconds("from"), private.milliseconds("to")))
    AS t(alert_id int, device_id int, channel_id int, name text, priority int, value float8, unit text, threshold float8, peak float8,
         raised timestamptz, cleared timestamptz, confirmed timestamptz, was_silenced boolean)
$$;

CREATE VIEW telltale.alerts AS SELECT * FROM telltale.telltale_alerts('-infinity', 'infinity');

CREATE FUNCTION telltale.telltale_readings(channel int, "from" timestamptz, "to" timestamptz)
RETURNS TABLE ("time" timestamptz, value float8, status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT to_timestamp(ts / 1000.0), CASE WHEN status < 2 THEN value END, (ARRAY['Alarm', 'Good', 'No data'])[status + 1]
    FROM private.dblink(private.own(), format('SELECT * FROM sql_access.readings(%L, %L, %L, %L)', session_user, channel,
                                              private.milliseconds("from"), private.milliseconds("to")))
      AS t(ts bigint, value float8, status smallint)
$$;

CREATE FUNCTION telltale.telltale_chart(channel int, "from" timestamptz, "to" timestamptz, points int)
RETURNS TABLE ("time" timestamptz, min float8, max float8, avg float8, count bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT to_timestamp(ts / 1000.0), min, max, avg, count
    FROM private.dblink(private.own(), format('SELECT * FROM sql_access.chart(%L, %L, %L, %L, %L)', session_user, channel,
                                              private.milliseconds("from"), private.milliseconds("to"), points))
      AS t(ts bigint, min float8, max float8, avg float8, count bigint)
$$;

GRANT SELECT ON ALL TABLES IN SCHEMA telltale TO PUBLIC;
RESET ROLE;
