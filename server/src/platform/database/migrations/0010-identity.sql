-- Identity -----------------------------------------------------------------------------------------------------------

-- Somebody who was invited and has not answered has no password yet.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;

-- Secrets of mailed links, as SHA-256. Each works once; `detail` is what it is for.
CREATE TABLE mail_links (
  secret_hash  bytea PRIMARY KEY,
  purpose      text NOT NULL CHECK (purpose IN ('registration', 'invitation', 'reset')),
  email        text NOT NULL,
  detail       jsonb NOT NULL DEFAULT '{}',
  created_time timestamptz NOT NULL,
  expires_time timestamptz NOT NULL
);
CREATE INDEX mail_links_email ON mail_links (lower(email), purpose);

-- Mail and SMS, written in the transaction of what they tell about and sent afterwards.
CREATE TABLE outbox (
  message_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plant_id      int,                                      -- whose doing it was; null for mail about one's own person
  kind          smallint NOT NULL CHECK (kind IN (1, 2)), -- mail, SMS
  recipient     text NOT NULL,
  subject       text NOT NULL DEFAULT '',
  body          jsonb NOT NULL,
  -- waiting -> sending -> sent; kept: there is nothing to send it with; failed: given up, or nobody knows whether it arrived
  status        text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sending', 'sent', 'kept', 'failed')),
  tries         smallint NOT NULL DEFAULT 0,
  next_time     timestamptz NOT NULL,                     -- of the next try; while sending, until when it is taken
  handed_over   boolean NOT NULL DEFAULT false,           -- its last byte may have left: it is not sent again
  fault         text NOT NULL DEFAULT '',
  created_time  timestamptz NOT NULL,
  sent_time     timestamptz
);
CREATE INDEX outbox_due ON outbox (next_time) WHERE status IN ('waiting', 'sending');

-- Pictures of users, cut and written anew by the server. The name is the secret to see it.
CREATE TABLE avatars (
  name         text PRIMARY KEY,
  user_id      int NOT NULL REFERENCES users ON DELETE CASCADE,
  content      bytea NOT NULL,
  created_time timestamptz NOT NULL
);
CREATE INDEX avatars_user ON avatars (user_id);

-- Sessions have a number to be ended by, which is no secret.
ALTER TABLE sign_ins ADD COLUMN sign_in_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;

-- The operator who made a support link.
ALTER TABLE support_links ADD COLUMN made_by text NOT NULL DEFAULT '';

-- Time-based codes. A step is used once; a recovery code, kept as SHA-256, is taken out when it is used.
CREATE TABLE second_factors (
  user_id        int PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret         bytea NOT NULL,
  is_on          boolean NOT NULL DEFAULT false,
  last_step      bigint NOT NULL DEFAULT 0,
  recovery_codes bytea[] NOT NULL DEFAULT '{}',
  created_time   timestamptz NOT NULL
);
