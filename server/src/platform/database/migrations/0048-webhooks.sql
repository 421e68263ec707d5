-- Readable by 0039-narrow-columns.sql and later.

-- Addresses of other systems that alerts are posted to.
CREATE TABLE webhooks (
  webhook_id      int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id        int NOT NULL REFERENCES plants,
  webhook_name    text NOT NULL,
  format          smallint NOT NULL,
  url             text NOT NULL,
  is_enabled      boolean NOT NULL DEFAULT true,
  may_confirm     boolean NOT NULL DEFAULT false,
  -- Of signatures; the one before signs, too, for a day after it was replaced.
  secret          bytea NOT NULL,
  previous_secret bytea,
  replaced_time   timestamptz,
  -- When it last accepted a message; since when it has accepted none, and why.
  accepted_time   timestamptz,
  failing_since   timestamptz,
  fault           text NOT NULL DEFAULT '',
  -- When a failing one is tried again.
  retry_time      timestamptz,
  -- When its address was changed or its secret replaced: links of messages from before no longer work.
  links_from      timestamptz,
  created_by      int REFERENCES accounts,
  created_time    timestamptz NOT NULL,
  version         int NOT NULL DEFAULT 1
);
CREATE INDEX webhooks_of_plant ON webhooks (plant_id);

-- The rules whose alerts go to a webhook.
CREATE TABLE alarm_webhooks (
  alarm_id   int NOT NULL REFERENCES alarms ON DELETE CASCADE,
  webhook_id int NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  PRIMARY KEY (alarm_id, webhook_id)
);
CREATE INDEX alarm_webhooks_of_webhook ON alarm_webhooks (webhook_id);

-- Webhooks are the third kind of message; its recipient is the webhook's id.
ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check, ADD CONSTRAINT outbox_kind_check CHECK (kind IN (1, 2, 3));
