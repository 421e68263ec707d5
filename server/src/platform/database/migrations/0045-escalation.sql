-- Readable by 0039-narrow-columns.sql and later.

-- Who is notified of an alert, step by step, until somebody confirms it: steps is [{after: minutes, to: [{kind, id}]}]; see the contract's escalation.
CREATE TABLE plans (
  plan_id                int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id               int NOT NULL REFERENCES plants,
  plan_name              text NOT NULL,
  is_default             boolean NOT NULL DEFAULT false,
  steps                  jsonb NOT NULL,
  -- Minutes after the last step; null: the plan ends there.
  repeat_every           smallint,
  repeat_times           smallint NOT NULL DEFAULT 0,
  back_to_normal         boolean NOT NULL DEFAULT true,
  back_to_normal_by_sms  boolean NOT NULL DEFAULT false,
  created_time           timestamptz NOT NULL,
  version                int NOT NULL DEFAULT 1
);
CREATE INDEX plans_of_plant ON plans (plant_id);
CREATE UNIQUE INDEX plans_default ON plans (plant_id) WHERE is_default;

-- Every plant has a default, so that no alert notifies nobody: its owner and admins by mail at once.
INSERT INTO plans (plant_id, plan_name, is_default, steps, created_time)
SELECT plant_id, 'Plant default', true, '[{"after": 0, "to": [{"kind": 1, "id": 0}]}]', now() FROM plants;

ALTER TABLE alarms ADD COLUMN plan_id int REFERENCES plans ON DELETE SET NULL;
CREATE INDEX alarms_of_plan ON alarms (plan_id) WHERE plan_id IS NOT NULL;

-- Who is on call by the week: shifts is [{days, from, to, accountId}], in minutes of the local day.
CREATE TABLE rosters (
  roster_id    int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id     int NOT NULL REFERENCES plants,
  roster_name  text NOT NULL,
  time_zone_id text NOT NULL,
  shifts       jsonb NOT NULL,
  created_time timestamptz NOT NULL,
  version      int NOT NULL DEFAULT 1
);
CREATE INDEX rosters_of_plant ON rosters (plant_id);

-- Somebody takes a roster for a time, whatever its shifts say; of several, the newest counts.
CREATE TABLE roster_swaps (
  swap_id      int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  roster_id    int NOT NULL REFERENCES rosters ON DELETE CASCADE,
  account_id   int NOT NULL REFERENCES accounts,
  from_time    timestamptz NOT NULL,
  to_time      timestamptz NOT NULL,
  -- The accounts that were on call in this time when the swap was made; NULL among them where nobody was.
  instead_of   int[] NOT NULL,
  created_by   int REFERENCES accounts,
  created_time timestamptz NOT NULL
);
CREATE INDEX roster_swaps_of_roster ON roster_swaps (roster_id, to_time);

-- Where an alert is in its plan. A row is there until the alert has cleared and whoever was notified knows that.
CREATE TABLE escalations (
  alert_id     bigint PRIMARY KEY REFERENCES alerts ON DELETE CASCADE,
  -- When the plan began: when the alert was raised, or returned from a silence.
  started_time timestamptz NOT NULL,
  -- The turn that comes next.
  position     smallint NOT NULL DEFAULT 0,
  -- When there is something to do; null: not before the alert clears.
  due_time     timestamptz,
  -- It was over before the server learned of it.
  was_over     boolean NOT NULL DEFAULT false
);
CREATE INDEX escalations_due ON escalations (due_time) WHERE due_time IS NOT NULL;

-- The round of the plan that a message belongs to: in each, an address is notified once. -1: the alert is back to normal.
ALTER TABLE outbox ADD COLUMN round smallint NOT NULL DEFAULT 0;

-- Messages that wait for a summary, by the reason: 1 a backlog of the past, 2 more than an address can read, 3 quiet hours. `digest_id` is the summary that lists them.
ALTER TABLE outbox DROP CONSTRAINT outbox_status_check,
  ADD CONSTRAINT outbox_status_check CHECK (status IN ('waiting', 'sending', 'sent', 'kept', 'failed', 'held', 'listed', 'skipped'));
ALTER TABLE outbox ADD COLUMN hold smallint NOT NULL DEFAULT 0, ADD COLUMN digest_id bigint;
CREATE INDEX outbox_held ON outbox (kind, plant_id, lower(recipient), hold) WHERE status = 'held';
CREATE INDEX outbox_sent_alerts ON outbox (kind, plant_id, lower(recipient), sent_time) WHERE status = 'sent' AND alert_id IS NOT NULL;

-- Addresses whose messages are held, and when their summary is due.
CREATE TABLE outbox_folds (
  plant_id  int NOT NULL REFERENCES plants,
  kind      smallint NOT NULL,
  -- In lower case.
  recipient text NOT NULL,
  hold      smallint NOT NULL,
  due_time  timestamptz NOT NULL,
  PRIMARY KEY (plant_id, kind, recipient, hold)
);
CREATE INDEX outbox_folds_due ON outbox_folds (kind, due_time);

-- Hours of the local day in which a user is notified of urgent alerts only; null: none.
ALTER TABLE users ADD COLUMN quiet_from smallint, ADD COLUMN quiet_to smallint, ADD COLUMN quiet_zone text;
