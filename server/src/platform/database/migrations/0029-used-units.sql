-- A unit's service belongs to the unit: its end, its last payment and its report interval limit go with it when it is deleted from a plant and
-- added again, by whomever. Only the first claim of a unit that is not used begins a year.
ALTER TABLE devices ADD COLUMN is_used boolean NOT NULL DEFAULT false; -- the unit was in a plant before this row of it

-- Units that were deleted from a plant and not added again yet: the audit log has their first claim, the orders what was paid.
WITH first_claims AS (
  SELECT detail ->> 'deviceSnId' AS device_sn_id, min(created_time) AS claimed_time FROM audit_log WHERE action = 'device.add' GROUP BY 1),
paid AS (
  SELECT DISTINCT ON (device_sn_id) device_sn_id, service_end, captured_time, report_interval_limit
    FROM orders WHERE kind = 1 AND status = 'captured' AND device_sn_id <> '' ORDER BY device_sn_id, captured_time DESC)
UPDATE devices d
   SET is_used = true,
       expire_time = CASE d.device_type WHEN 1 THEN greatest(f.claimed_time + interval '1 year', p.service_end) END,
       pay_time = p.captured_time,
       report_interval_limit = coalesce(p.report_interval_limit, d.report_interval_limit)
  FROM first_claims f LEFT JOIN paid p USING (device_sn_id)
 WHERE d.device_sn_id = f.device_sn_id AND d.plant_id IS NULL;

-- The SMS that a plant begins with. A plant that somebody opens by a device ID has none: it gets them with the first unit it adds that is not used,
-- or every deletion would bring another plant with new ones.
ALTER TABLE plants ADD COLUMN first_sms int NOT NULL DEFAULT 25 CHECK (first_sms >= 0);
CREATE OR REPLACE FUNCTION open_sms_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sms_credit (plant_id, sms_left) VALUES (NEW.plant_id, NEW.first_sms);
  IF NEW.first_sms > 0 THEN
    INSERT INTO ledger (plant_id, kind, sms, sms_left, created_time) VALUES (NEW.plant_id, 3, NEW.first_sms, NEW.first_sms, NEW.created_time);
  END IF;
  RETURN NULL;
END $$;

-- A registration that waits for its link names the unit, not the row that it had.
UPDATE mail_links l SET detail = l.detail || jsonb_build_object('deviceSnId', d.device_sn_id)
  FROM devices d WHERE l.purpose = 'registration' AND l.detail ->> 'deviceId' = d.device_id::text;
