-- Alarms as they are configured -------------------------------------------------------------------------------------------

-- Raised by every change, so that of two people who edit the same alarm the second is told.
ALTER TABLE alarms ADD COLUMN version int NOT NULL DEFAULT 1;

-- An alarm of class 2 or 4 names a device's own limits or its notifications, to assign and tell them: it watches no channel of its own. A name
-- may be given twice in a plant: at sixteen characters for a thousand devices it is the device beside it that tells two alarms apart.
ALTER TABLE alarms ALTER COLUMN type DROP NOT NULL;
UPDATE alarms SET alarm_hysteresis = 0 WHERE alarm_class = 1 AND alarm_hysteresis IS NULL;
ALTER TABLE alarms ADD CHECK (alarm_class IN (1, 2, 4)),
  ADD CHECK (CASE WHEN alarm_class = 1 THEN num_nulls(channel_id, type, alarm_value, alarm_hysteresis) = 0 AND type IN (1, 2) AND alarm_hysteresis >= 0
             ELSE num_nonnulls(channel_id, type, alarm_value, alarm_hysteresis) = 0 END);

-- The lists in their order.
DROP INDEX alarms_plant;
CREATE INDEX alarms_plant ON alarms (plant_id, created_time DESC, alarm_id DESC);
CREATE INDEX alarms_device ON alarms (device_id);

-- The key of an open custom alert names what is watched beside the alarm, so that an alarm that watches something else now is not held back
-- by what it raised before.
UPDATE alerts SET rule_key = concat_ws(':', alarm_class, alarm_id, channel_id, alarm_type) WHERE alarm_class = 1 AND cleared_time IS NULL;
