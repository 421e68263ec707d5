-- Readable by 0039-narrow-columns.sql and later.

-- Maintenance windows silence devices (3); a silent master silences the offline alert of a sub-device (4), to 'infinity' until it is heard again.
ALTER TABLE silences
  ALTER COLUMN rule_key DROP NOT NULL,                       -- null of a maintenance window, like the two below
  ALTER COLUMN device_id DROP NOT NULL,
  ALTER COLUMN priority DROP NOT NULL,
  ADD COLUMN start_time timestamptz,                         -- null: from created_time; of a window, the occurrence of now or the next
  ADD COLUMN plan jsonb;                                     -- of a window: when it occurs

-- A person's silence of a sub-device's offline alert and its master's may hold at the same time.
DROP INDEX silences_in_force;
CREATE UNIQUE INDEX silences_in_force ON silences (rule_key) WHERE ended_time IS NULL AND kind <> 4;
CREATE UNIQUE INDEX silences_of_masters ON silences (rule_key) WHERE ended_time IS NULL AND kind = 4;

-- Whoever raises an alert looks up whether its rule is silenced.
CREATE INDEX silences_of_rule ON silences (rule_key) WHERE ended_time IS NULL;

-- The devices of maintenance windows.
CREATE TABLE silence_devices (
  silence_id int NOT NULL REFERENCES silences ON DELETE CASCADE,
  device_id  int NOT NULL REFERENCES devices ON DELETE CASCADE,
  PRIMARY KEY (device_id, silence_id)
);
CREATE INDEX silence_devices_silence ON silence_devices (silence_id);

-- Messages that were given up, and the last that arrived at the same address.
CREATE INDEX outbox_failed ON outbox (plant_id) WHERE status = 'failed' AND alert_id IS NOT NULL;
CREATE INDEX outbox_arrived ON outbox (plant_id, kind, recipient, message_id) WHERE status = 'sent';
