-- Readable by 0039-narrow-columns.sql and later.

-- Browsers that get the alerts of an account as push messages.
CREATE TABLE push_subscriptions (
  push_id      int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id   int NOT NULL REFERENCES accounts,
  -- The browser's session, whose sign-out ends the subscription. It outlives a session that has expired: alerts come at night, too.
  sign_in_id   bigint,
  endpoint     text NOT NULL,
  -- The browser's, for the encryption.
  public_key   bytea NOT NULL,
  auth_secret  bytea NOT NULL,
  user_agent   text NOT NULL,
  created_time timestamptz NOT NULL,
  -- When the push service last accepted a message.
  sent_time    timestamptz,
  UNIQUE (account_id, endpoint)
);
CREATE INDEX push_subscriptions_of_browser ON push_subscriptions (endpoint);
CREATE INDEX push_subscriptions_of_sign_in ON push_subscriptions (sign_in_id);

-- Pushes are the fourth kind of message; its recipient is the subscription's id.
ALTER TABLE outbox DROP CONSTRAINT outbox_kind_check, ADD CONSTRAINT outbox_kind_check CHECK (kind IN (1, 2, 3, 4));
