-- Readable by 0039-narrow-columns.sql and later.

-- What a rule looks at: 1 limit, 2 rate of change, 3 no change, 4 no data, 5 sensor fault. The last three are about `times_within`, as is the rate.
ALTER TABLE alarms ADD COLUMN condition smallint NOT NULL DEFAULT 1;
CREATE INDEX alarms_of_missing_data ON alarms (alarm_id) WHERE condition = 4;

-- What a rule remembers of earlier readings, beside its state.
ALTER TABLE alarm_phases ADD COLUMN memory jsonb;

ALTER TABLE alarms DROP CONSTRAINT alarms_check,
  ADD CHECK (CASE WHEN alarm_class <> 1 THEN condition = 1 AND num_nonnulls(channel_id, type, alarm_value, alarm_hysteresis) = 0
                  WHEN condition IN (1, 2) THEN num_nulls(channel_id, type, alarm_value, alarm_hysteresis) = 0 AND type IN (1, 2) AND alarm_hysteresis >= 0
                  ELSE channel_id IS NOT NULL AND num_nonnulls(type, alarm_value) = 0 AND condition BETWEEN 3 AND 5 END);
