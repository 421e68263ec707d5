-- Users of a plant ---------------------------------------------------------------------------------------------------

-- Raised by every change, so that of two people who edit the same account the second is told.
ALTER TABLE accounts ADD COLUMN version int NOT NULL DEFAULT 1;
-- Taken out of the plant. The row stays: the alert log names who confirmed.
ALTER TABLE accounts ADD COLUMN removed_time timestamptz;

-- Alerts assigned to an account: it is told of them by mail.
CREATE TABLE account_alarms (
  account_id int NOT NULL REFERENCES accounts ON DELETE CASCADE,
  alarm_id   int NOT NULL REFERENCES alarms ON DELETE CASCADE,
  PRIMARY KEY (account_id, alarm_id)
);
CREATE INDEX account_alarms_alarm ON account_alarms (alarm_id);
