-- Readable by 0039-narrow-columns.sql and later.

-- Rules whose alerts nobody is notified of for a time. The alerts are recorded as ever.
CREATE TABLE silences (
  silence_id   int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id     int NOT NULL REFERENCES plants,
  kind         smallint NOT NULL,                          -- 1 shelf, 2 out of service
  -- What is silent: see alarms/rules/rule-key.
  rule_key     text NOT NULL,
  device_id    int NOT NULL REFERENCES devices ON DELETE CASCADE,
  -- Of the rule as they were when it began.
  alarm_name   text NOT NULL,
  priority     smallint NOT NULL,
  reason       text NOT NULL,
  created_by   int REFERENCES accounts,
  created_time timestamptz NOT NULL,
  end_time     timestamptz NOT NULL,
  -- When it ended, by itself or by hand; null while it holds.
  ended_time   timestamptz,
  ended_by     int REFERENCES accounts,
  version      int NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX silences_in_force ON silences (rule_key) WHERE ended_time IS NULL;
CREATE INDEX silences_of_plant ON silences (plant_id, ended_time);
CREATE INDEX silences_end ON silences (end_time) WHERE ended_time IS NULL;
