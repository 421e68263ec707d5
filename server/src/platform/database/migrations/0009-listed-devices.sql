-- What the device list looks for and counts by, one narrow row a device beside the wide and ever changing row of `devices`. The triggers
-- below keep it in the transaction of each change, whoever makes it: a list is right the moment something happens.
CREATE TABLE listed_devices (
  device_id    int PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  plant_id     int,
  top_id       int NOT NULL,                    -- the row that it is shown in: its master's, or its own
  listed_time  timestamptz,                     -- when that one was installed: the order of the list
  claimed_time timestamptz,
  expire_time  timestamptz,
  pay_time     timestamptz,
  is_active    boolean NOT NULL,                -- heard at least once, and not disabled
  is_online    boolean NOT NULL,
  open_alerts  int NOT NULL DEFAULT 0,          -- about the equipment; a notification is none
  -- The device's status but for Payment Due, which time alone brings about.
  standing     smallint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN NOT is_active THEN 3 WHEN NOT is_online THEN 4 WHEN open_alerts > 0 THEN 1 ELSE 2 END) STORED,
  -- In small letters, since every search is without regard to case.
  device_sn    text NOT NULL,
  device_sn_id text NOT NULL,
  device_name  text NOT NULL
) WITH (fillfactor = 90);

INSERT INTO listed_devices (device_id, plant_id, top_id, listed_time, claimed_time, expire_time, pay_time, is_active, is_online, open_alerts,
                            device_sn, device_sn_id, device_name)
  SELECT d.device_id, d.plant_id, coalesce(d.parent_device_id, d.device_id), CASE WHEN d.parent_device_id IS NULL THEN d.claimed_time ELSE m.claimed_time END,
         d.claimed_time, d.expire_time, d.pay_time, d.last_seen_time IS NOT NULL AND NOT d.is_disabled, d.is_online,
         (SELECT count(*) FROM alerts a WHERE a.device_id = d.device_id AND a.cleared_time IS NULL AND a.alarm_class <> 4),
         lower(d.device_sn), lower(d.device_sn_id), lower(d.device_name)
    FROM devices d LEFT JOIN devices m ON m.device_id = d.parent_device_id;

-- The list in its order, as it is and by status.
CREATE INDEX listed_devices_tops ON listed_devices (plant_id, listed_time, device_id) WHERE device_id = top_id;
CREATE INDEX listed_devices_standing ON listed_devices (plant_id, standing, listed_time, top_id) INCLUDE (expire_time);

CREATE FUNCTION list_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listed_devices AS l (device_id, plant_id, top_id, listed_time, claimed_time, expire_time, pay_time, is_active, is_online,
                                   device_sn, device_sn_id, device_name)
    VALUES (NEW.device_id, NEW.plant_id, coalesce(NEW.parent_device_id, NEW.device_id),
            CASE WHEN NEW.parent_device_id IS NULL THEN NEW.claimed_time
                 ELSE (SELECT claimed_time FROM devices WHERE device_id = NEW.parent_device_id) END,
            NEW.claimed_time, NEW.expire_time, NEW.pay_time, NEW.last_seen_time IS NOT NULL AND NOT NEW.is_disabled, NEW.is_online,
            lower(NEW.device_sn), lower(NEW.device_sn_id), lower(NEW.device_name))
    ON CONFLICT (device_id) DO UPDATE
      SET (plant_id, top_id, listed_time, claimed_time, expire_time, pay_time, is_active, is_online, device_sn, device_sn_id, device_name) =
          ROW (excluded.plant_id, excluded.top_id, excluded.listed_time, excluded.claimed_time, excluded.expire_time, excluded.pay_time,
               excluded.is_active, excluded.is_online, excluded.device_sn, excluded.device_sn_id, excluded.device_name);
  IF TG_OP = 'UPDATE' AND NEW.claimed_time IS DISTINCT FROM OLD.claimed_time THEN
    UPDATE listed_devices SET listed_time = NEW.claimed_time
     WHERE device_id IN (SELECT device_id FROM devices WHERE parent_device_id = NEW.device_id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER list_new_device AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION list_device();
-- The time of the last message changes with every message: whether there was one does not.
CREATE TRIGGER list_changed_device AFTER UPDATE ON devices FOR EACH ROW
  WHEN ((OLD.plant_id, OLD.parent_device_id, OLD.claimed_time, OLD.expire_time, OLD.pay_time, OLD.last_seen_time IS NULL, OLD.is_disabled, OLD.is_online,
         OLD.device_sn, OLD.device_sn_id, OLD.device_name) IS DISTINCT FROM
        (NEW.plant_id, NEW.parent_device_id, NEW.claimed_time, NEW.expire_time, NEW.pay_time, NEW.last_seen_time IS NULL, NEW.is_disabled, NEW.is_online,
         NEW.device_sn, NEW.device_sn_id, NEW.device_name))
  EXECUTE FUNCTION list_device();

-- Counted up and down, and not looked up: of two transactions that open and close alerts of one device neither sees the other's. A statement
-- at a time, since a batch may open thousands.
CREATE FUNCTION count_open_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE listed_devices l SET open_alerts = l.open_alerts + c.count
      FROM (SELECT device_id, count(*) FROM came WHERE cleared_time IS NULL AND alarm_class <> 4 GROUP BY device_id) AS c
     WHERE l.device_id = c.device_id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE listed_devices l SET open_alerts = l.open_alerts - c.count
      FROM (SELECT device_id, count(*) FROM went WHERE cleared_time IS NULL AND alarm_class <> 4 GROUP BY device_id) AS c
     WHERE l.device_id = c.device_id;
  ELSE
    UPDATE listed_devices l SET open_alerts = l.open_alerts + c.change
      FROM (SELECT device_id, sum(step) AS change
              FROM (SELECT device_id, 1 AS step FROM came WHERE cleared_time IS NULL AND alarm_class <> 4
                    UNION ALL SELECT device_id, -1 FROM went WHERE cleared_time IS NULL AND alarm_class <> 4) AS steps
             GROUP BY device_id HAVING sum(step) <> 0) AS c
     WHERE l.device_id = c.device_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER count_new_alerts AFTER INSERT ON alerts REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION count_open_alerts();
CREATE TRIGGER count_changed_alerts AFTER UPDATE ON alerts REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT
  EXECUTE FUNCTION count_open_alerts();
CREATE TRIGGER count_removed_alerts AFTER DELETE ON alerts REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION count_open_alerts();

-- Which devices are in alert is known without them.
DROP INDEX alerts_open_device;
DROP INDEX alerts_open_plant;
DROP INDEX devices_list;

-- A class and a type that occur together seldom or never, in the log's order.
CREATE INDEX alerts_kind ON alerts (plant_id, alarm_class, alarm_type, created_time DESC, alert_id DESC);
