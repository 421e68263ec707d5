-- Rules that drive a digital output while an alert is open.
CREATE TABLE joint_rules (
  joint_id          int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id          int NOT NULL REFERENCES plants,
  name              text NOT NULL,
  -- A limit of a channel's settings by the key that its alerts have; null where an alert rule of class 1 triggers it, which `alarm_id` names. A
  -- deleted alert rule leaves neither, and the joint control does nothing any more.
  source_key        text,
  -- Of an alert rule the channel that it watched when this was saved.
  source_channel_id int NOT NULL REFERENCES channels ON DELETE CASCADE,
  alarm_class       smallint NOT NULL,
  alarm_type        smallint NOT NULL,
  alarm_id          int REFERENCES alarms ON DELETE SET NULL,
  output_channel_id int NOT NULL REFERENCES channels ON DELETE CASCADE,
  level             smallint NOT NULL CHECK (level IN (0, 1)),
  ending            smallint NOT NULL CHECK (ending IN (1, 2)),
  enabled           boolean NOT NULL,
  -- Whether its alert was open when that was last settled.
  is_active         boolean NOT NULL DEFAULT false,
  created_by        int REFERENCES accounts,
  created_time      timestamptz NOT NULL,
  modified_time     timestamptz NOT NULL,
  version           int NOT NULL DEFAULT 1
);
CREATE INDEX joint_rules_source ON joint_rules (source_key) WHERE enabled;
CREATE INDEX joint_rules_output ON joint_rules (output_channel_id);
CREATE INDEX joint_rules_plant ON joint_rules (plant_id, joint_id);
CREATE INDEX joint_rules_alarm ON joint_rules (alarm_id);
CREATE INDEX joint_rules_channel ON joint_rules (source_channel_id);

-- Says of which rules an alert has opened or ended. Written with the alert, in its transaction, and taken by the settling after the commit. No
-- foreign key: whoever writes readings waits for nothing here.
CREATE TABLE joint_events (
  event_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  joint_id  int NOT NULL,
  is_raised boolean NOT NULL
);

-- What outputs were told. Of an output only the newest command counts.
CREATE TABLE joint_commands (
  command_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id          int NOT NULL,
  joint_id          int REFERENCES joint_rules ON DELETE SET NULL,
  output_channel_id int NOT NULL REFERENCES channels ON DELETE CASCADE,
  level             smallint NOT NULL CHECK (level IN (0, 1)),
  status            smallint NOT NULL CHECK (status BETWEEN 1 AND 4),  -- waiting, confirmed, refused, superseded
  created_time      timestamptz NOT NULL,
  settled_time      timestamptz,
  tries             int NOT NULL DEFAULT 0,
  next_time         timestamptz NOT NULL,
  reason            text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX joint_commands_waiting ON joint_commands (output_channel_id) WHERE status = 1;
CREATE INDEX joint_commands_output ON joint_commands (output_channel_id, command_id DESC);
CREATE INDEX joint_commands_rule ON joint_commands (joint_id, command_id DESC);

-- A trigger, because alerts open and end in many ways: by readings, by changed settings, by deleted alert rules. Once a statement, for
-- all of its alerts together.
CREATE FUNCTION note_joint_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO joint_events (joint_id, is_raised)
  SELECT r.joint_id, TG_OP = 'INSERT' FROM changed c JOIN joint_rules r ON r.source_key = c.rule_key AND r.enabled
   WHERE TG_OP = 'INSERT' OR c.cleared_time IS NOT NULL
  UNION ALL
  SELECT r.joint_id, TG_OP = 'INSERT' FROM changed c JOIN joint_rules r ON r.alarm_id = c.alarm_id AND r.enabled
   WHERE TG_OP = 'INSERT' OR c.cleared_time IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER alerts_raised_joint AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_joint_events();
CREATE TRIGGER alerts_ended_joint AFTER UPDATE ON alerts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_joint_events();
