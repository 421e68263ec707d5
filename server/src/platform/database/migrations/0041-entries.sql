-- Readable by 0039-narrow-columns.sql and later.

-- What a rule says of its alerts: how much they matter (1 to 3), and what to do. A rule that is switched off raises none and notifies nobody.
ALTER TABLE alarms ADD COLUMN priority smallint NOT NULL DEFAULT 2, ADD COLUMN response text NOT NULL DEFAULT '', ADD COLUMN is_enabled boolean NOT NULL DEFAULT true;

-- What an entry keeps of its rule as it was raised, whatever becomes of the rule; when the server learned of it; its most extreme value; who has taken it on.
ALTER TABLE alerts ADD COLUMN alarm_name text NOT NULL DEFAULT '', ADD COLUMN priority smallint NOT NULL DEFAULT 2, ADD COLUMN received_time timestamptz,
  ADD COLUMN peak float8, ADD COLUMN assigned_to int REFERENCES accounts;
CREATE INDEX alerts_standing ON alerts (plant_id, priority, created_time DESC) WHERE cleared_time IS NULL;

-- What people did with an entry, besides confirming it.
CREATE TABLE alert_events (
  event_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id     bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
  kind         text NOT NULL,
  account_id   int REFERENCES accounts,
  -- The account that it is about, as of an assignment.
  subject_id   int REFERENCES accounts,
  note         text NOT NULL DEFAULT '',
  created_time timestamptz NOT NULL
);
CREATE INDEX alert_events_of_alert ON alert_events (alert_id, event_id);

-- The entry that a message tells of.
ALTER TABLE outbox ADD COLUMN alert_id bigint;
CREATE INDEX outbox_of_alert ON outbox (alert_id) WHERE alert_id IS NOT NULL;

-- Visits of an account: `seen_time` is the latest look at the console, `since_time` the end of the visit before.
CREATE TABLE account_visits (
  account_id int PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  since_time timestamptz NOT NULL,
  seen_time  timestamptz NOT NULL
);

-- When exactly a rule raises and clears: seconds for which its condition must hold, and be gone; occurrences within a window of seconds.
ALTER TABLE alarms ADD COLUMN on_delay int NOT NULL DEFAULT 0, ADD COLUMN off_delay int NOT NULL DEFAULT 0,
  ADD COLUMN times smallint NOT NULL DEFAULT 1, ADD COLUMN times_within int NOT NULL DEFAULT 0;

-- What a rule's state consists of besides its open alert: a condition that waits for its delay or its end, and occurrences that are counted.
-- Written in the transaction of the readings, only when it changes. Times are device times in epoch milliseconds.
CREATE TABLE alarm_phases (
  rule_key   text PRIMARY KEY,
  channel_id int NOT NULL REFERENCES channels ON DELETE CASCADE,
  alarm_id   int,
  holds      boolean NOT NULL,
  since_ts   bigint NOT NULL,
  is_counted boolean NOT NULL,
  counted    bigint[] NOT NULL,
  -- Server time at which time alone may change it.
  due_ts     bigint
);
CREATE INDEX alarm_phases_channel ON alarm_phases (channel_id);
CREATE INDEX alarm_phases_due ON alarm_phases (due_ts) WHERE due_ts IS NOT NULL;
CREATE INDEX alarm_phases_alarm ON alarm_phases (alarm_id) WHERE alarm_id IS NOT NULL;
