-- Readable by 0039-narrow-columns.sql and later.

-- A custom alarm is raised only while its gate is open: a channel of the family is 1 ON, 2 above, 3 below `gate_value`, for `start_up` seconds already.
ALTER TABLE alarms
  ADD COLUMN gate_channel_id int REFERENCES channels ON DELETE SET NULL,
  ADD COLUMN gate_type smallint CHECK (gate_type BETWEEN 1 AND 3),
  ADD COLUMN gate_value double precision,
  ADD COLUMN start_up int NOT NULL DEFAULT 0 CHECK (start_up BETWEEN 0 AND 86400),
  ADD CHECK (gate_channel_id IS NULL OR (alarm_class = 1 AND gate_type IS NOT NULL AND (gate_type = 1 OR gate_value IS NOT NULL)));
CREATE INDEX alarms_of_gate ON alarms (gate_channel_id) WHERE gate_channel_id IS NOT NULL;

-- Whether the gate is open, since when, and whether the condition holds apart from it.
ALTER TABLE alarm_phases ADD COLUMN gate jsonb;
