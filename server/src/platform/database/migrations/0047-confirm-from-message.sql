-- Readable by 0039-narrow-columns.sql and later.

-- Whether a contact may confirm alerts by the link in its messages. `version` is incremented by every change.
ALTER TABLE contacts ADD COLUMN may_confirm boolean NOT NULL DEFAULT false, ADD COLUMN version int NOT NULL DEFAULT 1;

-- Name of a person without an account who confirmed the alert, or did what the event says: a contact may be deleted later.
ALTER TABLE alerts ADD COLUMN accepted_name text;
ALTER TABLE alert_events ADD COLUMN by_name text;

-- Secrets that all nodes share, each made by the first node that needs it. No call answers with them.
CREATE TABLE shared_secrets (
  name  text PRIMARY KEY,
  value bytea NOT NULL
);
